/** Upgrade chains: every step is taken in order, and a gap is found before any file is read. */
import { expect, it } from 'vitest';
import { upgradeChain } from './upgrade';

const append = (letter: string) => (value: unknown) => `${String(value)}${letter}`;

it('takes one step per version', () => {
  const upgrade = upgradeChain('test', 4, { 1: append('b'), 2: append('c'), 3: append('d') });
  expect(upgrade(1, 'a')).toBe('abcd');
  expect(upgrade(3, 'a')).toBe('ad');
  expect(upgrade(4, 'a')).toBe('a');
});

it('refuses a gap and a step past the current version', () => {
  expect(() => upgradeChain('test', 4, { 1: append('b'), 3: append('d') })).toThrow(
    'no upgrader from version 2',
  );
  expect(() => upgradeChain('test', 1, { 1: append('b') })).toThrow('upgrader from version 1');
});
