/**
 * Cache policy `paged`: keys and values lie in blocks of `block` tokens of one head, in one pool a cache tensor; a table tells which
 * blocks a sequence has, and it takes one more when a token comes for which its last has no place.
 *
 * ONNX Runtime Web has no attention that reads such blocks for float32 (its PagedAttention takes float16 caches only, on WebGPU). So
 * before each pass the blocks are gathered into contiguous working buffers, to which the graph's attention appends in place, and after
 * it the new rows are scattered into their blocks. The working buffers live as long as the pass. These copies are the price of
 * doing it here, not of the policy: an attention that reads blocks makes none.
 */
import { headsOf, outputsOf, presentOf, type BoundCache } from './bound-cache';
import type { CacheMemory, RowCopy } from './cache-memory';
import { ledgerView, type RuntimeTensor } from './dynamic-cache';
import { tensorBytes, type LedgerTensor } from './ledger';
import type { Preallocation } from './runtime-types';
import type { StaticRoom } from './static-cache';
import { BlockPool } from '../paging/block-pool';
import type { GraphCacheEntry } from '../protocol/record';

export interface PagedRoom extends StaticRoom {
  /** Tokens per block. */
  block: number;
}

export class PagedKvCache<T extends RuntimeTensor> implements BoundCache<T> {
  /** [blocks, KV heads, block, head dim] each. */
  private pools: Map<string, T>;
  /** [batch, KV heads, tokens of the pass, head dim] each; empty between passes. */
  private working = new Map<string, T>();
  private readonly allocator: BlockPool;
  private readonly batch: number;
  private readonly block: number;
  private readonly rooms: number[];
  private past = 0;
  private appended = true;
  private copied = 0;
  private largestWorking = 0;

  /**
   * @param graphCache The graph's cache inputs, keys and values only.
   * @param room Tokens per sequence; rounded up to whole blocks.
   * @throws LabError model-cache-shape for an input whose heads or head dim are not numbers.
   */
  constructor(
    private readonly memory: CacheMemory<T>,
    private readonly graphCache: readonly GraphCacheEntry[],
    { batch, room, block }: PagedRoom,
  ) {
    this.batch = batch;
    this.block = block;
    this.rooms = [Math.ceil(room / block) * block];
    this.allocator = new BlockPool((batch * this.roomTokens) / block, block);
    for (let sequence = 0; sequence < batch; sequence++) this.allocator.allocate(sequence, 0);
    this.pools = this.allocate();
  }

  private get roomTokens(): number {
    return this.rooms.at(-1) ?? 0;
  }

  get preallocated(): Preallocation {
    const { roomTokens, rooms, appended: inPlace, block, allocator } = this;
    const tables = allocator.ids.map((sequence) => allocator.tableOf(sequence));
    const blocks = { tables, inUse: allocator.blocksInUse, workingBytes: this.largestWorking };
    return { roomTokens, rooms, inPlace, axisTokens: block, blocks };
  }

  /** What was gathered and scattered, what was moved, and all of the working tensors where they came back in other memory. */
  get copiedBytes(): number {
    return this.copied;
  }

  open(past: number, tokens: number): void {
    this.past = past;
    const length = past + tokens;
    this.closeWorking();
    this.working = new Map(
      headsOf(this.graphCache).map(({ name, type, heads, headDim }) => [
        name,
        this.memory.allocate(type, [this.batch, heads, length, headDim]),
      ]),
    );
    this.largestWorking = Math.max(this.largestWorking, tensorBytes(this.working.values()));
    this.copied += this.memory.copyRows(this.gathered(length));
  }

  inputs(): ReadonlyMap<string, T> {
    return this.working;
  }

  outputs(): Map<string, T> {
    return outputsOf(this.memory, this.working);
  }

