/** Parts of a plan, and models from a hub, on the command line of `npm run verify` and in its exit code. */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/protocol/faults';
import type { LabRecord } from '../../src/protocol/record';
import { lengthRecord, sampleCell, skippedCell } from '../../src/protocol/sample-record.fixture';
import { judge } from './judge';
import { readVerifyOptions } from './verify-options';

describe('command line', () => {
  it.each([
    [['--shard', '2/4'], 'shard=2/4'],
    [['--shard', '2/4', '--recipe', '?tokens=8'], 'tokens=8&shard=2/4'],
    [['--shard', '2/4', '--recipe', 'shard=2/4&tokens=8'], 'shard=2/4&tokens=8'],
    [['--shard', '2/4', '--recipe', 'shard=2%2F4'], 'shard=2%2F4'],
    [['--recipe', 'shard=1/4'], 'shard=1/4'],
  ])('%j makes the query %s', (args, query) => {
    expect(readVerifyOptions(args).query).toBe(query);
  });

  it.each([
    [['--shard', '0/4'], 'no part such as 2/4'],
    [['--shard', '5/4'], 'no part such as 2/4'],
    [['--shard', '1/100'], 'no part such as 2/4'],
    [['--shard', '2'], 'no part such as 2/4'],
    [['--shard', '2/4', '--recipe', 'shard=1/4'], 'the recipe’s own shard=1/4'],
    [['--shard', '2/4', '--url', 'https://example.org/?shard=3/4'], 'the recipe’s own shard=3/4'],
    [['--shard', '2/4', '--recipe', '?tokens=8#r=1.AB'], 'the results of all'],
    [['--hub', 'http://example.org'], 'is no address of a model hub'],
    [['--hub', 'https://user:token@example.org'], 'is no address of a model hub'],
  ])('%j is refused: %s', (args, sentence) => {
    expect(() => readVerifyOptions(args)).toThrow(sentence);
  });

  it('downloads nothing unless told to, and from the page’s own hub unless told which', () => {
    expect(readVerifyOptions([])).toMatchObject({ download: false, hub: null, help: false });
    expect(readVerifyOptions(['--download', '--hub', 'https://mirror.example/hub/'])).toMatchObject({
      download: true,
      hub: 'https://mirror.example/hub',
    });
  });
});

describe('exit code', () => {
  const passed = lengthRecord();
  const part = (patch: Partial<LabRecord>): LabRecord => ({
    ...passed,
    recipe: { ...passed.recipe, shard: '2/2' },
    ...patch,
  });
  const failed = (fault: Fault): LabRecord => part({ status: 'failed', faults: [fault] });
  const nothing = { cells: [], models: [], checks: [] };

  it('0 for a part with nothing to do, or with what nobody can measure alone', () => {
    expect(judge(part(nothing), null)).toEqual({
      code: 0,
      sentences: ['Part 2/2 of the plan has nothing to measure.'],
    });
    expect(judge(part({ ...nothing, cells: [skippedCell()] }), null).code).toBe(0);
    expect(judge({ ...passed, ...nothing }, null).code).toBe(2);
  });

  it('2 for a part that could not measure what it had', () => {
    const lost: Fault = { code: 'device-lost', params: { detail: 'x' } };
    const cell = sampleCell({ tensorBytes: null, ratio: null, skipped: 'lost', fault: lost });
    expect(judge(part({ ...nothing, cells: [cell], faults: [lost] }), null).code).toBe(2);
    expect(judge({ ...failed(lost), ...nothing }, null).code).toBe(2);
  });

  it('0 beside a bfloat16 row, which no runtime can measure', () => {
    const fault: Fault = { code: 'bf16-unsupported', params: {} };
    const row = sampleCell({ dtype: 'bf16', tensorBytes: null, ratio: null, skipped: 'no', fault });
    expect(judge({ ...passed, cells: [...passed.cells, row] }, null).code).toBe(0);
  });

  it('2 for a download that was not allowed, and for a merged record that lacks parts', () => {
    const need: Fault = { code: 'download-needed', params: { bytes: 1_234_567 } };
    expect(judge({ ...failed(need), ...nothing }, null)).toMatchObject({
      code: 2,
      sentences: [expect.stringContaining('(1,234,567 bytes)')],
    });
    const lacking: Fault = { code: 'merge-missing', params: { missing: '3/4' } };
    expect(judge({ ...passed, status: 'failed', faults: [lacking] }, null)).toMatchObject({
      code: 2,
      sentences: [expect.stringContaining('missing of the plan: 3/4')],
    });
  });
});
