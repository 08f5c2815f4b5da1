/** Passes of policy `paged`: capacity, blocks and used bytes apart; room used up; checks; bytes copied by policy. Without a GPU. */
import { describe, expect, it } from 'vitest';
import { cellsOf, checkOf, collect, fakeRuntime, pass, source, stepsOf } from './testing.fixture';
import type { Pass } from '../protocol/messages';

const grow = (steps: number) => ({ kind: 'growth', prompt: 'ab', promptTokens: 2, steps }) as const;
const paged = (work: Pass['work'] | number[], more: Partial<Pass> = {}) =>
  pass(work, { policy: 'paged', ...more });
const run = (of: Pass, change: Parameters<typeof fakeRuntime>[0] = {}) =>
  collect([of], fakeRuntime(change).runtime);

describe('a paged cache', () => {
  it('keeps its capacity over all stops; blocks are handed out as tokens come', async () => {
    const reports = await run(paged([64, 250]));
    // tiny, fp32: 2,048 bytes a token; the room of the last stop is 16 blocks of 16 tokens.
    expect(cellsOf(reports)).toMatchObject([
      { tokens: 64, tensorBytes: 524_288, usedBytes: 131_072, blockBytes: 131_072, roomTokens: 256 },
      { tokens: 250, tensorBytes: 524_288, usedBytes: 512_000, blockBytes: 524_288, roomTokens: 256 },
    ]);
  });

  it('has as many blocks for each sequence of a batch', async () => {
    const reports = await run(paged([20], { batch: 3, room: 40 }));
    // 3 sequences x 3 blocks of 16 tokens, two of which each sequence has.
    expect(cellsOf(reports)).toMatchObject([
      { tensorBytes: 294_912, usedBytes: 122_880, blockBytes: 196_608, roomTokens: 48 },
    ]);
  });

  it('has half the bytes in float16', async () => {
    const reports = await run(paged([20], { dtype: 'fp16', block: 8 }), { type: 'float16' });
    expect(cellsOf(reports)).toMatchObject([
      { tensorBytes: 24_576, usedBytes: 20_480, blockBytes: 24_576, roomTokens: 24 },
    ]);
  });

  it('grows in used bytes token by token, in blocks block by block', async () => {
    const reports = await run(paged(grow(3), { block: 2 }));
    expect(stepsOf(reports)).toMatchObject([
      { tokens: 3, tensorBytes: 12_288, usedBytes: 6144, blockBytes: 8192 },
      { tokens: 4, tensorBytes: 12_288, usedBytes: 8192, blockBytes: 8192 },
      { tokens: 5, tensorBytes: 12_288, usedBytes: 10_240, blockBytes: 12_288 },
    ]);
  });

  it('finds nothing used where the graph wrote nothing, though the blocks are handed out', async () => {
    const reports = await run(paged([64]), { written: 0 });
    expect(cellsOf(reports)).toMatchObject([{ usedBytes: 0, blockBytes: 131_072 }]);
  });

  it('says what the copies are', async () => {
    const reports = await run(paged([64, 250]));
    expect(reports.flatMap((report) => (report.type === 'note' ? [report.note] : []))).toEqual([
      // 250 tokens x 2,048 bytes.
      expect.stringContaining('contiguous working buffers, 512,000 bytes for the largest pass'),
    ]);
  });
});

