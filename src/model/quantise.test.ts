/** MatMulNBits' layout (ONNX Runtime, ContribOperators.md), checked by unpacking: column by column, blocks of 32 rows. */
import { describe, expect, it } from 'vitest';
import { quantiseBlocks, type WeightBits } from './quantise';

/** The matrix that MatMulNBits multiplies by, [rows][columns]: (level - 2^(bits-1)) x the block's scale. */
function unpack(
  { packed, scales, blocks, blockBytes }: ReturnType<typeof quantiseBlocks>,
  rows: number,
  columns: number,
  bits: WeightBits,
): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      const block = column * blocks + Math.floor(row / 32);
      const i = row % 32;
      const byte = packed[block * blockBytes + (bits === 4 ? i >> 1 : i)] ?? 0;
      const level = bits === 4 ? (i % 2 === 0 ? byte & 15 : byte >> 4) : byte;
      return (level - (bits === 4 ? 8 : 128)) * (scales[block] ?? 0);
    }),
  );
}

describe('quantiseBlocks', () => {
  it.each([
    [4, 16, 7],
    [8, 32, 127],
  ] as const)('%i bits: %i bytes a block, and every weight within half a level', (bits, bytes, levels) => {
    const [rows, columns] = [70, 5];
    // Any values without symmetry between rows and columns.
    const values = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(i * 1.7) * (1 + (i % 5)));
    const result = quantiseBlocks(values, rows, columns, bits);
    expect(result).toMatchObject({ blocks: 3, blockSize: 32, blockBytes: bytes });
    expect(result.packed).toHaveLength(columns * 3 * bytes);
    expect(result.scales).toHaveLength(columns * 3);
    const back = unpack(result, rows, columns, bits);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const error = Math.abs((back[row]?.[column] ?? NaN) - (values[row * columns + column] ?? NaN));
        // The largest weight of a column is below column + 1, so a level is at most (column + 1) / levels.
        expect(error).toBeLessThanOrEqual((column + 1) / levels / 2 + 1e-6);
      }
    }
  });

  it('packs the first of two elements into the low half, and fills up with the zero point', () => {
    const values = Float32Array.of(7, -7, 1);
    const { packed, scales } = quantiseBlocks(values, 3, 1, 4);
    expect([...scales]).toEqual([1]);
    expect([...packed]).toEqual([0x1f, 0x89, ...new Array<number>(14).fill(0x88)]);
  });

  it('keeps zeros zero', () => {
    const { packed, scales } = quantiseBlocks(new Float32Array(32), 32, 1, 8);
    expect([...scales]).toEqual([0]);
    expect(new Set(packed)).toEqual(new Set([128]));
  });
});