  /** @throws PoolFullError where the pool has no block left: room has to be made before the pass. */
  take(outputs: Readonly<Record<string, T>>, written: number): void {
    const { present, movedBytes } = presentOf(this.working, outputs);
    this.appended &&= movedBytes === 0;
    for (const sequence of this.allocator.ids) this.allocator.append(sequence, written - this.past);
    // In place, what came back are other tensors around the working buffers; ours are those that the memory knows.
    const filled = this.memory.inPlace ? this.working : present;
    this.copied += movedBytes + this.memory.copyRows(this.scattered(filled, written));
    this.closeWorking();
  }

  /** Adds blocks; those in use stay where they are in the order of the pool, so that the tables go on. */
  move(room: number): void {
    const old = this.pools;
    const rows = this.allocator.blocks * this.block;
    this.rooms.push(Math.ceil(room / this.block) * this.block);
    this.allocator.grow((this.batch * this.roomTokens) / this.block - this.allocator.blocks);
    this.pools = this.allocate();
    this.copied += this.memory.copyRows(wholePools(old, this.pools, rows));
    for (const pool of old.values()) this.memory.free(pool);
  }

  tensors(): ReadonlyMap<string, LedgerTensor> {
    return new Map([...this.pools].map(([name, pool]) => [name, ledgerView(pool)]));
  }

  dispose(): Promise<void> {
    this.closeWorking();
    for (const pool of this.pools.values()) this.memory.free(pool);
    this.pools = new Map();
    return Promise.resolve();
  }

  /** The rows that hold tokens, from the blocks to where they stand in working tensors of `length` tokens. */
  private *gathered(length: number): Generator<RowCopy<T>> {
    for (const [name, pool] of this.pools) {
      const target = this.working.get(name);
      if (target === undefined) continue;
      for (const { inPool, inWorking, rows } of this.pieces(pool, 0, this.past, length))
        yield { source: pool, from: inPool, target, to: inWorking, rows };
    }
  }

  /** The rows of the new tokens, back into the blocks. */
  private *scattered(present: ReadonlyMap<string, T>, written: number): Generator<RowCopy<T>> {
    for (const [name, pool] of this.pools) {
      const source = present.get(name);
      if (source === undefined) continue;
      for (const { inPool, inWorking, rows } of this.pieces(pool, this.past, written, written))
        yield { source, from: inWorking, target: pool, to: inPool, rows };
    }
  }

  /** Tokens `from` to `to` of every head of every sequence, in pieces that lie together in both places. */
  private *pieces(
    pool: T,
    from: number,
    to: number,
    length: number,
  ): Generator<{ inPool: number; inWorking: number; rows: number }> {
    const [, heads = 0] = pool.dims;
    for (const sequence of this.allocator.ids) {
      for (let at = from; at < to;) {
        const { block, offset } = this.allocator.place(sequence, at);
        const rows = Math.min(this.block - offset, to - at);
        for (let head = 0; head < heads; head++) {
          yield {
            inPool: (block * heads + head) * this.block + offset,
            inWorking: (sequence * heads + head) * length + at,
            rows,
          };
        }
        at += rows;
      }
    }
  }

  private allocate(): Map<string, T> {
    return new Map(
      headsOf(this.graphCache).map(({ name, type, heads, headDim }) => [
        name,
        this.memory.allocate(type, [this.allocator.blocks, heads, this.block, headDim]),
      ]),
    );
  }

  private closeWorking(): void {
    for (const tensor of this.working.values()) this.memory.free(tensor);
    this.working = new Map();
  }
}

/** @param rows Of one head, in all blocks of the old pools. */
function* wholePools<T extends RuntimeTensor>(
  old: ReadonlyMap<string, T>,
  larger: ReadonlyMap<string, T>,
  rows: number,
): Generator<RowCopy<T>> {
  for (const [name, source] of old) {
    const target = larger.get(name);
    const [, heads = 0] = source.dims;
    if (target !== undefined && rows > 0) yield { source, from: 0, target, to: 0, rows: rows * heads };
  }
}