describe('blocks that are used up', () => {
  it('serves a room to the end of its last block, and refuses more by name', async () => {
    const reports = await run(paged([26, 32, 33], { room: 25 }));
    expect(cellsOf(reports).map(({ tokens, roomTokens }) => [tokens, roomTokens])).toEqual([
      [26, 32],
      [32, 32],
    ]);
    expect(reports.find(({ type }) => type === 'cell-skipped')).toMatchObject({
      tokens: 33,
      fault: { code: 'paged-full', params: { room: 32, tokens: 33, block: 16 } },
    });
  });

  it('ends a growth at the last token that fits', async () => {
    const reports = await run(paged(grow(9), { room: 3, block: 4 }));
    expect(stepsOf(reports).map(({ tokens }) => tokens)).toEqual([3, 4]);
    expect(reports.at(-1)).toEqual({ type: 'done', cancelled: false });
  });

  it('gets twice the blocks where that was chosen, and keeps every token', async () => {
    const reports = await run(paged(grow(5), { room: 4, block: 2, overflow: 'move' }));
    expect(
      stepsOf(reports).map(({ tokens, roomTokens, moves, usedBytes }) => [
        ...[tokens, roomTokens, moves, usedBytes],
      ]),
    ).toEqual([
      [3, 4, 0, 6144],
      [4, 4, 0, 8192],
      [5, 8, 1, 10_240],
      [6, 8, 1, 12_288],
      [7, 8, 1, 14_336],
    ]);
    expect(checkOf(reports, 'prefix-unchanged')).toMatchObject({ pass: true });
  });
});

describe('checks of a paged cache', () => {
  it('compares its logits with those of a growing one, with blocks that are partly filled', async () => {
    const reports = await run(paged([64]));
    // Two chunks and ten steps of three logits.
    expect(checkOf(reports, 'paged-same-logits')).toMatchObject({
      pass: true,
      measured: '0',
      detail: '36 logits: a prompt of 37 + 26 tokens, then 10 decode steps',
    });
    expect(checkOf(reports, 'static-same-logits')).toBeUndefined();
    expect(checkOf(reports, 'prefix-unchanged')).toMatchObject({ pass: true });
  });

  it('fails on the smallest difference', async () => {
    const reports = await run(paged([64]), { staticLogit: 2 ** -20 });
    expect(checkOf(reports, 'paged-same-logits')).toMatchObject({ pass: false, measured: '9.54e-7' });
  });
});

describe('graphs that a paged cache cannot serve', () => {
  it('refuses one with states before anything is measured', async () => {
    const reports = await run(paged([64]), { convStates: true });
    expect(reports.at(-1)).toMatchObject({
      fault: { code: 'paged-states', params: { model: 'tiny', tensor: 'past_conv.0' } },
    });
  });

  it('refuses one without GroupQueryAttention before it is loaded', async () => {
    const opened = source({ chunksBatches: true });
    const { runtime, log } = fakeRuntime();
    const of = paged([64], { model: opened.id, dtype: 'q4' });
    const reports = await collect([of], runtime, { sources: [opened] });
    expect(reports.at(-1)).toMatchObject({
      fault: { code: 'paged-not-grouped', params: { model: 'owner/name' } },
    });
    expect(log.loads).toEqual([]);
  });
});

describe('bytes copied by a decode step', () => {
  const copied = async (more: Partial<Pass>) =>
    stepsOf(await run(pass(grow(3), more))).map(({ copiedBytes }) => copiedBytes);

  it('are all earlier tokens where each tensor is a new one', async () => {
    expect(await copied({ policy: 'dynamic' })).toEqual([4096, 6144, 8192]);
  });

  it('are the whole capacity where a preallocated one comes back elsewhere, as on WASM', async () => {
    expect(await copied({ policy: 'static' })).toEqual([10_240, 10_240, 10_240]);
  });

  it('are what was gathered, came back elsewhere and was put back, of blocks', async () => {
    expect(await copied({ policy: 'paged', block: 2 })).toEqual([
      4096 + 6144 + 2048,
      6144 + 8192 + 2048,
      8192 + 10_240 + 2048,
    ]);
  });

  it('include a move, as it is made for the step', async () => {
    // Room for 3 tokens: the step to 4 moves 3 rows a head, then 6 come back elsewhere.
    expect(await copied({ policy: 'static', room: 3, overflow: 'move' })).toEqual([
      6144,
      6144 + 12_288,
      12_288,
    ]);
  });
});
