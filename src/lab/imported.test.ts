import { expect, it } from 'vitest';
import { trusted } from './imported';
import { redundancyRecord, sampleRedundancy, SAMPLE_PAIRS } from '../protocol/redundancy-record.fixture';
import { lengthRecord } from '../protocol/sample-record.fixture';
import { staticLengthRecord } from '../protocol/static-record.fixture';

it('does not take an edited file’s word for its ratio', () => {
  const record = lengthRecord();
  const cells = record.cells.map((cell, index) =>
    index === 0 ? { ...cell, tensorBytes: 5, ratio: 1 } : cell,
  );
  const shown = trusted({ ...record, cells });
  expect(shown.cells[0]?.ratio).not.toBe(1);
  expect(shown.checks.find(({ name }) => name === 'ratio')?.pass).toBe(false);
});

it('holds the used bytes of a preallocated cache against the formula', () => {
  expect(trusted(staticLengthRecord()).cells.map(({ ratio }) => ratio)).toEqual([1, 1]);
});

it('calls a run that was going on when it was saved interrupted', () => {
  expect(trusted({ ...lengthRecord(), status: 'running' }).status).toBe('interrupted');
});

it('does not take an edited file’s word for its means, savings and leak', () => {
  const honest = redundancyRecord();
  const same = trusted(honest).redundancy;
  expect({ ...same, pairs: [] }).toEqual({ ...honest.redundancy, pairs: [] });
  expect(same?.pairs.map(({ r2 }) => Number(r2.mean?.toFixed(12)))).toEqual([
    0.34, 0.29, 0.69, 0.6, 0.32, 0.22,
  ]);
  const pairs = structuredClone([...SAMPLE_PAIRS]);
  const [first] = pairs;
  if (first === undefined) throw new Error('the fixture has no pairs');
  first.r2.mean = 0.99;
  first.savedBits = 3;
  first.shuffled.perDocument = [0.2, -0.1, -0.1, -0.1];
  const edited = trusted(redundancyRecord({ pairs, savings: savingsOf(3) })).redundancy;
  expect(edited?.pairs[0]?.r2.mean).toBe(0.34);
  expect(edited?.pairs[0]?.savedBits).toBe(0.2997310352081357);
  expect(edited?.leak).toBe(true);
  expect(edited?.savings).toEqual(honest.redundancy?.savings);
  expect(
    trusted(redundancyRecord({ pairs })).checks.find(({ name }) => name === 'shuffled-control')?.pass,
  ).toBe(false);
});

it('does not take its word for who is adjacent, nor for the weights', () => {
  const pairs = structuredClone([...SAMPLE_PAIRS]).map((pair) => ({ ...pair, adjacent: !pair.adjacent }));
  const { savings } = sampleRedundancy();
  const record = redundancyRecord({ pairs, savings: savings && { ...savings, weightBytes: 5 } });
  const { redundancy } = trusted(record);
  expect(redundancy?.pairs.map(({ adjacent }) => adjacent)).toEqual([true, true, true, true, false, false]);
  expect(redundancy?.savings).toMatchObject({ weightBytes: 1976131072, weightsFrom: 'known' });
  if (record.recipe.redundancy === undefined) throw new Error('the fixture has no state');
  record.recipe.redundancy.weights = 4_500_000_000;
  expect(trusted(record).redundancy?.savings).toMatchObject({
    weightBytes: 4_500_000_000,
    weightsFrom: 'typed',
  });
});

/** The savings of the fixture with another number of bits. */
function savingsOf(savedBits: number) {
  const { savings } = sampleRedundancy();
  return savings && { ...savings, savedBits };
}
