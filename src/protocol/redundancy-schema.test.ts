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
  const record = { ...redundancyRecord(), redundancy: null };
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

const [FIRST, SECOND] = SAMPLE_PAIRS;
const withFirst = (patch: object) => ({ pairs: [{ ...FIRST, ...patch }] });

it.each([
  [withFirst({ to: 3 }), 'redundancy.pairs.0.to', '3; a layer is not predicted from itself'],
  [withFirst({ from: 4 }), 'redundancy.pairs.0.from', '4, and the layers that were read are 3, 7, 11'],
  [{ pairs: [FIRST, SECOND, FIRST] }, 'redundancy.pairs.2.to', 'the second K of 3 → 7'],
  [
    withFirst({ r2: { mean: 0.3, min: 0.3, max: 0.3, perDocument: [0.3] } }),
    'redundancy.pairs.0.r2.perDocument',
    'a list of 1, and there are 4 documents',
  ],
  [
    withFirst({ lambda: [0.1, 0.1, 0.1] }),
    'redundancy.pairs.0.lambda',
    'a list of 3, and there are 4 documents',
  ],
  [withFirst({ lambda: [0.1, 7, 1, 1] }), 'redundancy.pairs.0.lambda.1', '7, which is not among lambdas'],
  [{ channels: [{ K: 512, V: 512 }] }, 'redundancy.channels', 'a list of 1, and there are 3 layers'],
  [
    { channels: Array(3).fill({ K: 0, V: 512 }) },
    'redundancy.channels.0.K',
    '0; a layer has at least 1 channel',
  ],
  [
    { channels: Array(3).fill({ K: 512, V: 0 }) },
    'redundancy.pairs.1.from',
    '3, a layer without channels of V',
  ],
  [{ model: 'tiny' }, 'redundancy.model', 'tiny, but the recipe has twin:Qwen/Qwen2.5-0.5B-Instruct'],
  [{ keep: 64 }, 'redundancy.keep', '64, but the recipe has 1536'],
  [{ split: 'halves' }, 'redundancy.split', 'halves, but the recipe has documents'],
  [withFirst({ r2: { ...FIRST?.r2, mean: 5 } }), 'redundancy.pairs.0.r2.mean', '5; an R² is at most 1'],
  [{ noiseFloor: -1 }, 'redundancy.noiseFloor', '-1; at least 0 is allowed'],
])('says what is impossible in %j', (patch, path, problem) => {
  const record = { ...redundancyRecord(), redundancy: { ...sampleRedundancy(), ...patch } };
  expect(refusalOf(record)).toBe(
    `This file is not a KV Cache Lab record: its field “${path}” is ${problem}.`,
  );
});
