/** The integer inputs of forward passes. What is the same in many passes is made once and seen through views. */

/** @typeParam T The runtime's tensor. */
export class PassInputs<T> {
  /** As many ones as any pass had tokens. */
  private ones = new BigInt64Array(0);
  /** The tokens of the last decode step, written over by the next one. */
  private row = new BigInt64Array(0);
  private readonly counts = new Map<number, T>();

  /** @param make Makes an int64 tensor; it may only be used until the next pass. */
  constructor(private readonly make: (values: BigInt64Array, dims: number[]) => T) {}

  /** @param tokens [batch][tokens], all rows alike long. */
  tokens(tokens: readonly (readonly number[])[]): T {
    const batch = tokens.length;
    const length = tokens[0]?.length ?? 0;
    if (this.row.length !== batch * length) this.row = new BigInt64Array(batch * length);
    for (const [index, row] of tokens.entries()) {
      for (const [at, token] of row.entries()) this.row[index * length + at] = BigInt(token);
    }
    return this.make(this.row, [batch, length]);
  }

  /** An attention mask: [batch][past and new tokens] of 1 and 0. */
  mask(mask: readonly (readonly number[])[]): T {
    return this.make(BigInt64Array.from(mask.flat(), BigInt), [mask.length, mask[0]?.length ?? 0]);
  }

  /** An attention mask of real tokens alone. */
  allReal(batch: number, length: number): T {
    const size = batch * length;
    if (this.ones.length < size) this.ones = new BigInt64Array(Math.max(size, 2 * this.ones.length)).fill(1n);
    return this.make(this.ones.subarray(0, size), [batch, length]);
  }

  /** A scalar. */
  scalar(value: number): T {
    const known = this.counts.get(value);
    if (known !== undefined) return known;
    const made = this.make(BigInt64Array.of(BigInt(value)), []);
    this.counts.set(value, made);
    return made;
  }
}
