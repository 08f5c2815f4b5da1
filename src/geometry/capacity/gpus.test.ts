import { describe, expect, it } from 'vitest';
import { findGpu, GPUS, readMemory } from './gpus';

describe('GPUS', () => {
  it('counts 80 GiB as the second article does', () => {
    expect(findGpu('a100-80')?.bytes).toBe(85_899_345_920);
    expect(findGpu('h100-80')?.bytes).toBe(85_899_345_920);
  });

  it('knows what drivers report', () => {
    // nvidia-smi: 143771MiB, 81559MiB.
    expect(findGpu('h200')?.reportedBytes).toBe(150_754_820_096);
    expect(findGpu('h100-80')?.reportedBytes).toBe(85_520_809_984);
  });

  it('has each id once, whole GiB, and a source for each', () => {
    expect(new Set(GPUS.map(({ id }) => id)).size).toBe(GPUS.length);
    expect(GPUS.filter(({ bytes, source }) => bytes % 1_073_741_824 !== 0 || source === '')).toEqual([]);
  });

  it('knows no others', () => {
    expect(findGpu('abacus')).toBeNull();
  });
});

describe('readMemory', () => {
  it.each([
    ['80 GiB', 85_899_345_920],
    ['80', 85_899_345_920],
    ['80GB', 80_000_000_000],
    ['85,899,345,920', 85_899_345_920],
    ['85899345920 bytes', 85_899_345_920],
    ['81559 MiB', 85_520_809_984],
    ['0.5 TiB', 549_755_813_888],
  ])('reads %s', (text, bytes) => {
    expect(readMemory(text)).toBe(bytes);
  });

  it.each(['', 'much', '-80', '0', '80 GiB of it', '1e400'])('refuses “%s”', (text) => {
    expect(() => readMemory(text)).toThrow(RangeError);
  });
});
