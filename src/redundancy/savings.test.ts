/** The third article's arithmetic: its text, and shared/golden/paper-tables.json, 004_savings. */
import { describe, expect, it } from 'vitest';
import { leaks, meanSavedBits, savedBits, savingsOf, spreadOf } from './savings';

const MIB = 2 ** 20;
/** Qwen3.5-2B: 2 KV heads of 256 in each layer with full attention. */
const layers = (count: number) => Array.from({ length: count }, () => ({ K: 512, V: 512 }));

describe('savedBits', () => {
  it.each([
    [0.69, 0.845],
    [0.75, 1],
    [0.5, 0.5],
    [0, 0],
    [-0.3, 0],
  ])('R² %d is worth %d bits an element', (r2, bits) => {
    expect(savedBits(r2)).toBeCloseTo(bits, 3);
  });

  it('has no bound for R² 1, and none for an unknown one', () => {
    expect(savedBits(1)).toBeNull();
    expect(savedBits(null)).toBeNull();
  });
});

describe('savingsOf', () => {
  it('six layers at 32k: 12,288 bytes a token, 384 MiB, 96 MiB in 4 bits, of which 0.6 bits are 15 %: 14.4 MiB', () => {
    const found = savingsOf(layers(6), 32_768, 0.6);
    expect(found).toMatchObject({
      context: 32_768,
      savedBits: 0.6,
      bytesPerTokenF16: 12_288,
      cacheBytesF16: 384 * MIB,
      cacheBytes4Bit: 96 * MIB,
      share4Bit: 0.15,
      shareF16: 0.0375,
      savedBytes: 15_099_494,
    });
    expect(found.savedBytes / MIB).toBeCloseTo(14.4, 5);
  });

  it('ten layers: 640, 160 and 24 MiB', () => {
    const found = savingsOf(layers(10), 32_768, 0.6);
    expect([found.cacheBytesF16, found.cacheBytes4Bit].map((bytes) => bytes / MIB)).toEqual([640, 160]);
    expect(found.savedBytes / MIB).toBeCloseTo(24, 5);
  });

  it('counts layers of different widths', () => {
    const found = savingsOf([...layers(1), { K: 100, V: 28 }], 3, 1);
    expect(found).toMatchObject({ bytesPerTokenF16: 2304, cacheBytesF16: 6912, savedBytes: 432 });
  });
});

describe('meanSavedBits', () => {
  it('is over adjacent pairs whose bits are known', () => {
    const pairs = [
      { adjacent: true, savedBits: 0.2 },
      { adjacent: true, savedBits: 0.6 },
      { adjacent: true, savedBits: null },
      { adjacent: false, savedBits: 5 },
    ];
    expect(meanSavedBits(pairs)).toBeCloseTo(0.4, 12);
    expect(meanSavedBits(pairs.slice(2))).toBeNull();
  });
});

describe('spreadOf and leaks', () => {
  it('has mean and ends of what is known', () => {
    expect(spreadOf([0.5, null, -0.1, 0.2])).toEqual({
      mean: expect.closeTo(0.2, 12) as number,
      min: -0.1,
      max: 0.5,
      perDocument: [0.5, null, -0.1, 0.2],
    });
    expect(spreadOf([null])).toEqual({ mean: null, min: null, max: null, perDocument: [null] });
  });

  it.each([
    [[-0.2, -0.01], false],
    [[-0.2, 0], false],
    [[-0.2, 1e-10], false],
    [[-0.2, 1e-8], true],
    [[null, 0.3], true],
    [[null, null], false],
  ] as const)('shuffled R² %j: leak %s', (perDocument, leak) => {
    expect(leaks([{ shuffled: spreadOf([-1]) }, { shuffled: spreadOf([...perDocument]) }])).toBe(leak);
  });
});
