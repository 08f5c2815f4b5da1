/** The redundancy part of records from outside: read back unchanged, damage named by its path, old records without it read. */
import { expect, it } from 'vitest';
import { describeFault, LabError } from './faults';
import { redundancyRecord, sampleRedundancy, SAMPLE_PAIRS } from './redundancy-record.fixture';
import { lengthRecord } from './sample-record.fixture';
import { parseRecord } from './schemas';

const asFile = (record: object): unknown => JSON.parse(JSON.stringify(record));

function refusalOf(record: object): string {
  try {
    parseRecord(asFile(record));
  } catch (error) {
    if (error instanceof LabError) return describeFault(error.fault);
    throw error;
  }
  return 'nothing was refused';
}

it('gives a record of the experiment back unchanged', () => {
  expect(parseRecord(asFile(redundancyRecord()))).toEqual(redundancyRecord());
});

it('reads a run that was cut short before its first pair, and numbers that are not known', () => {
  const cut = redundancyRecord({ pairs: [], savings: null, noiseFloor: null });
  expect(parseRecord(asFile(cut))).toEqual(cut);
  const [first] = structuredClone([...SAMPLE_PAIRS]);
  if (first === undefined) throw new Error('the fixture has no pair');
  const unknown = { mean: null, min: null, max: null, perDocument: [null, null, null, null] };
  const blank = redundancyRecord({
    pairs: [
      {
        ...first,
        r2: unknown,
        savedBits: null,
        channelCorrelation: null,
        notes: [{ code: 'constant-target', count: 0 }],
      },
    ],
  });
  expect(parseRecord(asFile(blank))).toEqual(blank);
});

it('reads a record whose documents were too few to run', () => {
  const record = redundancyRecord();
  const recipe = {
    ...record.recipe,
    redundancy: { ...record.recipe.redundancy, documents: ['model-card'] },
  };
  expect(parseRecord(asFile({ ...record, recipe })).recipe.redundancy?.documents).toEqual(['model-card']);
});

it('reads records from before the experiment, with nothing in its place', () => {
  const { redundancy, ...old } = lengthRecord();
  expect(redundancy).toBeNull();
  expect(parseRecord(asFile(old))).toEqual(lengthRecord());
});

it.each([
  [
    { pairs: [{ ...SAMPLE_PAIRS[0], r2: { ...SAMPLE_PAIRS[0]?.r2, mean: 1.5 } }] },
    'redundancy.pairs.0.r2.mean',
  ],
  [{ pairs: [{ ...SAMPLE_PAIRS[0], kind: 'Q' }] }, 'redundancy.pairs.0.kind'],
  [
    { pairs: [{ ...SAMPLE_PAIRS[0], notes: [{ code: 'odd', count: 1 }] }] },
    'redundancy.pairs.0.notes.0.code',
  ],
  [{ documents: [{ name: '../secret', tokens: 1, sha256: null }] }, 'redundancy.documents.0.name'],
  [{ documents: [{ name: 'model-card', tokens: 1, sha256: 'abc' }] }, 'redundancy.documents.0.sha256'],
  [{ noiseFloor: -1 }, 'redundancy.noiseFloor'],
  [{ leak: null }, 'redundancy.leak'],
])('names the field of %j', (patch, path) => {
  const record = { ...redundancyRecord(), redundancy: { ...sampleRedundancy(), ...patch } };
  expect(refusalOf(record)).toContain(`its field “${path}” is`);
});
