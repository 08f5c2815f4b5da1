/**
 * Cache policy `static`: one buffer a cache tensor, made once for `room` tokens. The graph's attention appends in place, as the
 * same buffer is bound as its past and as its present; the attention mask says how many of the rows are tokens.
 * transformers.js has no such cache (its issue 1745 asks for one).
 */
import { headsOf, outputsOf, presentOf, type BoundCache } from './bound-cache';
import type { CacheMemory, RowCopy } from './cache-memory';
import { ledgerView, type RuntimeTensor } from './dynamic-cache';
import type { LedgerTensor } from './ledger';
import type { Preallocation } from './runtime-types';
import type { GraphCacheEntry } from '../protocol/record';

export interface StaticRoom {
  /** Sequences. */
  batch: number;
  /** Tokens per sequence that the buffers are made for. */
  room: number;
}

export class StaticKvCache<T extends RuntimeTensor> implements BoundCache<T> {
  private held: Map<string, T>;
  private readonly batch: number;
  private readonly rooms: number[];
  private written = 0;
  private appended = true;
  private copied = 0;

  /**
   * @param graphCache The graph's cache inputs, keys and values only.
   * @throws LabError model-cache-shape for an input whose heads or head dim are not numbers.
   */
  constructor(
    private readonly memory: CacheMemory<T>,
    private readonly graphCache: readonly GraphCacheEntry[],
    { batch, room }: StaticRoom,
  ) {
    this.batch = batch;
    this.rooms = [room];
    this.held = this.allocate(room);
  }

  private get roomTokens(): number {
    return this.rooms.at(-1) ?? 0;
  }

  get preallocated(): Preallocation {
    const { roomTokens, rooms, appended: inPlace } = this;
    return { roomTokens, rooms, inPlace, axisTokens: roomTokens, blocks: null };
  }

  /** All that the old tensors held where they came back in other memory, and what was moved. */
  get copiedBytes(): number {
    return this.copied;
  }

  open(): void {
    // The buffers are there from the start.
  }

  inputs(): ReadonlyMap<string, T> {
    return this.held;
  }

  outputs(): Map<string, T> {
    return outputsOf(this.memory, this.held);
  }

  take(outputs: Readonly<Record<string, T>>, written: number): void {
    const { present, movedBytes } = presentOf(this.held, outputs);
    this.appended &&= movedBytes === 0;
    this.copied += movedBytes;
    if (!this.memory.inPlace) this.held = present;
    this.written = written;
  }

  move(room: number): void {
    const larger = this.allocate(room);
    this.copied += this.memory.copyRows(this.intoLarger(larger, room));
    this.free();
    this.held = larger;
    this.rooms.push(room);
  }

  tensors(): ReadonlyMap<string, LedgerTensor> {
    return new Map([...this.held].map(([name, tensor]) => [name, ledgerView(tensor)]));
  }

  dispose(): Promise<void> {
    this.free();
    this.held = new Map();
    return Promise.resolve();
  }

  /** The rows that hold tokens, head by head. */
  private *intoLarger(larger: ReadonlyMap<string, T>, room: number): Generator<RowCopy<T>> {
    if (this.written === 0) return;
    for (const [name, source] of this.held) {
      const target = larger.get(name);
      const [batch = 0, heads = 0] = source.dims;
      if (target === undefined) continue;
      for (let head = 0; head < batch * heads; head++) {
        yield { source, from: head * this.roomTokens, target, to: head * room, rows: this.written };
      }
    }
  }

  private allocate(room: number): Map<string, T> {
    return new Map(
      headsOf(this.graphCache).map(({ name, type, heads, headDim }) => [
        name,
        this.memory.allocate(type, [this.batch, heads, room, headDim]),
      ]),
    );
  }

  private free(): void {
    for (const tensor of this.held.values()) this.memory.free(tensor);
  }
}
