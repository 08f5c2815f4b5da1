/** The experiment policies in the browser: every policy and mode beside each other, what fails is a finding, and what was tried. */
import { expect, gpuTest, test } from '../support/fixtures';
import type { LabRecord } from '../../src/protocol/record';

/** `tiny`, fp32: 4 layers x 2 (keys and values) x 2 KV heads x 32 x 4 bytes; at 8 bits 4 x 2 x 2 rows of a scale word and 8 words. */
const PER_TOKEN = { dynamic: 2048, static: 2048, quantised: 576, paged: 2048 };
const TINY = 'experiment=policies&tokens=8,16&steps=3';

const failed = ({ checks }: LabRecord) => checks.filter(({ pass }) => !pass);

/** Each measured cell and step has the formula's bytes, worked out by hand. */
function expectBytes({ cells, growth }: LabRecord): void {
  for (const { policy, tokens, tensorBytes, usedBytes } of cells.filter((cell) => cell.tensorBytes !== null))
    expect(usedBytes ?? tensorBytes).toBe(PER_TOKEN[policy] * tokens);
  for (const { policy, steps } of growth)
    for (const { tokens, tensorBytes, usedBytes } of steps)
      expect(usedBytes ?? tensorBytes).toBe(PER_TOKEN[policy] * tokens);
}

gpuTest(
  'all policies under two modes on WebGPU: a mode that fails takes nothing from the others',
  async ({ lab, watch }) => {
    watch.allow(/destroyed|validation/i);
    const record = await lab.measure(`${TINY}&allocators=bucket,disabled`);
    expect(record.status).toBe('done');
    const points = record.cells.map(({ policy, allocator, tokens, fault }) =>
      [policy, allocator, tokens, fault?.code ?? 'measured'].join(' '),
    );
    expect(points.filter((point) => point.includes('bucket'))).toEqual(
      ['dynamic', 'static', 'quantised', 'paged'].flatMap((policy) =>
        [8, 16].map((tokens) => `${policy} bucket ${tokens} measured`),
      ),
    );
    // onnxruntime-web 1.31.0-dev destroys buffers in use; a later one that does not may measure them.
    for (const point of points.filter((text) => text.includes('disabled')))
      expect(point).toMatch(/(allocator-failed|measured)$/);
    expectBytes(record);
    expect(failed(record)).toEqual([]);
    const capture = record.policies?.probes.find(({ name }) => name === 'graph-capture');
    expect(capture).toMatchObject({ outcome: 'works', backend: 'webgpu' });
    expect(record.policies?.probes.map(({ name }) => name).sort()).toEqual([
      'graph-capture',
      'paged-attention',
    ]);
    const { budgetBytes = 0, holds = [] } = record.policies?.recommendation ?? {};
    expect(holds.length).toBeGreaterThanOrEqual(4);
    expect(holds[0]?.tokens).toBeGreaterThanOrEqual(16);
    for (const { peakBytes } of holds) expect(peakBytes ?? 0).toBeLessThanOrEqual(budgetBytes);
    expect(JSON.parse(await lab.exported('export-json'))).toEqual(record);
  },
);

test('on WASM each policy is measured once, and nothing is claimed of device bytes', async ({ lab }) => {
  const record = await lab.measure(`${TINY}&device=wasm`);
  expect(record.status).toBe('done');
  expect(record.cells.map(({ policy, allocator, tokens }) => `${policy} ${allocator} ${tokens}`)).toEqual(
    ['dynamic', 'static', 'quantised', 'paged'].flatMap((policy) =>
      [8, 16].map((tokens) => `${policy} bucket ${tokens}`),
    ),
  );
  expect(failed(record)).toEqual([]);
  expect(record.policies?.recommendation).toBeNull();
  expect(record.policies?.probes).toHaveLength(2);
  expect(record.models[0]?.notes.join(' ')).toContain('allocator modes do not apply');
});
