/**
 * Used bytes of a preallocated cache, found by reading its buffers: they start as zeros, so a row of keys or values that is not
 * all zeros is one that a token was written to. Nothing here knows a formula.
 */
import { rowLayout, type RowLayout } from './cache-rows';
import { tensorBytes, type LedgerTensor } from './ledger';
import { readTensor } from './read-tensor';
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import type { Preallocated } from '../protocol/record';

type Context = Pick<PassContext, 'gpu'>;

/** Caches up to this size are read back whole where that is asked for; of larger ones the rows around the last token. */
const WHOLE_LIMIT_BYTES = 16 * 2 ** 20;

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
  const layouts = tensors.map((tensor) => rowLayout(cache, tensor));
  const all = whole && tensorBytes(tensors) <= WHOLE_LIMIT_BYTES;
  const edges = all ? null : await edgeRows(context, tensors, layouts, tokens);
  let usedBytes = 0;
  for (const [index, [name, tensor]] of named.entries()) {
    const layout = layouts[index];
    if (layout === undefined) continue;
    const rows =
      edges?.[index] === true
        ? layout.heads * tokens
        : usedRows(await readTensor(context, name, tensor), layout);
    usedBytes += rows * layout.rowBytes;
  }
  const { roomTokens, rooms, blocks } = preallocated;
  return {
    ...{ usedBytes, roomTokens, moves: rooms.length - 1 },
    ...(blocks === null ? {} : { blockBytes: blocks.inUse * bytesOfBlock(tensors) }),
  };
}

/** Bytes of one block of every pool. */
function bytesOfBlock(pools: readonly LedgerTensor[]): number {
  return tensorBytes(pools.map(({ type, dims }) => ({ type, dims: dims.slice(1) })));
}

/** Rows up to the last one that is not all zeros, summed over the heads. */
export function usedRows(bytes: Uint8Array, { heads, rowBytes, rowsOf, offset }: RowLayout): number {
  let rows = 0;
  for (let head = 0; head < heads; head++) {
    let used = rowsOf(head);
    while (used > 0 && isZero(bytes, offset(head, used - 1), rowBytes)) used--;
    rows += used;
  }
  return rows;
}

/** By tensor, whether in every head the row of the last token is written and the one after it is not. */
async function edgeRows(
  { gpu }: Context,
  tensors: readonly LedgerTensor[],
  layouts: readonly RowLayout[],
  tokens: number,
): Promise<boolean[]> {
  const { device } = gpu;
  // In memory nothing is gained by reading less.
  if (device === null || tensors.some(({ gpuBuffer }) => gpuBuffer === null)) return [];
  const edges = layouts.map((layout) => edgesOf(layout, tokens));
  // Where a head has no such row, all of its tensor is read.
  if (edges.some((rows) => rows === null)) return [];
  const size = edges.reduce((sum, rows) => sum + (rows ?? []).reduce((all, row) => all + row.bytes, 0), 0);
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  try {
    const encoder = device.createCommandEncoder();
    let at = 0;
    for (const [index, { gpuBuffer }] of tensors.entries()) {
      for (const { from, bytes } of edges[index] ?? []) {
        encoder.copyBufferToBuffer(gpuBuffer as GPUBuffer, from, staging, at, bytes);
        at += bytes;
      }
    }
    device.queue.submit([encoder.finish()]);
    await gpu.guard(staging.mapAsync(GPUMapMode.READ));
    const read = new Uint8Array(staging.getMappedRange());
    at = 0;
    return edges.map((rows) => {
      let fine = true;
      for (const { bytes, written } of rows ?? []) {
        fine &&= isZero(read, at, bytes) !== written;
        at += bytes;
      }
      return fine;
    });
  } finally {
    staging.destroy();
  }
}

/** Per head, the row of the last token and, where there is one, the row after it; null where a head has not so many rows. */
function edgesOf(
  { heads, rowBytes, rowsOf, offset }: RowLayout,
  tokens: number,
): { from: number; bytes: number; written: boolean }[] | null {
  const edges = [];
  for (let head = 0; head < heads; head++) {
    const rows = rowsOf(head);
    if (tokens > rows) return null;
    edges.push({ from: offset(head, tokens - 1), bytes: rowBytes, written: true });
    if (tokens < rows) edges.push({ from: offset(head, tokens), bytes: rowBytes, written: false });
  }
  return edges;
}

function isZero(bytes: Uint8Array, from: number, count: number): boolean {
  for (let at = from; at < from + count; at++) if (bytes[at] !== 0) return false;
  return true;
}
