/** Pools of a serving as real memory: GPU buffers of a device of their own, or an array. A row is one token's bytes of one request. */
import type { GpuWatch } from './gpu-watch';
import { rowReader, type RowReader } from './pool-rows';
import { powerBelow, type Span } from '../serving/buddy';
import { LabError } from '../protocol/faults';

export interface PoolSize {
  rows: number;
  /** A multiple of 4. */
  rowBytes: number;
}

/** What a row holds that is not one request's, and not empty. */
export const MIXED = 0xffff_ffff;

/** One pool. What is written and cleared happens in the order of the calls, once it is submitted. */
export interface PoolMemory {
  /** Size of the buffers or of the array. */
  readonly bytes: number;
  /** Fills rows with the pattern of a request: its number + 1 in every 32-bit word. */
  write(owner: number, span: Span): void;
  /** Fills rows of a request with zeros. */
  clear(owner: number, span: Span): void;
  submit(): void;
  /** Submits, and settles when all of it is done. @throws LabError when the GPU failed. */
  settled(): Promise<void>;
  /** Submits, then looks at every word of every row: the request's number + 1 where all are its pattern, 0 where all are 0, else {@link MIXED}. */
  owners(): Promise<Uint32Array>;
  destroy(): void;
}

/** Where pools are made; closed when all have been destroyed. */
export interface PoolPlace {
  make(size: PoolSize): Promise<PoolMemory>;
  close(): void;
}

/** Arrays, on the WASM backend: the page's memory. */
export const arrayPlace: PoolPlace = {
  make: (size) => Promise.resolve(arrayPool(size)),
  close: () => undefined,
};

/** @throws LabError serving-no-memory. */
function arrayPool({ rows, rowBytes }: PoolSize): PoolMemory {
  const width = rowBytes / Uint32Array.BYTES_PER_ELEMENT;
  let words = zeros(rows * width);
  const fill = (value: number, { start, count }: Span): void => {
    words.fill(value, start * width, (start + count) * width);
  };
  return {
    bytes: words.byteLength,
    write: (owner, span) => {
      fill(owner + 1, span);
    },
    clear: (_, span) => {
      fill(0, span);
    },
    submit: () => undefined,
    // So that a Cancel is heard: a message comes with a task, not with a promise.
    settled: () => new Promise((resolve) => setTimeout(resolve)),
    owners: () =>
      Promise.resolve(
        Uint32Array.from({ length: rows }, (_, row) =>
          ownerOf(words.subarray(row * width, (row + 1) * width)),
        ),
      ),
    destroy: () => {
      words = new Uint32Array();
    },
  };
}

function zeros(length: number): Uint32Array {
  try {
    return new Uint32Array(length);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new LabError('serving-no-memory', { bytes: length * 4, detail });
  }
}

function ownerOf(row: Uint32Array): number {
  const first = row[0] ?? 0;
  let different = 0;
  for (const word of row) different |= word ^ first;
  return different === 0 ? first : MIXED;
}

/**
 * A GPU device of its own, opened through the same hooks as ONNX Runtime's, so that its buffers are counted and its loss is told.
 * @throws LabError webgpu-missing, webgpu-no-adapter, or what the hooks throw.
 */
export async function gpuPlace(gpu: GpuWatch): Promise<PoolPlace> {
  const { gpu: api } = navigator as { gpu?: GPU };
  if (api === undefined) throw new LabError('webgpu-missing');
  const adapter = await api.requestAdapter();
  if (adapter === null) throw new LabError('webgpu-no-adapter');
  const device = await adapter.requestDevice();
  return {
    make: (size) => GpuPool.make(device, gpu, size),
    close: () => {
      gpu.expectClose();
      device.destroy();
    },
  };
}

/** One buffer of a pool: its first row, and how many it has. */
interface Piece {
  start: number;
  rows: number;
  buffer: GPUBuffer;
}

/** A pool in as many buffers as the device's limits ask for, each of a power of two of rows, so that no range of a buddy is torn. */
class GpuPool implements PoolMemory {
  readonly bytes: number;
  #encoder: GPUCommandEncoder | null = null;
  /** A row with the pattern of each request that writes; copied from there to its place. */
  readonly #sources = new Map<number, GPUBuffer>();
  /** Rows of requests that have left, and of those that leave in this step: still read by what is not submitted. */
  readonly #unused: GPUBuffer[] = [];
  readonly #leaving: GPUBuffer[] = [];

