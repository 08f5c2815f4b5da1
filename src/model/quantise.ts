/** Block-wise quantisation of a weight matrix into the layout of ONNX Runtime's MatMulNBits. */

export type WeightBits = 4 | 8;

/** Elements along the input dimension that share a scale: 32, as in the hub's q4 exports. */
const BLOCK_SIZE = 32;

/**
 * Rounds a matrix to `bits` per element, symmetric around MatMulNBits' default zero point 2^(bits - 1)
 * (ONNX Runtime, ContribOperators.md, MatMulNBits).
 * @param values [rows, columns], row by row.
 * @returns `packed` [columns, blocks, blockBytes], two elements a byte for 4 bits, the first in the low half; `scales`
 *   [columns x blocks]. A last block that the rows do not fill holds zeros there.
 */
export function quantiseBlocks(values: Float32Array, rows: number, columns: number, bits: WeightBits) {
  const blocks = Math.ceil(rows / BLOCK_SIZE);
  const blockBytes = (BLOCK_SIZE * bits) / 8;
  const zero = 2 ** (bits - 1);
  const scales = new Float32Array(columns * blocks);
  const packed = new Uint8Array(columns * blocks * blockBytes);
  for (let column = 0; column < columns; column++) {
    for (let block = 0; block < blocks; block++) {
      const at = column * blocks + block;
      const weight = (i: number): number => {
        const row = block * BLOCK_SIZE + i;
        return row < rows ? (values[row * columns + column] ?? 0) : 0;
      };
      let largest = 0;
      for (let i = 0; i < BLOCK_SIZE; i++) largest = Math.max(largest, Math.abs(weight(i)));
      const scale = largest / (zero - 1);
      scales[at] = scale;
      for (let i = 0; i < BLOCK_SIZE; i++) {
        const level = zero + (scale === 0 ? 0 : Math.round(weight(i) / scale));
        const byte = at * blockBytes + Math.floor((i * bits) / 8);
        packed[byte] = (packed[byte] ?? 0) | (bits === 4 && i % 2 === 1 ? level << 4 : level);
      }
    }
  }
  return { packed, scales, blocks, blockSize: BLOCK_SIZE, blockBytes };
}
