/** The third article's experiment on `tiny`: keys and values read from the GPU, solver workers, controls. */
import { expect, gpuTest as test } from '../support/fixtures';
import type { LabRecord } from '../../src/protocol/record';

test.describe.configure({ timeout: 240_000 });

const SMALL = 'experiment=redundancy&skip=8&keep=192';

/** R² by pair: `K 0→1` and so on. */
function r2Of({ redundancy }: LabRecord): Record<string, number> {
  const pairs = redundancy?.pairs ?? [];
  return Object.fromEntries(pairs.map(({ kind, from, to, r2 }) => [`${kind} ${from}→${to}`, r2.mean ?? NaN]));
}

test('on WebGPU: every pair with its controls; on WASM the same R² within 0.001', async ({ lab }) => {
  const onGpu = await lab.measure(SMALL);
  expect(onGpu.checks.filter((check) => !check.pass)).toEqual([]);
  expect(onGpu.checks.map(({ name }) => name).sort()).toEqual([
    'backends-agree',
    'cache-used',
    'graph-cache',
    'method',
    'noise-floor',
    'prefix-unchanged',
    'ratio',
    'released',
    'shuffled-control',
    'wrong-geometry',
  ]);
  const found = onGpu.redundancy;
  expect(found).toMatchObject({ layers: [0, 1, 2, 3], skip: 8, keep: 192, leak: false, noiseFloor: 0 });
  expect(found?.documents).toHaveLength(4);
  // tiny, fp32: 2,048 bytes a token, 200 tokens.
  expect(onGpu.cells[0]).toMatchObject({ tokens: 200, tensorBytes: 409_600, ratio: 1 });
  // 4 layers x (64 + 64) channels x 2 bytes.
  expect(found?.savings).toMatchObject({ bytesPerTokenF16: 1024, cacheBytesF16: 33_554_432 });
  expect(found?.savings?.weightBytes).toBeNull();
  expect(onGpu.models[0]?.notes.join(' '), 'solver workers ran').not.toContain('No solver worker');

  const onWasm = await lab.measure(`${SMALL}&device=wasm`);
  expect(onWasm.checks.filter((check) => !check.pass)).toEqual([]);
  const there = r2Of(onWasm);
  expect(Object.keys(there)).toHaveLength(8);
  for (const [pair, r2] of Object.entries(r2Of(onGpu))) {
    expect(Math.abs(r2 - (there[pair] ?? NaN)), pair).toBeLessThan(1e-3);
  }
});
