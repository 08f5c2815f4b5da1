/** Files from outside: ours come back unchanged; foreign, damaged and newer ones are refused by the field’s name. */
import { describe, expect, it } from 'vitest';
import { LabError } from './faults';
import { growthRecord, lengthRecord } from './sample-record.fixture';
import { parseRecord, parseRecordText } from './schemas';

type Path = (string | number)[];

/** A copy of a good record with one field set (or removed, for undefined). */
function broken(path: Path, value: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(growthOrLength(path)));
  let at = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(at, last);
  else at[last] = value;
  return copy;
}

const growthOrLength = (path: Path) => (path[0] === 'growth' ? growthRecord() : lengthRecord());

function faultOf(read: () => unknown): LabError['fault'] {
  try {
    read();
  } catch (error) {
    if (error instanceof LabError) return error.fault;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('parseRecord', () => {
  it.each([['length', lengthRecord()] as const, ['growth', growthRecord()] as const])(
    'gives a %s record back unchanged',
    (_, record) => {
      expect(parseRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
    },
  );

  it('leaves unknown fields out', () => {
    const record = parseRecord({ ...lengthRecord(), colour: 'red' });
    expect(record).toEqual(lengthRecord());
  });

  const wrong: [path: Path, value: unknown, problem: string][] = [
    [['createdAt'], undefined, 'missing'],
    [['createdAt'], 'yesterday', '"yesterday", not'],
    [['cells', 3, 'tokens'], 'many', '"many", not number'],
    [['cells', 0, 'tensorBytes'], -1, '-1; at least 0 is allowed'],
    [['cells', 0, 'formulaBytes'], 0.5, '0.5, not'],
    [['cells', 0, 'formulaBytes'], 2 ** 53, '9007199254740992, not'],
    [['cells', 0, 'residentBytes'], undefined, 'missing'],
    [['cells', 3, 'fault', 'code'], 'invented', '"invented", not'],
    [['cells', 1, 'model'], 'x'.repeat(301), '301 long; at most 300 is allowed'],
    [
      ['cells'],
      Array.from({ length: 10_001 }, () => lengthRecord().cells[0]),
      '10001 long; at most 10000 is allowed',
    ],
    [['growth', 0, 'steps', 5, 'deltaTensor'], null, 'null, not number'],
    [['recipe', 'dtype', 0], 'q3', '"q3", not'],
    [['recipe', 'batch', 0], 0.5, '0.5, not'],
    [['recipe', 'dtype'], undefined, 'missing'],
    [['recipe'], { ...lengthRecord().recipe, dtype: [] }, 'no recipe (dtype: '],
    [['recipe'], { ...lengthRecord().recipe, shard: '5/4' }, 'no recipe (shard: '],
    [
      ['recipe'],
      { ...lengthRecord().recipe, batch: 65 },
      'no recipe (batch: use at most 8 whole numbers from 1 to 64, separated by commas)',
    ],
    [['recipe'], { ...lengthRecord().recipe, model: ['../../etc'] }, 'no recipe (model: '],
    [['url'], 'javascript:alert(1)', 'no web address'],
    [['environment', 'adapter', 'fallback'], 'no', '"no", not boolean'],
    [['status'], 'great', '"great", not'],
  ];
  it.each(wrong)('names the field %j', (path, value, problem) => {
    const fault = faultOf(() => parseRecord(broken(path, value)));
    expect(fault.code).toBe('record-foreign');
    expect(fault.params['field']).toBe(path.join('.'));
    expect(String(fault.params['problem'])).toContain(problem);
    expect(String(fault.params['problem']).length).toBeLessThan(200);
  });

  it.each<[unknown, string]>([
    [null, '(whole file)'],
    [[], '(whole file)'],
    ['text', '(whole file)'],
    [{}, 'schema'],
    [{ schema: 'speedscope/1' }, 'schema'],
    [{ schema: 1 }, 'schema'],
    [{ schema: 'kvlab.record/0' }, 'schema'],
    [{ schema: 'kvlab.record/1' }, 'createdAt'],
  ])('refuses the foreign file %j', (json, field) => {
    expect(faultOf(() => parseRecord(json))).toMatchObject({ code: 'record-foreign', params: { field } });
  });

  it('says that a newer record is newer, whatever else is in it', () => {
    expect(faultOf(() => parseRecord({ schema: 'kvlab.record/2' }))).toEqual({
      code: 'record-newer',
      params: { schema: 'kvlab.record/2', known: 'kvlab.record/1' },
    });
  });

  it('does not let a file set a prototype', () => {
    const text = JSON.stringify(lengthRecord()).replace('"limits":{', '"limits":{"__proto__":7,');
    expect(text).toContain('__proto__');
    const limits = parseRecordText(text).environment?.limits;
    expect(Object.getPrototypeOf(limits)).toBe(Object.prototype);
  });
});

describe('parseRecordText', () => {
  it('reads a file with and without a byte order mark', () => {
    const text = JSON.stringify(lengthRecord());
    expect(parseRecordText(text)).toEqual(lengthRecord());
    expect(parseRecordText(`\uFEFF${text}`)).toEqual(lengthRecord());
  });

  it.each(['', '<!doctype html>', '{"schema":', JSON.stringify(lengthRecord()).slice(0, -5)])(
    'refuses text that is no JSON',
    (text) => {
      expect(faultOf(() => parseRecordText(text)).code).toBe('record-not-json');
    },
  );

  it('refuses deep nesting without running out of stack', () => {
    expect(faultOf(() => parseRecordText('['.repeat(1_000_000))).code).toBe('record-not-json');
    const deep = `{"schema":"kvlab.record/1","createdAt":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(faultOf(() => parseRecordText(deep)).code).toBe('record-foreign');
  });

  it('refuses 20,000,001 bytes, also when they are fewer characters', () => {
    expect(faultOf(() => parseRecordText(' '.repeat(20_000_001)))).toEqual({
      code: 'record-too-large',
      params: { bytes: 20_000_001, limit: 20_000_000 },
    });
    expect(faultOf(() => parseRecordText('가'.repeat(7_000_000)))).toMatchObject({
      params: { bytes: 21_000_000 },
    });
  });
});