  /** @throws LabError buffer-too-large, out-of-memory. */
  static async make(device: GPUDevice, gpu: GpuWatch, size: PoolSize): Promise<GpuPool> {
    const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
    const allowed = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    const fitting = powerBelow(Math.floor(allowed / size.rowBytes));
    if (fitting < 1)
      throw new LabError('buffer-too-large', {
        ...{
          bytes: size.rowBytes,
          limit: 'maxStorageBufferBindingSize',
          allowed,
          tensor: 'a row of the pool',
        },
      });
    device.pushErrorScope('out-of-memory');
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.STORAGE;
    const pieces: Piece[] = [];
    for (let start = 0; start < size.rows; start += fitting) {
      const rows = Math.min(fitting, size.rows - start);
      pieces.push({ start, rows, buffer: device.createBuffer({ size: rows * size.rowBytes, usage }) });
    }
    const pool = new GpuPool(device, gpu, size, fitting, pieces);
    try {
      // The hooks raise what is popped here.
      await gpu.guard(device.popErrorScope());
      gpu.check();
      return pool;
    } catch (error) {
      pool.destroy();
      throw error;
    }
  }

  private readonly reader: RowReader;

  private constructor(
    private readonly device: GPUDevice,
    private readonly gpu: GpuWatch,
    private readonly size: PoolSize,
    private readonly pieceRows: number,
    private readonly pieces: readonly Piece[],
  ) {
    this.bytes = pieces.reduce((sum, { buffer }) => sum + buffer.size, 0);
    this.reader = rowReader(device, pieces, size.rowBytes, MIXED);
  }

  write(owner: number, span: Span): void {
    const source = this.#sourceOf(owner);
    const { rowBytes } = this.size;
    for (let row = span.start; row < span.start + span.count; row++) {
      const { buffer, start } = this.#pieceOf(row);
      this.#commands().copyBufferToBuffer(source, 0, buffer, (row - start) * rowBytes, rowBytes);
    }
  }

  clear(owner: number, span: Span): void {
    const { rowBytes } = this.size;
    const end = span.start + span.count;
    for (let row = span.start; row < end;) {
      const piece = this.#pieceOf(row);
      const rows = Math.min(end, piece.start + piece.rows) - row;
      this.#commands().clearBuffer(piece.buffer, (row - piece.start) * rowBytes, rows * rowBytes);
      row += rows;
    }
    const source = this.#sources.get(owner);
    if (source !== undefined) this.#leaving.push(source);
    this.#sources.delete(owner);
  }

  submit(): void {
    if (this.#encoder !== null) this.device.queue.submit([this.#encoder.finish()]);
    this.#encoder = null;
    this.#unused.push(...this.#leaving.splice(0));
  }

  async settled(): Promise<void> {
    this.submit();
    await this.gpu.guard(this.device.queue.onSubmittedWorkDone());
    this.gpu.check();
  }

  async owners(): Promise<Uint32Array> {
    this.submit();
    const owners = await this.gpu.guard(this.reader.read());
    this.gpu.check();
    return owners;
  }

  destroy(): void {
    const sources = [...this.#sources.values(), ...this.#unused, ...this.#leaving];
    for (const buffer of [...this.pieces.map((piece) => piece.buffer), ...sources]) buffer.destroy();
    this.reader.destroy();
  }

  #commands(): GPUCommandEncoder {
    return (this.#encoder ??= this.device.createCommandEncoder());
  }

  #pieceOf(row: number): Piece {
    return this.pieces[Math.floor(row / this.pieceRows)] as Piece;
  }

  #sourceOf(owner: number): GPUBuffer {
    const known = this.#sources.get(owner);
    if (known !== undefined) return known;
    const { rowBytes } = this.size;
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const source = this.#unused.pop() ?? this.device.createBuffer({ size: rowBytes, usage });
    this.device.queue.writeBuffer(source, 0, new Uint32Array(rowBytes / 4).fill(owner + 1));
    this.#sources.set(owner, source);
    return source;
  }
}
