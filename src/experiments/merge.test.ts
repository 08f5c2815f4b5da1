/** Merging records: parts of a plan and several machines, with the article's numbers (golden/paper-tables.json). */
import { describe, expect, it } from 'vitest';
import { LabError } from '../protocol/faults';
import type { Recipe } from '../protocol/recipe';
import type { Cell, Check, Environment, LabRecord } from '../protocol/record';
import { redundancyRecord } from '../protocol/redundancy-record.fixture';
import { parseRecord } from '../protocol/schemas';
import { finishRecord } from './assemble';
import { mergeRecords } from './merge';
import {
  apply,
  begin,
  cellReport,
  GPT2,
  growthRecipe,
  growthReports,
  lengthRecipe,
  modelReport,
  QWEN,
  stepReport,
} from './testing.fixture';

const BOTH: Partial<Recipe> = { model: [QWEN, GPT2], tokens: [128, 512, 2048] };
const LINK = 'https://lab.example/?model=twin:Qwen/Qwen2.5-0.5B-Instruct&tokens=128,512,2048';

/** Part 1 of 2: Qwen at 128, and the cell that GPT-2 has no positions for. Part 2: all else. */
function parts(): [LabRecord, LabRecord] {
  return [
    part('1/2', QWEN, [[128, 3_145_728]]),
    part('2/2', QWEN, [
      [512, 12_582_912],
      [2048, 50_331_648],
    ]),
  ];
}

function part(shard: string, model: string, cells: [tokens: number, bytes: number][]): LabRecord {
  const { record, pass } = begin(lengthRecipe({ ...BOTH, shard: shard === '' ? '' : '1/1' }));
  const measured = apply(record, { ...pass, model }, [
    modelReport(model, model === QWEN ? 24_576 : 73_728, [`of part ${shard}`]),
    ...cells.map(([tokens, bytes]) => cellReport(tokens, bytes)),
  ]);
  const recipe: Recipe = { ...measured.recipe, shard };
  const link = `${LINK}&shard=${shard}&lang=ko`;
  return finishRecord({ ...measured, recipe, url: link, environment: machine({}) }, 'done');
}

function gpt2Part(shard: string): LabRecord {
  return part(shard, GPT2, [
    [128, 9_437_184],
    [512, 37_748_736],
  ]);
}

function machine(patch: Partial<Environment>): Environment {
  return {
    app: '0.1.0',
    commit: 'unknown',
    transformers: '4.3.2',
    onnxruntime: '1.31.0',
    browser: 'Chromium 156',
    os: 'Linux',
    backend: 'webgpu',
    adapter: { vendor: 'nvidia', architecture: 'hopper', device: '', description: '', fallback: false },
    features: [],
    limits: {},
    adapterLimits: {},
    allocator: 'bucket',
    crossOriginIsolated: true,
    threads: 2,
    ...patch,
  };
}

function rows(record: LabRecord): [string, number, number | null][] {
  return record.cells.map(({ model, tokens, tensorBytes }) => [model, tokens, tensorBytes]);
}

function named(record: LabRecord, name: Check['name']): Check[] {
  return record.checks.filter((check) => check.name === name);
}

function withBytes(record: LabRecord, tokens: number, tensorBytes: number): LabRecord {
  const change = (cell: Cell): Cell => (cell.tokens === tokens ? { ...cell, tensorBytes } : cell);
  return { ...record, cells: record.cells.map(change) };
}

