/** The paged cache itself, over plain arrays: what its passes see, where its rows lie, what it copies. Worked out by hand. */
import { describe, expect, it } from 'vitest';
import { rowLayout } from './cache-rows';
import { fakeMemory, fakeTensor, type FakeTensor } from './bound-testing.fixture';
import { PagedKvCache } from './paged-cache';
import { usedRows } from './used-bytes';

const KEY = 'past_key_values.0.key';
/** Two heads of one element, so that a row is one number of 4 bytes. */
const GRAPH = [{ name: KEY, type: 'float32', dims: ['batch_size', 2, 'past', 1] }];

const poolOf = (cache: PagedKvCache<FakeTensor>) => {
  const pool = cache.tensors().get(KEY);
  if (pool === undefined) throw new Error('no pool');
  return pool;
};

/**
 * One pass that writes to each new row 100 x sequence + 10 x head + token + 1. As WASM's, it gives copies.
 * @returns What the pass was given.
 */
function run(cache: PagedKvCache<FakeTensor>, past: number, tokens: number): number[] {
  cache.open(past, tokens);
  const given = cache.inputs().get(KEY);
  if (given === undefined) throw new Error('no working tensor');
  const { type, dims, ort_tensor: held } = given;
  const [batch = 0, heads = 0, length = 0] = dims;
  const made = fakeTensor(type, dims);
  made.ort_tensor.data.set(held.data);
  for (let sequence = 0; sequence < batch; sequence++)
    for (let head = 0; head < heads; head++)
      for (let token = past; token < past + tokens; token++)
        made.ort_tensor.data[(sequence * heads + head) * length + token] =
          100 * sequence + 10 * head + token + 1;
  const before = [...held.data];
  cache.take({ 'present.0.key': made }, past + tokens);
  return before;
}

