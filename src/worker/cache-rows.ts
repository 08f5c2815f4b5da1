/** Where the rows of a cache tensor are: one row is one token's keys or values of one head of one sequence. */
import { rowBytesOf, type LedgerTensor } from './ledger';
import type { KvCache } from './runtime-types';

/** Heads are counted through all sequences; a head's rows through its tokens, whatever block they are in. */
export interface RowLayout {
  heads: number;
  rowBytes: number;
  /** Rows that a head has, with a token or without. */
  rowsOf: (head: number) => number;
  /** Where a row starts, in bytes from the tensor's start. */
  offset: (head: number, row: number) => number;
}

/** The layout of one of a cache's tensors: [batch, KV heads, tokens, head dim], or of blocks [blocks, KV heads, block, head dim]. */
export function rowLayout({ preallocated }: Pick<KvCache, 'preallocated'>, tensor: LedgerTensor): RowLayout {
  const rowBytes = rowBytesOf(tensor);
  const rows = tensor.dims.at(-2) ?? 0;
  const tables = preallocated?.blocks?.tables;
  if (tables === undefined) {
    return {
      heads: tensor.dims.slice(0, -2).reduce((product, dim) => product * dim, 1),
      rowBytes,
      rowsOf: () => rows,
      offset: (head, row) => (head * rows + row) * rowBytes,
    };
  }
  const [, heads = 0] = tensor.dims;
  const tableOf = (head: number): readonly number[] => tables[Math.floor(head / heads)] ?? [];
  return {
    heads: tables.length * heads,
    rowBytes,
    rowsOf: (head) => tableOf(head).length * rows,
    offset(head, row) {
      const block = tableOf(head)[Math.floor(row / rows)];
      if (block === undefined) throw new RangeError(`head ${head} has no row ${row}`);
      return ((block * heads + (head % heads)) * rows + (row % rows)) * rowBytes;
    },
  };
}
