import { expect, it } from 'vitest';
import { PassInputs } from './pass-inputs';

const inputs = () => new PassInputs((values, dims) => ({ values, dims }));

it('lays tokens out row by row, and takes passes of any size after each other', () => {
  const made = inputs();
  expect(
    made.tokens([
      [1, 2],
      [3, 4],
    ]),
  ).toEqual({ values: BigInt64Array.of(1n, 2n, 3n, 4n), dims: [2, 2] });
  expect(made.tokens([[7]])).toEqual({ values: BigInt64Array.of(7n), dims: [1, 1] });
  expect(made.tokens([[8]])).toEqual({ values: BigInt64Array.of(8n), dims: [1, 1] });
});

it('gives as many ones as are asked for, in one memory', () => {
  const made = inputs();
  const first = made.allReal(2, 3);
  expect(first).toEqual({ values: new BigInt64Array(6).fill(1n), dims: [2, 3] });
  expect(made.allReal(1, 7)).toEqual({ values: new BigInt64Array(7).fill(1n), dims: [1, 7] });
  const [eight, nine] = [made.allReal(1, 8), made.allReal(1, 9)];
  expect(nine.values.buffer).toBe(eight.values.buffer);
  expect(nine.values).toHaveLength(9);
});

it('keeps the zeros of a padded batch', () => {
  expect(
    inputs().mask([
      [1, 1],
      [1, 0],
    ]),
  ).toEqual({ values: BigInt64Array.of(1n, 1n, 1n, 0n), dims: [2, 2] });
});

it('makes a scalar once', () => {
  const made = inputs();
  expect(made.scalar(1)).toEqual({ values: BigInt64Array.of(1n), dims: [] });
  expect(made.scalar(1)).toBe(made.scalar(1));
  expect(made.scalar(0).values).toEqual(BigInt64Array.of(0n));
});
