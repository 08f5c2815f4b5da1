/** What is taken of a forward pass's logits: the last position of each row, or only the token that is the likeliest there. */
import { getFloat16 } from '@petamoriken/float16';
import { GpuArgmax, type LogitRows } from './gpu-argmax';
import { itemSize, tensorBytes } from './ledger';
import { readBuffer } from './read-buffer';
import type { Forward } from './runtime-types';
import { describeAdapter } from '../protocol/adapter';

/** What is used of transformers.js' Tensor. */
export interface LogitsTensor {
  type: string;
  dims: number[];
  location: string;
  data: unknown;
  ort_tensor: { gpuBuffer?: unknown };
  dispose(): void;
}

export interface LogitsOptions {
  /** Real positions of each row; all of them when left out. */
  lengths?: readonly number[] | undefined;
  /** Only the greedy tokens are wanted, where the GPU can find them. */
  greedy?: boolean | undefined;
}

export class LogitsReader {
  private readonly argmax: GpuArgmax | null;

  /** @param device ONNX Runtime's own; null on WASM. */
  constructor(private readonly device: GPUDevice | null) {
    this.argmax = device === null || isSoftware(device) ? null : new GpuArgmax(device);
  }

  /** @param logits [batch, positions, vocabulary]; it is used up. */
  async take(logits: LogitsTensor | undefined, { lengths, greedy }: LogitsOptions): Promise<Forward> {
    if (!logits) throw new Error('the graph has no output named logits');
    const { type, dims } = logits;
    const [batch = 0, positions = 0, vocabulary = 0] = dims;
    const logitsBytes = tensorBytes([{ type, dims }]);
    const rowBytes = vocabulary * itemSize(type);
    const ends = Array.from({ length: batch }, (_, row) => row * positions + (lengths?.[row] ?? positions));
    try {
      if (logits.location !== 'gpu-buffer' || this.device === null) {
        const { buffer, byteOffset } = logits.data as ArrayBufferView<ArrayBuffer>;
        const rows = ends.map((end) => new Uint8Array(buffer, byteOffset + (end - 1) * rowBytes, rowBytes));
        return { logits: rows.map((bytes) => floatsOf(type, bytes)), logitsBytes };
      }
      const source = logits.ort_tensor.gpuBuffer as GPUBuffer;
      if (greedy && lengths === undefined && this.argmax !== null && isFloat(type)) {
        const stride = positions * vocabulary;
        const rows: LogitRows = { type, count: batch, vocabulary, first: stride - vocabulary, stride };
        if (this.argmax.fits(source, rows))
          return { logits: [], next: await this.argmax.pick(source, rows), logitsBytes };
      }
      const rows: Float32Array[] = [];
      for (const end of ends) {
        const bytes = await readBuffer(this.device, source, rowBytes, (end - 1) * rowBytes);
        rows.push(floatsOf(type, bytes));
      }
      return { logits: rows, logitsBytes };
    } finally {
      logits.dispose();
    }
  }

  destroy(): void {
    this.argmax?.destroy();
  }
}

/**
 * A software adapter has the logits in the machine's own memory: on SwiftShader 151,936 of them are read and searched in 1.3 ms,
 * while the shader takes 4.9 ms (256: 0.4 and 2.6 ms).
 */
function isSoftware({ adapterInfo }: GPUDevice): boolean {
  return describeAdapter({ info: adapterInfo }).fallback;
}

/** @throws Error naming a type that is no float of 16 or 32 bits. */
function floatsOf(type: string, bytes: Uint8Array): Float32Array {
  const copy = bytes.slice();
  if (type === 'float32') return new Float32Array(copy.buffer);
  if (type !== 'float16') throw new Error(`logits of type ${type} cannot be read`);
  const view = new DataView(copy.buffer);
  return Float32Array.from({ length: copy.length / 2 }, (_, i) => getFloat16(view, 2 * i, true));
}

function isFloat(type: string): type is LogitRows['type'] {
  return type === 'float32' || type === 'float16';
}
