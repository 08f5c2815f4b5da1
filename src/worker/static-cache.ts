/**
 * Cache policy `static`: one buffer a cache tensor, made once for `room` tokens. The graph's attention appends in place, as the
 * same buffer is bound as its past and as its present; the attention mask says how many of the rows are tokens.
 * transformers.js has no such cache (its issue 1745 asks for one).
 */
import type { KvCache, Preallocation } from './runtime-types';
import { ledgerView, PRESENT_TO_PAST, type RuntimeTensor } from './dynamic-cache';
import type { LedgerTensor } from './ledger';
import { LabError } from '../protocol/faults';
import type { GraphCacheEntry } from '../protocol/record';

export interface StaticRoom {
  /** Sequences. */
  batch: number;
  /** Tokens per sequence that the buffers are made for. */
  room: number;
}

/** Sequences x heads, each of which has `room` rows of its own, one a token. */
export interface Rows {
  heads: number;
  /** Rows that hold tokens, to be copied. */
  tokens: number;
  from: number;
  to: number;
}

/** Makes and moves the tensors of a static cache, on the GPU or in memory. */
export interface StaticMemory<T extends RuntimeTensor> {
  /** A tensor full of zeros. */
  allocate(type: string, dims: readonly number[]): T;
  /** Copies the rows of every head from one tensor to another with more room, in units of rows. */
  copyRows(source: T, target: T, rows: Rows): void;
  free(tensor: T): void;
  /** Whether the graph writes to the tensors it was given (GPU), or gives new ones (memory of WASM, which it copies). */
  inPlace: boolean;
}

/** [batch, KV heads, tokens, head dim]: the axis of tokens. */
const TOKEN_AXIS = 2;

export class StaticKvCache<T extends RuntimeTensor> implements KvCache {
  private held: Map<string, T>;
  private readonly batch: number;
  private readonly rooms: number[];
  private written = 0;
  private appended = true;

  /**
   * @param graphCache The graph's cache inputs, keys and values only.
   * @throws LabError model-cache-shape for an input whose heads or head dim are not numbers.
   */
  constructor(
    private readonly memory: StaticMemory<T>,
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
    return { roomTokens: this.roomTokens, rooms: this.rooms, inPlace: this.appended };
  }

  /** What a forward pass takes as `past_key_values.*`. */
  inputs(): ReadonlyMap<string, T> {
    return this.held;
  }

  /** The same tensors as what it shall write to, by output name; empty where it cannot write in place. */
  outputs(): Map<string, T> {
    if (!this.memory.inPlace) return new Map();
    return new Map([...this.held].map(([name, tensor]) => [presentName(name), tensor]));
  }

  /**
   * Takes what a forward pass gave, and notes that so many tokens are in the cache now.
   * @throws LabError static-dims naming the first tensor that has other dims than the buffers.
   */
  take(outputs: Readonly<Record<string, T>>, written: number): void {
    for (const [name, before] of this.held) {
      const after = outputs[presentName(name)];
      if (after?.dims.join() !== before.dims.join()) {
        const found = after === undefined ? 'nothing' : after.dims.join(', ');
        throw new LabError('static-dims', { tensor: name, found, expected: before.dims.join(', ') });
      }
      this.appended &&= memoryOf(after) === memoryOf(before);
      if (!this.memory.inPlace) this.held.set(name, after);
    }
    this.written = written;
  }

  move(room: number): void {
    const larger = this.allocate(room);
    for (const [name, source] of this.held) {
      const target = larger.get(name);
      if (target === undefined) continue;
      const [batch = 0, heads = 0] = source.dims;
      const rows = { heads: batch * heads, tokens: this.written, from: this.roomTokens, to: room };
      this.memory.copyRows(source, target, rows);
    }
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

  private allocate(room: number): Map<string, T> {
    return new Map(
      this.graphCache.map(({ name, type, dims }) => {
        const shape = dims.map((dim, axis) => (axis === 0 ? this.batch : axis === TOKEN_AXIS ? room : dim));
        const sizes = shape.filter((dim) => typeof dim === 'number');
        if (sizes.length !== 4)
          throw new LabError('model-cache-shape', { tensor: name, dims: dims.join(', ') });
        return [name, this.memory.allocate(type, sizes)];
      }),
    );
  }

  private free(): void {
    for (const tensor of this.held.values()) this.memory.free(tensor);
  }
}

/** The buffer or array behind a tensor. */
function memoryOf({ location, ort_tensor: raw }: RuntimeTensor): unknown {
  return location === 'gpu-buffer' ? raw.gpuBuffer : raw.data;
}

function presentName(past: string): string {
  const [present, prefix] = PRESENT_TO_PAST[1];
  return present + past.slice(prefix.length);
}

/**
 * ONNX Runtime's refusal to put an output into the buffer it was given, in our words; null for any other error. It says either
 * "provided for output 'present.0.key' of node … has shape {1,2,64,32} but the computed output shape for this run is {…}" (seen
 * in 1.31.0-dev) or "Failed to generate kernel's output[1] with dims [1,2,532,64]" (onnxruntime issue 23061), whose number is
 * that of the operator's output: 1 for keys and 2 for values.
 */
export function dimsRefusal(message: string, expected: ReadonlyMap<string, RuntimeTensor>): LabError | null {
  const named = /output '([^']+)'.*computed output shape for this run is \{([\d,]+)\}/s.exec(message);
  const numbered = /output\[(\d+)\] with dims \[([\d, ]+)\]/.exec(message);
  const [tensor, found] =
    named !== null
      ? [named[1] ?? '', named[2] ?? '']
      : numbered !== null
        ? [numbered[1] === '2' ? 'present.*.value' : 'present.*.key', numbered[2] ?? '']
        : [null, ''];
  if (tensor === null) return null;
  const dims = (expected.get(tensor) ?? [...expected.values()][0])?.dims ?? [];
  const params = { tensor, found: found.split(/,\s*/).join(', '), expected: dims.join(', ') };
  return new LabError('static-dims', params, message);
}