function faultOf(action: () => unknown): LabError['fault'] {
  try {
    action();
  } catch (error) {
    if (error instanceof LabError) return error.fault;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('parts of a plan', () => {
  const [one, two] = parts();
  const three = gpt2Part('2/2');

  it('become one table in its order, with the cell that nobody can measure', () => {
    const merged = mergeRecords([three, two, one]);
    expect(rows(merged)).toEqual([
      [QWEN, 128, 3_145_728],
      [QWEN, 512, 12_582_912],
      [QWEN, 2048, 50_331_648],
      [GPT2, 128, 9_437_184],
      [GPT2, 512, 37_748_736],
      [GPT2, 2048, null],
    ]);
    expect(merged.models.map(({ id }) => id)).toEqual([QWEN, GPT2]);
    expect(merged).toMatchObject({ status: 'done', faults: [], recipe: { shard: '' } });
    expect(merged.checks.filter((check) => !check.pass)).toEqual([]);
    expect(named(merged, 'ratio').map((check) => [check.model, check.detail])).toEqual([
      [QWEN, '3 of 3 sizes are equal to the byte'],
      [GPT2, '2 of 2 sizes are equal to the byte'],
    ]);
    // Nothing but a reason was there twice.
    expect(named(merged, 'merge-agrees')).toEqual([]);
  });

  it('give a record that a file can carry, with each part and a link to all of it', () => {
    const merged = mergeRecords([one, { ...two, createdAt: '2026-05-09T11:00:00.000Z' }]);
    expect(merged.createdAt).toBe('2026-05-09T11:00:00.000Z');
    expect(merged.url).toBe(`${LINK}&lang=ko`);
    expect(merged.parts?.map(({ shard, createdAt, points }) => [shard, createdAt, points])).toEqual([
      ['1/2', '2026-05-09T12:00:00.000Z', 2],
      ['2/2', '2026-05-09T11:00:00.000Z', 3],
    ]);
    expect(merged.models[0]?.notes).toEqual(['of part 1/2', 'of part 2/2']);
    expect(parseRecord(JSON.parse(JSON.stringify(merged)))).toEqual(merged);
  });

  it.each([
    ['https://a.example/?shard=1/2', 'https://a.example/'],
    ['https://a.example/?shard=1%2F2&tokens=8#x', 'https://a.example/?tokens=8#x'],
    ['https://a.example/?tokens=8&shard=1/2#x', 'https://a.example/?tokens=8#x'],
    ['https://a.example/?hashard=1', 'https://a.example/?hashard=1'],
    ['', ''],
  ])('lose the shard of the link %s', (url, whole) => {
    expect(
      mergeRecords([
        { ...one, url },
        { ...two, url },
      ]).url,
    ).toBe(whole);
  });

  it('that are missing are named, and the merged record fails until they are there', () => {
    const quarters = ['1/4', '2/4', '4/4'].map((shard, index) =>
      index === 0 ? part(shard, QWEN, [[128, 3_145_728]]) : gpt2Part(shard),
    );
    const incomplete = mergeRecords(quarters);
    expect(incomplete).toMatchObject({
      status: 'failed',
      faults: [{ code: 'merge-missing', params: { missing: '3/4' } }],
    });
    const whole = mergeRecords([incomplete, part('3/4', QWEN, [[512, 12_582_912]])]);
    expect(whole).toMatchObject({ status: 'done', faults: [] });
    expect(whole.parts?.map(({ shard }) => shard)).toEqual(['1/4', '2/4', '4/4', '3/4']);
    expect(rows(whole)).toHaveLength(5);
  });

  it('of two ways to share it out do not add up', () => {
    const mixed = mergeRecords([part('1/2', QWEN, [[128, 3_145_728]]), gpt2Part('2/3'), gpt2Part('3/3')]);
    expect(mixed.faults).toEqual([{ code: 'merge-missing', params: { missing: '2/2' } }]);
  });

  it('with nothing to do merge as well', () => {
    const empty = { ...part('2/2', QWEN, []), models: [], cells: [], environment: null };
    const merged = mergeRecords([empty, { ...one, cells: one.cells.slice(0, 1) }]);
    expect(merged).toMatchObject({ status: 'done', environment: { browser: 'Chromium 156' } });
    expect(rows(merged)).toEqual([[QWEN, 128, 3_145_728]]);
  });

  it.each(['cancelled', 'failed', 'interrupted'] as const)('one of which was %s make all so', (status) => {
    const fault = { code: 'device-lost', params: { detail: 'x' } } as const;
    const merged = mergeRecords([one, { ...two, status, faults: [fault] }]);
    expect(merged).toMatchObject({ status, faults: [fault] });
    // Still so when a part was missing as well and came later.
    const late = mergeRecords([
      { ...one, recipe: { ...one.recipe, shard: '1/3' } },
      { ...two, status },
    ]);
    expect(late.status).toBe(status);
    expect(mergeRecords([late, gpt2Part('3/3')]).status).toBe(status);
  });
});

describe('several machines', () => {
  const whole = part('', QWEN, [
    [128, 3_145_728],
    [512, 12_582_912],
  ]);

  it('agree where they measured the same', () => {
    const merged = mergeRecords([whole, whole]);
    expect(named(merged, 'merge-agrees')).toMatchObject([
      { pass: true, model: null, measured: '2 points in two or more records, all the same' },
    ]);
    expect(rows(merged).slice(0, 2)).toEqual(rows(whole).slice(0, 2));
  });

  it('are caught when they do not, also after one more merge', () => {
    const odd = withBytes(whole, 512, 12_582_908);
    const merged = mergeRecords([whole, odd]);
    const failed = { pass: false, measured: `1 of 2 points differ; first ${QWEN} at 512 tokens` };
    expect(named(merged, 'merge-agrees')).toMatchObject([failed]);
    const again = mergeRecords([merged, whole]);
    expect(named(again, 'merge-agrees').filter((check) => !check.pass)).toMatchObject([failed]);
  });

  it('measure what another had to skip', () => {
    const lost: Cell = {
      ...(whole.cells[1] as Cell),
      tensorBytes: null,
      ratio: null,
      skipped: 'lost',
      fault: { code: 'device-lost', params: { detail: 'x' } },
    };
    const other = { ...whole, cells: [whole.cells[0] as Cell, lost] };
    expect(rows(mergeRecords([other, whole]))[1]).toEqual([QWEN, 512, 12_582_912]);
    expect(named(mergeRecords([other, whole]), 'merge-agrees')[0]?.measured).toContain('1 points');
  });

  it('keep their environments, and the record says that there are several', () => {
    const soft = machine({
      adapter: { vendor: 'google', architecture: 'swiftshader', device: '', description: '', fallback: true },
    });
    const wasm = machine({ backend: 'wasm', adapter: null });
    const on = (environment: Environment): LabRecord => ({ ...whole, environment });
    const merged = mergeRecords([on(wasm), whole, on(soft)]);
    // Its badge says that times mean nothing, so it must not be hidden behind another.
    expect(merged.environment).toEqual(soft);
    expect(mergeRecords([on(wasm), whole]).environment).toEqual(machine({}));
    expect(merged.parts?.map(({ environment }) => environment)).toEqual([wasm, machine({}), soft]);
    expect(merged.models[0]?.notes.at(-1)).toContain('3 different environments');
    expect(mergeRecords([whole, whole]).models[0]?.notes).toEqual(['of part ']);
  });
});

it('of two growths the longer stands, and prompt and steps are compared', () => {
  const grown = (count: number, last = 0): LabRecord => {
    const { record, pass } = begin(growthRecipe({ steps: 4 }));
    const reports = growthReports(count);
    const end = last === 0 ? [] : [stepReport(7 + count, last)];
    return finishRecord(apply(record, pass, [modelReport(QWEN, 24_576), ...reports, ...end]), 'cancelled');
  };
  const merged = mergeRecords([grown(2), grown(4), grown(3)]);
  expect(merged.growth).toHaveLength(1);
  expect(merged.growth[0]).toMatchObject({ interrupted: null, steps: { length: 4 } });
  expect(named(merged, 'merge-agrees')[0]?.measured).toBe('4 points in two or more records, all the same');
  expect(named(mergeRecords([grown(4), grown(2, 221_180)]), 'merge-agrees')[0]).toMatchObject({
    pass: false,
    measured: `1 of 4 points differ; first ${QWEN} at 9 tokens`,
  });
});

it('keeps a check of a model once, and the failing one of two', () => {
  const [one, two] = parts();
  const check = (pass: boolean): Check => ({
    ...{ name: 'released', model: QWEN, pass, expected: '0 bytes', measured: pass ? '0' : '5', detail: '' },
  });
  const merged = mergeRecords([
    { ...one, checks: [check(true)] },
    { ...two, checks: [check(false), check(true)] },
  ]);
  expect(named(merged, 'released')).toEqual([check(false)]);
});

describe('what does not belong together', () => {
  const [one, two] = parts();

  it('one record alone', () => {
    expect(faultOf(() => mergeRecords([one])).code).toBe('merge-too-few');
  });

  it('other recipes, by file and option; the language does not count', () => {
    const recipe: Recipe = { ...two.recipe, tokens: [128, 512], lang: 'ko' };
    const other: LabRecord = { ...two, recipe };
    expect(faultOf(() => mergeRecords([one, two, other], ['a.json', 'b.json', 'c.json']))).toEqual({
      code: 'merge-recipes',
      params: {
        ...{ first: 'a.json', second: 'c.json', option: 'tokens' },
        ...{ expected: '128, 512, 2048', found: '128, 512' },
      },
    });
    expect(mergeRecords([one, { ...two, recipe: { ...two.recipe, lang: 'ko' } }]).status).toBe('done');
  });

  it('another model under the same id', () => {
    const [model] = two.models;
    const other = { ...two, models: model ? [{ ...model, revision: 'another' }] : [] };
    expect(faultOf(() => mergeRecords([one, other]))).toMatchObject({
      code: 'merge-models',
      params: { model: QWEN, field: 'revision', second: 'record 2' },
    });
  });
});

it('refuses a redundancy, whose documents belong together, by name', () => {
  const record = redundancyRecord();
  expect(() => mergeRecords([record, record], ['a.json', 'b.json'])).toThrow(
    'a.json is a record of the experiment redundancy, which is worked out as a whole and cannot be merged. Compare such records instead.',
  );
});
