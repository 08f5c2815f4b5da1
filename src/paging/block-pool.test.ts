/** The block pool: literals worked out by hand. */
import { describe, expect, it } from 'vitest';
import { BlockPool, PoolFullError } from './block-pool';

describe('BlockPool', () => {
  it('takes a block when its first token comes, and not before', () => {
    const pool = new BlockPool(4, 16);
    expect(pool.allocate(7, 16)).toEqual([0]);
    expect(pool.append(7, 1)).toEqual([1]);
    expect(pool.append(7, 15)).toEqual([]);
    expect(pool.append(7, 0)).toEqual([]);
    expect([pool.tokensOf(7), pool.blocksInUse, pool.blocksFree]).toEqual([32, 2, 2]);
  });

  it('gives the lowest free block first, in the order of tokens', () => {
    const pool = new BlockPool(6, 4);
    pool.allocate(1, 5);
    pool.allocate(2, 4);
    pool.allocate(3, 8);
    pool.free(1);
    expect(pool.append(2, 9)).toEqual([0, 1, 5]);
    expect(pool.tableOf(2)).toEqual([2, 0, 1, 5]);
    expect(pool.ids).toEqual([2, 3]);
    expect(pool.tokens).toBe(21);
  });

  it('tells where a token is, and refuses one that is not there', () => {
    const pool = new BlockPool(3, 4);
    pool.allocate(1, 4);
    pool.allocate(2, 1);
    pool.append(1, 2);
    expect(pool.place(1, 3)).toEqual({ block: 0, offset: 3 });
    expect(pool.place(1, 5)).toEqual({ block: 2, offset: 1 });
    expect(() => pool.place(1, 6)).toThrow('Sequence 1 has 6 tokens, and no token 6.');
  });

  it('refuses what does not fit in words and gives nothing of it', () => {
    const pool = new BlockPool(2, 8);
    pool.allocate(1, 8);
    expect([pool.fits(1, 8), pool.fits(1, 9), pool.fits(2, 8), pool.fits(2, 9)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(() => pool.append(1, 9)).toThrow(PoolFullError);
    expect(() => pool.allocate(2, 17)).toThrow('The pool has 1 blocks free, and 3 more are needed.');
    expect([pool.tokensOf(1), pool.blocksInUse, pool.has(2)]).toEqual([8, 1, false]);
  });

  it('keeps the tables when it grows', () => {
    const pool = new BlockPool(1, 8);
    pool.allocate(1, 8);
    pool.grow(2);
    expect(pool.append(1, 8)).toEqual([1]);
    expect([pool.tableOf(1), pool.blocks, pool.blocksFree]).toEqual([[0, 1], 3, 1]);
  });

  it.each([
    ['an id twice', (pool: BlockPool) => pool.allocate(1, 1), 'Sequence 1 is in the pool already.'],
    ['an unknown id', (pool: BlockPool) => pool.append(2, 1), 'Sequence 2 is not in the pool.'],
    ['a sequence that has left', leaveTwice, 'Sequence 1 is not in the pool.'],
    [
      'half a token',
      (pool: BlockPool) => pool.append(1, 0.5),
      'tokens is 0.5; it has to be a whole number of at least 0.',
    ],
  ])('refuses %s', (_, call, message) => {
    const pool = new BlockPool(4, 4);
    pool.allocate(1, 1);
    expect(() => {
      call(pool);
    }).toThrow(message);
  });

  it('refuses blocks of no tokens', () => {
    expect(() => new BlockPool(4, 0)).toThrow('blockTokens is 0; it has to be a whole number of at least 1.');
  });
});

function leaveTwice(pool: BlockPool): void {
  pool.free(1);
  pool.free(1);
}
