/** Experiment `policies` in the worker: where caches go on and where they start anew, and that probes come last. */
import { describe, expect, it } from 'vitest';
import { cellsOf, collect, fakeRuntime, pass, source, stepsOf } from './testing.fixture';
import type { Pass, Report } from '../protocol/messages';
import type { Probe } from '../protocol/policies';

const contexts = (stops: number[], steps: number, probes = false): Pass['work'] => ({
  kind: 'contexts',
  stops,
  steps,
  probes,
});

/** Prompts and the steps behind them, as tokens. */
const growthsOf = (reports: Report[]): number[][] => {
  const growths: number[][] = [];
  for (const report of reports) {
    if (report.type === 'prompt') growths.push([report.tokens]);
    if (report.type === 'step') growths.at(-1)?.push(report.step.tokens);
  }
  return growths;
};

describe('a cache that grows', () => {
  it('goes on from the last step to the next context', async () => {
    const { runtime, log } = fakeRuntime();
    const reports = await collect([pass(contexts([8, 20], 2), { repeat: 1 })], runtime);
    expect(cellsOf(reports).map(({ tokens }) => tokens)).toEqual([8, 20]);
    expect(growthsOf(reports)).toEqual([
      [8, 9, 10],
      [20, 21, 22],
    ]);
    // New tokens of each pass, and what was there before.
    expect(log.forwards).toEqual([8, 1, 1, 10, 1, 1]);
    expect(log.pasts).toEqual([0, 8, 9, 10, 20, 21]);
    expect(log.disposals).toBe(1);
    // 4 layers x 2 (keys, values) x 2 KV heads x 32 x 4 bytes = 2,048 bytes a token.
    expect(cellsOf(reports).map(({ tensorBytes }) => tensorBytes)).toEqual([16384, 40960]);
  });

  it('starts anew where its steps went beyond the next context', async () => {
    const { runtime, log } = fakeRuntime();
    const reports = await collect([pass(contexts([8, 9], 4), { repeat: 1 })], runtime);
    expect(cellsOf(reports).map(({ tensorBytes }) => tensorBytes)).toEqual([16384, 18432]);
    expect(log.pasts.filter((past) => past === 0)).toHaveLength(2);
    expect(log.disposals).toBe(2);
  });

  it('starts anew at each context with a batch that takes no chunks', async () => {
    const { runtime, log } = fakeRuntime();
    const hub = source({ id: 'a/b', chunksBatches: false });
    const settings = { model: 'a/b', dtype: 'q4', batch: 2, repeat: 1 } as const;
    const reports = await collect([pass(contexts([8, 20], 1), settings)], runtime, { sources: [hub] });
    expect(log.forwards).toEqual([8, 1, 20, 1]);
    expect(cellsOf(reports).map(({ tensorBytes }) => tensorBytes)).toEqual([32768, 81920]);
  });

  it('takes no step beyond the model’s maximum position', async () => {
    const { runtime } = fakeRuntime();
    const reports = await collect([pass(contexts([4094], 4), { chunk: 4096, repeat: 1 })], runtime);
    expect(growthsOf(reports)).toEqual([[4094, 4095, 4096]]);
  });
});

it('makes a preallocated cache anew for each context and its steps', async () => {
  const { runtime, log } = fakeRuntime();
  const reports = await collect([pass(contexts([8, 20], 2), { policy: 'static', repeat: 1 })], runtime);
  expect(log.pasts).toEqual([0, 8, 9, 0, 20, 21]);
  const rooms = [...cellsOf(reports), ...stepsOf(reports)].map(
    ({ tokens, roomTokens, tensorBytes, usedBytes }) => [...[tokens, roomTokens, tensorBytes, usedBytes]],
  );
  // Used: 2,048 bytes a token; capacity: those of 10 and of 22 tokens.
  expect(rooms).toEqual([
    [8, 10, 20480, 16384],
    [20, 22, 45056, 40960],
    [9, 10, 20480, 18432],
    [10, 10, 20480, 20480],
    [21, 22, 45056, 43008],
    [22, 22, 45056, 45056],
  ]);
});

it('fails at a step with everything before it reported', async () => {
  const { runtime } = fakeRuntime({ failAt: 5 });
  const reports = await collect([pass(contexts([8, 20], 2))], runtime);
  expect(growthsOf(reports)).toEqual([[8, 9, 10], [20]]);
  expect(reports.at(-1)).toMatchObject({ type: 'pass-failed', fault: { code: 'run-failed' } });
});

it('notes on WASM that modes do not apply', async () => {
  const { runtime } = fakeRuntime();
  const reports = await collect([pass(contexts([8], 1), { repeat: 1 })], runtime);
  const notes = reports.flatMap((report) => (report.type === 'note' ? [report.note] : []));
  expect(notes).toEqual([
    'WASM keeps no GPU buffers, so ONNX Runtime’s allocator modes do not apply to it: each cache policy was measured once.',
  ]);
});

describe('probes', () => {
  const found: Probe = { name: 'graph-capture', backend: 'wasm', outcome: 'ignored', detail: 'x' };
  const probing = (asked: boolean) =>
    collect([pass(contexts(asked ? [] : [8], 1, asked))], fakeRuntime().runtime, {
      probe: () => Promise.resolve([found]),
    });

  it('are all that their pass does', async () => {
    const types = (await probing(true)).map(({ type }) => type);
    expect(types.filter((type) => !['phase', 'environment', 'note'].includes(type))).toEqual([
      ...['check', 'probe', 'pass-done', 'done'],
    ]);
  });

  it('are not made by other passes', async () => {
    expect((await probing(false)).filter(({ type }) => type === 'probe')).toEqual([]);
  });
});
