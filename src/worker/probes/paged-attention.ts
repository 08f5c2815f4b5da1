/**
 * Probe `paged-attention`: a graph whose one node is ONNX Runtime's contributed operator PagedAttention. With one token in the
 * cache attention has nothing to weigh, so what it must give is that token's value, for every query head.
 */
import { InferenceSession, Tensor } from 'onnxruntime-web/webgpu';
import { getFloat16, setFloat16 } from '@petamoriken/float16';
import type { FloatType } from '../../model/onnx-graph';
import { pagedGraph, PROBE } from '../../model/probe-graphs';
import type { Probe } from '../../protocol/policies';
import type { Device } from '../../protocol/recipe';
import { messageOf } from './message';

/** Values are between -1 and 1, with which float16 has three places. */
const TOLERANCE = 2e-3;
const { queryHeads, kvHeads, headDim, blocks, blockTokens } = PROBE;

/** Tries it. Never throws. @param float fp16 only where the device computes in it. */
export async function probePagedAttention(
  backend: Device,
  float: FloatType,
): Promise<Pick<Probe, 'outcome' | 'detail'>> {
  const type = float === 'fp16' ? 'float16' : 'float32';
  try {
    const session = await InferenceSession.create(pagedGraph(float), {
      executionProviders: [backend],
      logSeverityLevel: 4,
    });
    try {
      const values = Array.from({ length: kvHeads * headDim }, (_, at) => Math.sin(at));
      const tokenOf = (width: number, numbers: readonly number[]) => floats(float, numbers, [1, width]);
      const empty = (): Tensor =>
        floats(float, new Array<number>(blocks * blockTokens * kvHeads * headDim).fill(0), [
          ...[blocks, blockTokens, kvHeads, headDim],
        ]);
      const { y } = await session.run({
        query: tokenOf(queryHeads * headDim, new Array<number>(queryHeads * headDim).fill(0.5)),
        key: tokenOf(kvHeads * headDim, values),
        value: tokenOf(kvHeads * headDim, values),
        key_cache: empty(),
        value_cache: empty(),
        cumulative: int32([0, 1], [2]),
        past: int32([0], [1]),
        table: int32([0], [1, 1]),
      });
      const found = y === undefined ? [] : numbersOf(float, y);
      const difference = largestDifference(found, values);
      return {
        outcome: difference <= TOLERANCE ? 'works' : 'wrong',
        detail: `With a ${type} cache it ran; the largest difference from the value that it must give is ${difference.toExponential(2)}.`,
      };
    } finally {
      await session.release();
    }
  } catch (error) {
    return { outcome: 'refused', detail: `With a ${type} cache: ${messageOf(error)}` };
  }
}

/** Every query head must give the values of the one KV head. */
function largestDifference(found: readonly number[], values: readonly number[]): number {
  if (found.length !== queryHeads * headDim) return Infinity;
  return found.reduce((largest, value, at) => {
    const difference = Math.abs(value - (values[at % headDim] ?? NaN));
    return Number.isNaN(difference) ? Infinity : Math.max(largest, difference);
  }, 0);
}

function floats(float: FloatType, numbers: readonly number[], dims: readonly number[]): Tensor {
  if (float === 'fp32') return new Tensor('float32', Float32Array.from(numbers), dims);
  const view = new DataView(new ArrayBuffer(numbers.length * 2));
  numbers.forEach((value, at) => {
    setFloat16(view, at * 2, value, true);
  });
  return new Tensor('float16', new Uint16Array(view.buffer), dims);
}

function numbersOf(float: FloatType, { data }: Tensor): number[] {
  const { buffer, byteOffset, byteLength } = data as Float32Array;
  if (float === 'fp32') return [...new Float32Array(buffer, byteOffset, byteLength / 4)];
  const view = new DataView(buffer, byteOffset, byteLength);
  return Array.from({ length: byteLength / 2 }, (_, at) => getFloat16(view, at * 2, true));
}

function int32(values: readonly number[], dims: readonly number[]): Tensor {
  return new Tensor('int32', Int32Array.from(values), dims);
}
