/**
 * Used bytes of a preallocated cache, found by reading its buffers: they start as zeros, so a row of keys or values that is not
 * all zeros is one that a token was written to. Nothing here knows a formula.
 */
import { rowBytesOf, tensorBytes, type LedgerTensor } from './ledger';
import { readTensor } from './read-tensor';
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import type { Preallocated } from '../protocol/record';

type Context = Pick<PassContext, 'gpu'>;

/** Caches up to this size are read back whole where that is asked for; of larger ones the rows around the last token. */
const WHOLE_LIMIT_BYTES = 16 * 2 ** 20;

/** How a tensor lies in memory: sequences x heads, each with `room` rows of `rowBytes`. */
interface Layout {
  heads: number;
  room: number;
  rowBytes: number;
}

/**
 * What a point of a preallocated cache has besides; empty for a cache that grows.
 * @param tokens Tokens per sequence that should be in it: where to look first.
 * @param whole Read all of it where it is small; otherwise, per head, the row of the last token and the row after it, and the
 *   rest only of a tensor in which these are not as they should be.
 */
export async function readPreallocated(
  context: Context,
  cache: KvCache,
  tokens: number,
  whole: boolean,
): Promise<Omit<Preallocated, 'roomFormulaBytes'>> {
  const { preallocated } = cache;
  if (preallocated === null) return {};
  const named = [...cache.tensors()];
  const tensors = named.map(([, tensor]) => tensor);
  const all = whole && tensorBytes(tensors) <= WHOLE_LIMIT_BYTES;
  const edges = all ? null : await edgeRows(context, tensors, tokens);
  let usedBytes = 0;
  for (const [index, [name, tensor]] of named.entries()) {
    const layout = layoutOf(tensor);
    const rows =
      edges?.[index] === true
        ? layout.heads * tokens
        : usedRows(await readTensor(context, name, tensor), layout);
    usedBytes += rows * layout.rowBytes;
  }
  const { roomTokens, rooms } = preallocated;
  return { usedBytes, roomTokens, moves: rooms.length - 1 };
}

/** Rows up to the last one that is not all zeros, summed over the heads. */
export function usedRows(bytes: Uint8Array, { heads, room, rowBytes }: Layout): number {
  let rows = 0;
  for (let head = 0; head < heads; head++) {
    const start = head * room * rowBytes;
    let last = (head + 1) * room * rowBytes - 1;
    while (last >= start && bytes[last] === 0) last--;
    rows += Math.ceil((last + 1 - start) / rowBytes);
  }
  return rows;
}

/** By tensor, whether in every head the row of the last token is written and the one after it is not. */
async function edgeRows(
  { gpu }: Context,
  tensors: readonly LedgerTensor[],
  tokens: number,
): Promise<boolean[]> {
  const { device } = gpu;
  // In memory nothing is gained by reading less.
  if (device === null || tensors.some(({ gpuBuffer }) => gpuBuffer === null)) return [];
  const plans = tensors.map((tensor) => {
    const layout = layoutOf(tensor);
    return { tensor, ...layout, rows: tokens < layout.room ? 2 : 1 };
  });
  const size = plans.reduce((sum, { heads, rows, rowBytes }) => sum + heads * rows * rowBytes, 0);
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  try {
    const encoder = device.createCommandEncoder();
    let at = 0;
    for (const { tensor, heads, room, rows, rowBytes } of plans) {
      for (let head = 0; head < heads; head++) {
        const from = (head * room + tokens - 1) * rowBytes;
        encoder.copyBufferToBuffer(tensor.gpuBuffer as GPUBuffer, from, staging, at, rows * rowBytes);
        at += rows * rowBytes;
      }
    }
    device.queue.submit([encoder.finish()]);
    await gpu.guard(staging.mapAsync(GPUMapMode.READ));
    const bytes = new Uint8Array(staging.getMappedRange());
    at = 0;
    return plans.map(({ heads, rows, rowBytes }) => {
      let fine = true;
      for (let head = 0; head < heads; head++, at += rows * rowBytes) {
        const written = bytes.subarray(at, at + rowBytes).some((byte) => byte !== 0);
        const after = bytes.subarray(at + rowBytes, at + rows * rowBytes).some((byte) => byte !== 0);
        fine &&= written && !after;
      }
      return fine;
    });
  } finally {
    staging.destroy();
  }
}

function layoutOf(tensor: LedgerTensor): Layout {
  const [batch = 0, heads = 0, room = 0] = tensor.dims;
  return { heads: batch * heads, room, rowBytes: rowBytesOf(tensor) };
}
