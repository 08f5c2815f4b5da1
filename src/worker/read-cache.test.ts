/** From a cache tensor to rows: which number lands where, whatever holds the bits. */
import { describe, expect, it } from 'vitest';
import { toRows } from './read-cache';

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

describe('toRows', () => {
  it('puts the heads of a token beside each other, without the first tokens', () => {
    // [1, 2 heads, 3 tokens, 2]: head x 100 + token x 10 + d.
    const values = Float32Array.of(0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121);
    const { channels, values: rows } = toRows(bytesOf(values), { type: 'float32', dims: [1, 2, 3, 2] }, 1);
    expect(channels).toBe(4);
    expect([...rows]).toEqual([10, 11, 110, 111, 20, 21, 120, 121]);
  });

  it('reads float16 by its bits, whichever array a browser holds them in', () => {
    // Field report C2: 0x3C00 is 1, 0xC000 is -2; 0x7C00 is infinity, 0x0001 the smallest number above 0.
    const halves = Uint16Array.of(0x3c00, 0xc000, 0x7c00, 0x0001);
    const { values } = toRows(bytesOf(halves), { type: 'float16', dims: [1, 1, 2, 2] }, 0);
    expect([...values]).toEqual([1, -2, Infinity, 2 ** -24]);
    const offset = Uint16Array.of(0, 0x3c00, 0xc000).subarray(1);
    expect([...toRows(bytesOf(offset), { type: 'float16', dims: [1, 1, 1, 2] }, 0).values]).toEqual([1, -2]);
  });

  it('keeps NaN what it is', () => {
    const { values } = toRows(bytesOf(Uint16Array.of(0x7e00)), { type: 'float16', dims: [1, 1, 1, 1] }, 0);
    expect(values[0]).toBeNaN();
  });

  it('refuses an element type that is no float of its own, by name', () => {
    expect(() => toRows(new Uint8Array(4), { type: 'int8', dims: [1, 1, 2, 2] }, 0)).toThrow('int8');
  });

  it('gives nothing where all tokens are skipped', () => {
    const values = Float32Array.of(1, 2);
    expect(toRows(bytesOf(values), { type: 'float32', dims: [1, 1, 2, 1] }, 2).values).toHaveLength(0);
  });
});
