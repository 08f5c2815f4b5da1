/** Passes of policy `static`: capacity and used bytes apart, room used up, moves, and graphs that cannot do it. Without a GPU. */
import { describe, expect, it } from 'vitest';
import { cellsOf, checkOf, collect, fakeRuntime, pass, source, stepsOf } from './testing.fixture';

const grow = (steps: number) => ({ kind: 'growth', prompt: 'ab', promptTokens: 2, steps }) as const;

describe('a preallocated cache', () => {
  it('keeps its capacity over all stops, while the used bytes are those of the tokens', async () => {
    const reports = await collect([pass([64, 250], { policy: 'static' })], fakeRuntime().runtime);
    // tiny, fp32: 2,048 bytes a token; room for the last stop.
    expect(cellsOf(reports)).toMatchObject([
      { tokens: 64, tensorBytes: 512_000, usedBytes: 131_072, roomTokens: 250, moves: 0 },
      { tokens: 250, tensorBytes: 512_000, usedBytes: 512_000, roomTokens: 250, moves: 0 },
    ]);
  });

  it('has half the bytes in float16', async () => {
    const { runtime } = fakeRuntime({ type: 'float16' });
    const reports = await collect([pass([64], { policy: 'static', dtype: 'fp16', room: 100 })], runtime);
    expect(cellsOf(reports)).toMatchObject([{ tensorBytes: 102_400, usedBytes: 65_536, roomTokens: 100 }]);
  });

  it('grows in used bytes alone, step by step, with room for the whole run', async () => {
    const reports = await collect([pass(grow(3), { policy: 'static' })], fakeRuntime().runtime);
    expect(reports.find(({ type }) => type === 'prompt')).toMatchObject({
      tensorBytes: 10_240,
      usedBytes: 4096,
    });
    expect(stepsOf(reports)).toMatchObject([
      { tokens: 3, tensorBytes: 10_240, usedBytes: 6144, roomTokens: 5 },
      { tokens: 4, tensorBytes: 10_240, usedBytes: 8192, roomTokens: 5 },
      { tokens: 5, tensorBytes: 10_240, usedBytes: 10_240, roomTokens: 5 },
    ]);
  });

  it('finds nothing used where the graph wrote nothing, whatever the formula says', async () => {
    const { runtime } = fakeRuntime({ written: 0 });
    const reports = await collect([pass([64], { policy: 'static' })], runtime);
    expect(cellsOf(reports)).toMatchObject([{ tensorBytes: 131_072, usedBytes: 0 }]);
  });

  it('is no part of a run with the policy dynamic', async () => {
    const reports = await collect([pass([64])], fakeRuntime().runtime);
    expect(cellsOf(reports)[0]).not.toHaveProperty('usedBytes');
    expect(checkOf(reports, 'static-same-logits')).toBeUndefined();
  });
});

