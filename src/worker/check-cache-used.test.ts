import { expect, it } from 'vitest';
import { logitTolerance, relativeDifference } from './check-cache-used';
import { argmax } from './decode';

it('measures the largest difference against the largest value', () => {
  expect(relativeDifference(Float32Array.of(1, 2), Float32Array.of(1, 4))).toBe(0.5);
});

it('never takes NaN, a missing value or an all-zero reference for equal', () => {
  expect(relativeDifference(Float32Array.of(NaN, 1), Float32Array.of(1, 1))).toBe(Infinity);
  expect(relativeDifference(Float32Array.of(1), Float32Array.of(1, 1))).toBe(Infinity);
  expect(relativeDifference(Float32Array.of(0), Float32Array.of(0))).toBe(Infinity);
});

it('picks the first of the largest logits and refuses NaN', () => {
  expect(argmax(Float32Array.of(-3, -1, -1))).toBe(1);
  expect(() => argmax(Float32Array.of(0, NaN))).toThrow(/NaN/);
});

it('allows quantised weights more rounding than float16, and float16 more than float32', () => {
  expect(logitTolerance('fp32')).toBeLessThan(logitTolerance('fp16'));
  expect(logitTolerance('fp16')).toBeLessThan(logitTolerance('q4'));
  expect(logitTolerance('q4f16')).toBe(logitTolerance('q4'));
});
