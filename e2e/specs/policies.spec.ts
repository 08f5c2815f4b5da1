/** The experiment policies in the browser: every policy and mode beside each other, what fails is a finding, and what was tried. */
import { expect, gpuTest, test } from '../support/fixtures';
import type { LabRecord } from '../../src/protocol/record';

/** `tiny`, fp32: 4 layers x 2 (keys and values) x 2 KV heads x 32 x 4 bytes; at 8 bits 4 x 2 x 2 rows of a scale word and 8 words. */
const PER_TOKEN = { dynamic: 2048, static: 2048, quantised: 576, paged: 2048 };

const failed = ({ checks }: LabRecord) => checks.filter(({ pass }) => !pass);

const measuredPoints = ({ cells }: LabRecord) =>
  cells.flatMap(({ policy, allocator, tokens, tensorBytes }) =>
    tensorBytes === null ? [] : [`${policy} ${allocator} ${tokens}`],
  );
const everyPolicy = (allocator: string, contexts: number[]) =>
  ['dynamic', 'static', 'quantised', 'paged'].flatMap((policy) =>
    contexts.map((tokens) => `${policy} ${allocator} ${tokens}`),
  );

/** Each measured cell and step has the formula's bytes, worked out by hand. */
function expectBytes({ cells, growth }: LabRecord): void {
  for (const { policy, tokens, tensorBytes, usedBytes } of cells.filter((cell) => cell.tensorBytes !== null))
    expect(usedBytes ?? tensorBytes).toBe(PER_TOKEN[policy] * tokens);
  for (const { policy, steps } of growth)
    for (const { tokens, tensorBytes, usedBytes } of steps)
      expect(usedBytes ?? tensorBytes).toBe(PER_TOKEN[policy] * tokens);
}

gpuTest(
  'all policies beside each other on WebGPU, with a recommendation and what was tried',
  async ({ lab }) => {
    // Four policies compile their shaders one after the other.
    test.setTimeout(330_000);
    await lab.open('experiment=policies&tokens=8,16&steps=2&allocators=bucket');
    await lab.run();
    await expect.poll(() => lab.state(), { timeout: 300_000 }).toBe('done');
    const record = await lab.record();
    expect(measuredPoints(record)).toEqual(everyPolicy('bucket', [8, 16]));
    expectBytes(record);
    expect(failed(record)).toEqual([]);
    const probes = record.policies?.probes ?? [];
    expect(probes.find(({ name }) => name === 'graph-capture')).toMatchObject({
      outcome: 'works',
      backend: 'webgpu',
    });
    expect(probes.map(({ name }) => name).sort()).toEqual(['graph-capture', 'paged-attention']);
    const { budgetBytes = 0, holds = [] } = record.policies?.recommendation ?? {};
    expect(holds).toHaveLength(4);
    expect(holds[0]?.tokens).toBeGreaterThanOrEqual(16);
    for (const { peakBytes } of holds) expect(peakBytes ?? 0).toBeLessThanOrEqual(budgetBytes);
    expect(JSON.parse(await lab.exported('export-json'))).toEqual(record);
  },
);

gpuTest('a mode that fails is a finding, and takes nothing from the others', async ({ lab }) => {
  const record = await lab.measure(
    'experiment=policies&tokens=8&steps=1&policies=dynamic,static&allocators=disabled,bucket',
  );
  expect(record.cells.filter(({ allocator }) => allocator === 'bucket').map(({ fault }) => fault)).toEqual([
    null,
    null,
  ]);
  // onnxruntime-web 1.31.0-dev destroys buffers in use; a later one that does not may measure them.
  const disabled = record.cells.filter(({ allocator }) => allocator === 'disabled');
  expect(disabled).toHaveLength(2);
  for (const { fault } of disabled) expect([undefined, 'allocator-failed']).toContain(fault?.code);
  expectBytes(record);
  expect(failed(record)).toEqual([]);
});

test('on WASM each policy is measured once, and nothing is claimed of device bytes', async ({ lab }) => {
  const record = await lab.measure('experiment=policies&tokens=8,16&steps=3&device=wasm');
  expect(record.status).toBe('done');
  expect(measuredPoints(record)).toEqual(everyPolicy('bucket', [8, 16]));
  expect(failed(record)).toEqual([]);
  expect(record.policies?.recommendation).toBeNull();
  expect(record.policies?.probes).toHaveLength(2);
  expect(record.models[0]?.notes.join(' ')).toContain('allocator modes do not apply');
});