describe('PagedKvCache', () => {
  it('has pools of blocks, for its room rounded up to whole blocks', () => {
    const cache = new PagedKvCache(fakeMemory, GRAPH, { batch: 3, room: 5, block: 4 });
    expect(poolOf(cache).dims).toEqual([6, 2, 4, 1]);
    expect(cache.preallocated).toEqual({
      ...{ roomTokens: 8, rooms: [8], inPlace: true, axisTokens: 4 },
      blocks: { tables: [[], [], []], inUse: 0, workingBytes: 0 },
    });
  });

  it('gives each pass the rows of each sequence in order, though their blocks lie between each other', () => {
    const cache = new PagedKvCache(fakeMemory, GRAPH, { batch: 2, room: 4, block: 2 });
    expect(run(cache, 0, 1)).toEqual([0, 0, 0, 0]);
    expect(run(cache, 1, 1)).toEqual([1, 0, 11, 0, 101, 0, 111, 0]);
    expect(run(cache, 2, 1)).toEqual([1, 2, 0, 11, 12, 0, 101, 102, 0, 111, 112, 0]);
    expect(cache.preallocated.blocks?.tables).toEqual([
      [0, 2],
      [1, 3],
    ]);
    // Block by block, head by head; the last block of each sequence is half empty.
    const pool = [...new Float32Array(poolOf(cache).cpuData?.buffer as ArrayBuffer)];
    expect(pool).toEqual([1, 2, 11, 12, 101, 102, 111, 112, 3, 0, 13, 0, 103, 0, 113, 0]);
  });

  it('fills a block that is partly filled before it takes another, whatever the chunks', () => {
    const cache = new PagedKvCache(fakeMemory, GRAPH, { batch: 1, room: 8, block: 4 });
    run(cache, 0, 3);
    expect(cache.preallocated.blocks?.inUse).toBe(1);
    expect(run(cache, 3, 4)).toEqual([1, 2, 3, 0, 0, 0, 0, 11, 12, 13, 0, 0, 0, 0]);
    expect(cache.preallocated.blocks?.inUse).toBe(2);
    expect(run(cache, 7, 1)).toEqual([1, 2, 3, 4, 5, 6, 7, 0, 11, 12, 13, 14, 15, 16, 17, 0]);
  });

  it('counts the bytes of its copies: gathered, put back, and the working tensors that came back elsewhere', () => {
    const cache = new PagedKvCache(fakeMemory, GRAPH, { batch: 1, room: 8, block: 2 });
    run(cache, 0, 3);
    // Nothing gathered; 3 tokens x 2 heads x 4 bytes came back elsewhere and were put into blocks.
    expect(cache.copiedBytes).toBe(24 + 24);
    run(cache, 3, 1);
    // 24 gathered, 32 came back, 8 put into a block.
    expect(cache.copiedBytes).toBe(48 + 24 + 32 + 8);
    expect(cache.preallocated.blocks?.workingBytes).toBe(32);
  });

  it('finds its rows through the table, and those that hold a token among them', () => {
    const cache = new PagedKvCache(fakeMemory, GRAPH, { batch: 2, room: 4, block: 2 });
    for (const past of [0, 1, 2]) run(cache, past, 1);
    const layout = rowLayout(cache, poolOf(cache));
    expect([layout.heads, layout.rowsOf(0), layout.rowBytes]).toEqual([4, 4, 4]);
    // Token 2 of head 1 of sequence 1: block 3, the second pair of rows, the first of them: row 14.
    expect(layout.offset(3, 2)).toBe(14 * 4);
    expect(() => layout.offset(0, 4)).toThrow('head 0 has no row 4');
    const bytes = new Uint8Array(poolOf(cache).cpuData?.buffer as ArrayBuffer);
    expect(usedRows(bytes, layout)).toBe(2 * 2 * 3);
  });

  it('gets more blocks behind those that it has, and goes on', () => {
    const cache = new PagedKvCache(fakeMemory, GRAPH, { batch: 1, room: 2, block: 2 });
    run(cache, 0, 2);
    const before = cache.copiedBytes;
    cache.move(4);
    expect(cache.copiedBytes - before).toBe(16);
    expect([poolOf(cache).dims, cache.preallocated.rooms]).toEqual([
      [2, 2, 2, 1],
      [2, 4],
    ]);
    expect(run(cache, 2, 1)).toEqual([1, 2, 0, 11, 12, 0]);
  });

  it('puts rows back from its own working tensors where the pass wrote in place: what it gives are others around the same memory', () => {
    const known = new Set<FakeTensor>();
    const memory = {
      ...fakeMemory,
      inPlace: true,
      allocate(type: string, dims: readonly number[]) {
        const tensor = fakeTensor(type, dims);
        known.add(tensor);
        return tensor;
      },
      copyRows(copies: Parameters<typeof fakeMemory.copyRows>[0]) {
        for (const { source, target } of copies)
          expect([known.has(source), known.has(target)]).toEqual([true, true]);
        return 0;
      },
    };
    const cache = new PagedKvCache(memory, GRAPH, { batch: 1, room: 2, block: 2 });
    cache.open(0, 1);
    const given = cache.outputs().get('present.0.key');
    if (given === undefined) throw new Error('no output');
    cache.take({ 'present.0.key': { ...given } }, 1);
    expect(cache.preallocated).toMatchObject({ inPlace: true, blocks: { tables: [[0]] } });
  });

  it('takes no token for which there is no block', () => {
    const cache = new PagedKvCache(fakeMemory, GRAPH, { batch: 1, room: 2, block: 2 });
    run(cache, 0, 2);
    expect(() => run(cache, 2, 1)).toThrow('The pool has 0 blocks free, and 1 more are needed.');
  });

  it('refuses a pass that gave tensors of other dims', () => {
    const cache = new PagedKvCache(fakeMemory, GRAPH, { batch: 1, room: 4, block: 2 });
    cache.open(0, 2);
    expect(() => {
      cache.take({ 'present.0.key': fakeTensor('float32', [1, 2, 4, 1]) }, 2);
    }).toThrow('1, 2, 4, 1');
  });

  it('frees the working tensors after each pass, and all that it has in the end', async () => {
    const live = new Set<FakeTensor>();
    const memory = {
      ...fakeMemory,
      allocate(type: string, dims: readonly number[]) {
        const tensor = fakeTensor(type, dims);
        live.add(tensor);
        return tensor;
      },
      free: (tensor: FakeTensor) => void live.delete(tensor),
    };
    const cache = new PagedKvCache(memory, GRAPH, { batch: 1, room: 2, block: 2 });
    run(cache, 0, 1);
    expect([...live].map(({ dims }) => dims)).toEqual([[1, 2, 2, 1]]);
    cache.move(4);
    cache.open(1, 1);
    expect(live.size).toBe(2);
    await cache.dispose();
    expect(live.size).toBe(0);
  });
});
