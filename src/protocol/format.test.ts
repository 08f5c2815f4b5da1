/** Numbers as text: never rounded to equality, never divided by nothing. */
import { expect, it } from 'vitest';
import { formatBytes, formatInteger, formatRatio, formatSlack } from './format';

it('writes exact integers', () => {
  expect(formatInteger(9007199254740991)).toBe('9,007,199,254,740,991');
  expect(formatInteger(3145728, 'ko')).toBe('3,145,728');
});

it.each([
  [0, '0 bytes'],
  [1023, '1,023 bytes'],
  [2048, '2 KiB'],
  [24576, '24 KiB'],
  [-24576, '-24 KiB'],
  [3145728, '3 MiB'],
  [3170304, '3.02 MiB'],
  [1073741824, '1 GiB'],
])('writes %i bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each<[number, number, string | null]>([
  [3145728, 3145728, '1.0000'],
  [3145728, 6291456, '0.5000'],
  [12582913, 12582912, '1.0000001'],
  [9007199254740990, 9007199254740991, '0.9999999999999999'],
  [5, 0, null],
])('writes the ratio of %i to %i as %s', (tensor, formula, text) => {
  expect(formatRatio(tensor, formula)).toBe(text);
});

it('writes the slack', () => {
  expect(formatSlack(6291456, 3170304)).toBe('1.98×');
  expect(formatSlack(0, 0)).toBeNull();
});
