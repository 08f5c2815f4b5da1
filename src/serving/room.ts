/** How each system of the experiment gives room in the pool to a request: reserved in one piece, or block by block. */
import { BlockPool } from '../paging/block-pool';
import { BuddyAllocator, powerAbove, type Span } from './buddy';
import type { Request } from './workload';

/** The four systems, by the names that recipes and records have for them. */
export type System = 'reserve-max' | 'reserve-pow2' | 'reserve-oracle' | 'paged';

export interface PoolSize {
  /** Rows of the pool, one a token. */
  pool: number;
  /** Tokens of prompt and output that a request can have at most. */
  longest: number;
  /** Tokens per block of `paged`. */
  block: number;
}

/** Room in a pool, by the request's number. */
export interface Room {
  /** Takes in a request whose first `tokens` tokens come at once; false where there is no room for it now. */
  admit(id: number, request: Request, tokens: number): boolean;
  /** Makes sure that there is room for one more token; false where there is none. */
  extend(id: number): boolean;
  /** The row of a token. */
  rowOf(id: number, token: number): number;
  /** Rows that were handed out to a request. */
  held(id: number): number;
  leave(id: number): void;
}

/** Tokens that a system reserves for a request, before the allocator rounds them up; section 6.1 of the paper, "Baseline 2: Orca". */
export function reservation(
  system: Exclude<System, 'paged'>,
  { prompt, output }: Request,
  longest: number,
): number {
  switch (system) {
    case 'reserve-max':
      return longest;
    case 'reserve-pow2':
      // The paper's example: for 25 tokens of output it reserves 32. No request is longer than the longest.
      return Math.min(longest, prompt + powerAbove(output));
    case 'reserve-oracle':
      return prompt + output;
  }
}

export function roomOf(system: System, size: PoolSize): Room {
  return system === 'paged' ? new BlockRoom(size) : new ReservedRoom(system, size);
}

class ReservedRoom implements Room {
  readonly #buddy: BuddyAllocator;
  readonly #spans = new Map<number, Span>();

  constructor(
    private readonly system: Exclude<System, 'paged'>,
    private readonly size: PoolSize,
  ) {
    this.#buddy = new BuddyAllocator(size.pool);
  }

  admit(id: number, request: Request): boolean {
    const span = this.#buddy.allocate(reservation(this.system, request, this.size.longest));
    if (span !== null) this.#spans.set(id, span);
    return span !== null;
  }

  extend(): boolean {
    return true;
  }

  rowOf(id: number, token: number): number {
    return this.#span(id).start + token;
  }

  held(id: number): number {
    return this.#span(id).count;
  }

  leave(id: number): void {
    this.#buddy.free(this.#span(id).start);
    this.#spans.delete(id);
  }

  #span(id: number): Span {
    const span = this.#spans.get(id);
    if (span === undefined) throw new RangeError(`request ${String(id)} has no room`);
    return span;
  }
}

class BlockRoom implements Room {
  readonly #pool: BlockPool;

  constructor({ pool, block }: PoolSize) {
    this.#pool = new BlockPool(Math.floor(pool / block), block);
  }

  admit(id: number, _: Request, tokens: number): boolean {
    if (!this.#pool.fits(id, tokens)) return false;
    this.#pool.allocate(id, tokens);
    return true;
  }

  extend(id: number): boolean {
    if (!this.#pool.fits(id, 1)) return false;
    this.#pool.append(id, 1);
    return true;
  }

  rowOf(id: number, token: number): number {
    const { block, offset } = this.#pool.place(id, token);
    return block * this.#pool.blockTokens + offset;
  }

  held(id: number): number {
    return this.#pool.tableOf(id).length * this.#pool.blockTokens;
  }

  leave(id: number): void {
    this.#pool.free(id);
  }
}
