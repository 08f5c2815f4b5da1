/** A pool of blocks of equal size that sequences share: who has which block. It holds no memory itself, only block numbers. */

/** What was asked for is more than the pool has free. Nothing was given out. */
export class PoolFullError extends Error {
  override readonly name = 'PoolFullError';

  constructor(
    readonly wantedBlocks: number,
    readonly freeBlocks: number,
  ) {
    super(`The pool has ${String(freeBlocks)} blocks free, and ${String(wantedBlocks)} more are needed.`);
  }
}

interface Sequence {
  /** Its blocks, in the order of its tokens. */
  table: number[];
  tokens: number;
}

/**
 * Blocks 0 to `blocks` - 1, each with room for `blockTokens` tokens of one sequence. A sequence takes a block when its first token
 * for it comes and gives all of them back when it leaves. The lowest free block is given first, so that the same calls always give
 * the same tables.
 */
export class BlockPool {
  readonly #sequences = new Map<number, Sequence>();
  readonly #taken: boolean[];
  /** No block below it is free. */
  #lowest = 0;
  #inUse = 0;

  /** Throws RangeError unless both are whole numbers, `blocks` at least 0 and `blockTokens` at least 1. */
  constructor(
    blocks: number,
    readonly blockTokens: number,
  ) {
    whole('blocks', blocks, 0);
    whole('blockTokens', blockTokens, 1);
    this.#taken = new Array<boolean>(blocks).fill(false);
  }

  get blocks(): number {
    return this.#taken.length;
  }

  get blocksInUse(): number {
    return this.#inUse;
  }

  get blocksFree(): number {
    return this.#taken.length - this.#inUse;
  }

  /** Ids of the sequences in the pool, in the order of their arrival. */
  get ids(): number[] {
    return [...this.#sequences.keys()];
  }

  /** Tokens of all sequences. */
  get tokens(): number {
    return [...this.#sequences.values()].reduce((sum, { tokens }) => sum + tokens, 0);
  }

  has(id: number): boolean {
    return this.#sequences.has(id);
  }

  /** Tokens of one sequence. Throws RangeError where it is not in the pool. */
  tokensOf(id: number): number {
    return this.#sequence(id).tokens;
  }

  /** The block table of one sequence: block numbers in the order of its tokens. Throws RangeError where it is not in the pool. */
  tableOf(id: number): readonly number[] {
    return this.#sequence(id).table;
  }

  /** Where token `index` of a sequence is. Throws RangeError where the sequence has no such token. */
  place(id: number, index: number): { block: number; offset: number } {
    const { table, tokens } = this.#sequence(id);
    const block = index < tokens ? table[Math.floor(index / this.blockTokens)] : undefined;
    if (block === undefined)
      throw new RangeError(
        `Sequence ${String(id)} has ${String(tokens)} tokens, and no token ${String(index)}.`,
      );
    return { block, offset: index % this.blockTokens };
  }

  /** Blocks that `tokens` tokens of one new sequence take. */
  blocksFor(tokens: number): number {
    return Math.ceil(tokens / this.blockTokens);
  }

  /** Whether `append(id, tokens)` (or, of a sequence that is not there yet, `allocate`) would find its blocks free. */
  fits(id: number, tokens: number): boolean {
    return this.#missing(this.#sequences.get(id), tokens) <= this.blocksFree;
  }

  /**
   * A new sequence with `tokens` tokens (0 takes no block). Throws PoolFullError, and leaves the pool as it was, where blocks are
   * wanting; RangeError where the id is in the pool already or the tokens are no whole number.
   */
  allocate(id: number, tokens: number): readonly number[] {
    if (this.#sequences.has(id)) throw new RangeError(`Sequence ${String(id)} is in the pool already.`);
    const sequence = { table: [], tokens: 0 };
    this.#extend(sequence, tokens);
    this.#sequences.set(id, sequence);
    return sequence.table;
  }

  /** `tokens` more tokens of a sequence. Returns the blocks that it took for them. Throws as `allocate`, RangeError for an id it does not have. */
  append(id: number, tokens: number): readonly number[] {
    return this.#extend(this.#sequence(id), tokens);
  }

  /** The sequence leaves; its blocks are free. Throws RangeError where it is not in the pool. */
  free(id: number): void {
    for (const block of this.#sequence(id).table) {
      this.#taken[block] = false;
      this.#lowest = Math.min(this.#lowest, block);
      this.#inUse -= 1;
    }
    this.#sequences.delete(id);
  }

  /** Adds `blocks` free blocks behind the last one; the tables stay as they are. Throws RangeError for what is no whole number. */
  grow(blocks: number): void {
    whole('blocks', blocks, 0);
    for (let added = 0; added < blocks; added += 1) this.#taken.push(false);
  }

  #extend(sequence: Sequence, tokens: number): number[] {
    whole('tokens', tokens, 0);
    const missing = this.#missing(sequence, tokens);
    if (missing > this.blocksFree) throw new PoolFullError(missing, this.blocksFree);
    const taken = Array.from({ length: missing }, () => this.#take());
    sequence.table.push(...taken);
    sequence.tokens += tokens;
    return taken;
  }

  #missing(sequence: Sequence | undefined, tokens: number): number {
    if (!sequence) return this.blocksFor(tokens);
    return this.blocksFor(sequence.tokens + tokens) - sequence.table.length;
  }

  #take(): number {
    while (this.#taken[this.#lowest]) this.#lowest += 1;
    const block = this.#lowest;
    this.#taken[block] = true;
    this.#lowest += 1;
    this.#inUse += 1;
    return block;
  }

  #sequence(id: number): Sequence {
    const sequence = this.#sequences.get(id);
    if (!sequence) throw new RangeError(`Sequence ${String(id)} is not in the pool.`);
    return sequence;
  }
}

function whole(name: string, value: number, atLeast: number): void {
  if (!Number.isSafeInteger(value) || value < atLeast)
    throw new RangeError(
      `${name} is ${String(value)}; it has to be a whole number of at least ${String(atLeast)}.`,
    );
}