describe('room that is used up', () => {
  it('refuses a stop beyond it, and measures the others', async () => {
    const reports = await collect([pass([64, 128], { policy: 'static', room: 100 })], fakeRuntime().runtime);
    expect(cellsOf(reports)).toMatchObject([{ tokens: 64, roomTokens: 100 }]);
    expect(reports.find(({ type }) => type === 'cell-skipped')).toMatchObject({
      tokens: 128,
      fault: { code: 'static-full', params: { room: 100, tokens: 128 } },
    });
  });

  it('ends a growth at the last token that fits', async () => {
    const reports = await collect([pass(grow(9), { policy: 'static', room: 4 })], fakeRuntime().runtime);
    expect(stepsOf(reports).map(({ tokens }) => tokens)).toEqual([3, 4]);
    expect(reports.at(-1)).toEqual({ type: 'done', cancelled: false });
  });

  it('refuses a prompt that does not fit', async () => {
    const reports = await collect([pass(grow(9), { policy: 'static', room: 1 })], fakeRuntime().runtime);
    expect(reports.at(-1)).toMatchObject({
      type: 'pass-failed',
      fault: { code: 'static-full', params: { room: 1, tokens: 2 } },
    });
  });

  it('moves to buffers twice as large where that was chosen: no token is lost, each move is counted and said', async () => {
    const more = { policy: 'static', room: 3, overflow: 'move' } as const;
    const reports = await collect([pass(grow(5), more)], fakeRuntime().runtime);
    expect(
      stepsOf(reports).map(({ tokens, roomTokens, moves, usedBytes, tensorBytes }) => [
        ...[tokens, roomTokens, moves, usedBytes, tensorBytes],
      ]),
    ).toEqual([
      [3, 3, 0, 6144, 6144],
      [4, 6, 1, 8192, 12_288],
      [5, 6, 1, 10_240, 12_288],
      [6, 6, 1, 12_288, 12_288],
      [7, 12, 2, 14_336, 24_576],
    ]);
    expect(reports).toContainEqual({
      type: 'note',
      passId: 0,
      note: 'The preallocated cache was moved 2 times to larger buffers: rooms of 3, 6, 12 tokens per sequence. Each time its rows were copied and the old buffers freed.',
    });
  });
});

describe('checks of a preallocated cache', () => {
  it('compares its logits with those of a growing one: the same numbers, after every pass', async () => {
    const reports = await collect([pass([64], { policy: 'static' })], fakeRuntime().runtime);
    // Two chunks and ten steps of three logits.
    expect(checkOf(reports, 'static-same-logits')).toMatchObject({
      pass: true,
      measured: '0',
      detail: '36 logits: a prompt of 40 + 24 tokens, then 10 decode steps',
    });
    expect(checkOf(reports, 'prefix-unchanged')).toMatchObject({ pass: true });
  });

  it('fails on the smallest difference', async () => {
    const { runtime } = fakeRuntime({ staticLogit: 2 ** -20 });
    const reports = await collect([pass([64], { policy: 'static' })], runtime);
    expect(checkOf(reports, 'static-same-logits')).toMatchObject({ pass: false, measured: '9.54e-7' });
  });

  it('says that the memory of WASM is copied, not appended to', async () => {
    const reports = await collect([pass([64], { policy: 'static' })], fakeRuntime().runtime);
    const notes = reports.flatMap((report) => (report.type === 'note' ? [report.note] : []));
    expect(notes).toEqual([expect.stringContaining('kept its size, but not its place')]);
  });
});

describe('graphs that a preallocated cache cannot serve', () => {
  it('stops at dims that do not fit the buffers, naming the tensor', async () => {
    const { runtime } = fakeRuntime({ growBy: 1 });
    const reports = await collect([pass(grow(3), { policy: 'static' })], runtime);
    expect(reports.at(-1)).toMatchObject({
      type: 'pass-failed',
      fault: {
        code: 'static-dims',
        params: { tensor: 'past_key_values.0.key', found: '1, 2, 6, 32', expected: '1, 2, 5, 32' },
      },
    });
  });

  it('refuses a graph with states before anything is measured', async () => {
    const { runtime, log } = fakeRuntime({ convStates: true });
    const reports = await collect([pass([64], { policy: 'static' })], runtime);
    expect(reports.at(-1)).toMatchObject({
      fault: { code: 'static-states', params: { model: 'tiny', tensor: 'past_conv.0' } },
    });
    expect([log.forwards, log.releases]).toEqual([[], 1]);
  });

  it('refuses a graph without GroupQueryAttention before it is loaded', async () => {
    const { runtime, log } = fakeRuntime();
    const opened = source({ chunksBatches: true });
    const of = pass([64], { policy: 'static', model: opened.id, dtype: 'q4' });
    const reports = await collect([of], runtime, { sources: [opened] });
    expect(reports.at(-1)).toMatchObject({
      fault: { code: 'static-not-grouped', params: { model: 'owner/name' } },
    });
    expect(log.loads).toEqual([]);
  });
});
