/** The buddy allocator: places worked out by hand. */
import { describe, expect, it } from 'vitest';
import { BuddyAllocator } from './buddy';

describe('BuddyAllocator', () => {
  it('rounds up to a power of two and cuts the lowest half', () => {
    const pool = new BuddyAllocator(16);
    expect(pool.allocate(3)).toEqual({ start: 0, count: 4 });
    expect(pool.allocate(5)).toEqual({ start: 8, count: 8 });
    expect(pool.allocate(4)).toEqual({ start: 4, count: 4 });
    expect(pool.allocate(1)).toBeNull();
  });

  it('takes the smallest free range that is enough', () => {
    const pool = new BuddyAllocator(16);
    pool.allocate(2); // 0 to 1; 2 to 3, 4 to 7 and 8 to 15 stay free.
    expect(pool.allocate(4)).toEqual({ start: 4, count: 4 });
    expect(pool.allocate(1)).toEqual({ start: 2, count: 1 });
  });

  it('joins buddies again, and only buddies', () => {
    const pool = new BuddyAllocator(8);
    for (let at = 0; at < 4; at++) pool.allocate(2);
    pool.free(2);
    pool.free(4);
    // 2 to 5 is free, and no range of 4 is: its halves have other buddies.
    expect(pool.allocate(4)).toBeNull();
    pool.free(0);
    expect(pool.allocate(4)).toEqual({ start: 0, count: 4 });
    pool.free(6);
    pool.free(0);
    expect(pool.allocate(8)).toEqual({ start: 0, count: 8 });
  });

  it('makes a pool of another size of the powers of two in it', () => {
    // 15,728 = 8192 + 4096 + 2048 + 1024 + 256 + 64 + 32 + 16: seven requests of 2,048, as in the paper's Figure 13a.
    const pool = new BuddyAllocator(15_728);
    const starts = Array.from({ length: 8 }, () => pool.allocate(2048)?.start);
    expect(starts).toEqual([12_288, 8192, 10_240, 0, 2048, 4096, 6144, undefined]);
    expect(pool.allocate(1000)).toEqual({ start: 14_336, count: 1024 });
  });

  it('refuses what it did not hand out', () => {
    const pool = new BuddyAllocator(4);
    pool.allocate(2);
    expect(() => {
      pool.free(2);
    }).toThrow('no range begins at row 2');
    expect(() => new BuddyAllocator(0)).toThrow('a pool of 0 rows');
  });
});
