/** A buddy allocator: contiguous ranges of a pool in sizes of powers of two. It holds no memory itself, only places. */

/** A contiguous range of the pool's rows, one row a token. */
export interface Span {
  start: number;
  count: number;
}

/**
 * Hands out ranges of a pool of `size` rows. A range has the smallest power of two of rows that is enough; it is cut from the smallest
 * free one that holds it (the lowest of those) and joins its buddy again when it is given back (Knuth, The Art of Computer Programming
 * 1, section 2.5). A pool of another size is so many pools of the powers of two that make it up, the largest first.
 */
export class BuddyAllocator {
  /** Free ranges by their size. */
  readonly #free = new Map<number, Set<number>>();
  /** Sizes of the ranges that were handed out, by their start. */
  readonly #taken = new Map<number, number>();

  /** Throws RangeError unless `size` is a whole number of at least 1. */
  constructor(readonly size: number) {
    if (!Number.isSafeInteger(size) || size < 1) throw new RangeError(`a pool of ${String(size)} rows`);
    let start = 0;
    for (let left = size; left > 0;) {
      const part = powerBelow(left);
      this.#freeOf(part).add(start);
      start += part;
      left -= part;
    }
  }

  /** A range for `rows` rows, at least 1; null where no free one is large enough. Its `count` is what was handed out. */
  allocate(rows: number): Span | null {
    const count = powerAbove(rows);
    let size = count;
    while (size <= this.size && this.#freeOf(size).size === 0) size *= 2;
    if (size > this.size) return null;
    const start = Math.min(...this.#freeOf(size));
    this.#freeOf(size).delete(start);
    // The lower half is cut further, the upper half stays free.
    for (; size > count; size /= 2) this.#freeOf(size / 2).add(start + size / 2);
    this.#taken.set(start, count);
    return { start, count };
  }

  /** Gives back the range that begins at `start`. Throws RangeError where none does. */
  free(start: number): void {
    let size = this.#taken.get(start);
    if (size === undefined) throw new RangeError(`no range begins at row ${String(start)}`);
    this.#taken.delete(start);
    let at = start;
    // Starts are multiples of their size, so a buddy differs in one bit.
    while (this.#freeOf(size).delete(at ^ size)) {
      at = Math.min(at, at ^ size);
      size *= 2;
    }
    this.#freeOf(size).add(at);
  }

  #freeOf(size: number): Set<number> {
    const known = this.#free.get(size);
    if (known !== undefined) return known;
    const made = new Set<number>();
    this.#free.set(size, made);
    return made;
  }
}

/** The smallest power of two that is at least `value`. */
export function powerAbove(value: number): number {
  return 2 ** Math.ceil(Math.log2(value));
}

/** The largest power of two that is at most `value`. */
export function powerBelow(value: number): number {
  return 2 ** Math.floor(Math.log2(value));
}
