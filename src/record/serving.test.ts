/** A serving in files and links: every figure with what is simulated and what is real, and the tokens of the pools compared exactly. */
import { describe, expect, it } from 'vitest';
import type { LabRecord } from '../protocol/record';
import { parseRecordText } from '../protocol/schemas';
import { sampleServing, servingRecord } from '../protocol/serving-record.fixture';
import type { ServingRun } from '../protocol/serving';
import { compareResults, expectedFromRecord } from './compare';
import { compareMany } from './compare-many';
import { recordCsv, recordJson, recordMarkdown } from './export';
import { decodeResults, encodeResults, resultsLink } from './link';
import { servingSentence } from './serving-text';

/** The record with its runs changed. */
const withRuns = (change: (run: ServingRun) => ServingRun[]): LabRecord =>
  servingRecord({ runs: sampleServing().runs.flatMap(change) });
/** One token fewer in the blocks at the second moment. */
const strayed = (): LabRecord =>
  withRuns((run) => [
    run.system === 'paged'
      ? {
          ...run,
          samples: run.samples.map((one, at) =>
            at === 1 ? { ...one, usedTokens: one.usedTokens - 1 } : one,
          ),
        }
      : run,
  ]);

describe('a serving in files', () => {
  it('comes back from JSON whole', () => {
    const back = parseRecordText(recordJson(servingRecord()));
    expect([back.recipe, back.serving]).toEqual([servingRecord().recipe, servingRecord().serving]);
  });

  it('has a table in Markdown, the paper beside it, and says what is simulated and what is real', () => {
    const text = recordMarkdown(servingRecord());
    expect(text).toContain(
      'While requests wait, systems that reserve use 23.5 to 40.1 % of their pool, blocks of 16 tokens 95.4 %.',
    );
    expect(text).toContain(
      '| reserved, true length | 402,653,184 | 40.1 % | 38.2 % | 43.3 % | 21 | 4,536 | 0 | 0 | 402,702,336 | 0 |',
    );
    expect(text).toContain('| blocks (paged) | 402,653,184 | 95.4 % | 96.3 % | 98.1 % | 91 | 2,037 | 166 |');
    expect(text).toContain('- Simulated: the requests');
    expect(text).toContain('- Real: the pools are GPU buffers');
    expect(text).toContain(
      '200 requests with lengths of sharegpt (means drawn: prompt 188.5, output 297.5 tokens)',
    );
  });

  it('leaves the paper out where the lengths are not those of its figure', () => {
    const record = servingRecord();
    const serving = { lengths: 'alpaca', requests: 200, pool: 16_384, longest: 2048 } as const;
    const text = recordMarkdown({ ...record, recipe: { ...record.recipe, serving } });
    expect(text).toContain('| reserved, true length | 402,653,184 | 40.1 % | 43.3 % |');
    expect(text).not.toContain('paper');
  });

  it('says where a system was cut short, and what was not measured', () => {
    const text = recordMarkdown(
      withRuns((run) =>
        run.system === 'paged'
          ? [{ ...run, steps: 40, utilisation: null, deviceBytes: { before: null, pool: null, after: null } }]
          : [],
      ),
    );
    expect(text).toContain('cut short after step 40 of 2,037');
    expect(text).toContain('No pool was read while requests waited.');
    expect(text).toContain('| not measured | 96.3 % |');
  });

  it('has a line for a pool and one for each moment in CSV', () => {
    const [head = '', ...lines] = recordCsv(servingRecord()).trimEnd().split('\r\n');
    const columns = head.split(',');
    const value = (line: string, name: string) =>
      // A text may have commas.
      line.replace(/"[^"]*"/g, '').split(',')[columns.indexOf(name)];
    expect(lines).toHaveLength(16);
    const [pool = '', first = ''] = lines;
    expect(['kind', 'system', 'pool_bytes', 'step'].map((name) => value(pool, name))).toEqual([
      ...['pool', 'reserve-max', '402653184', '7739'],
    ]);
    expect(pool).toContain('Real: the pools are GPU buffers');
    const names = [
      'kind',
      'step',
      'used_tokens',
      'used_bytes',
      'held_tokens',
      'reserved_tokens',
      'wasted_tokens',
    ];
    expect(names.map((name) => value(first, name))).toEqual([
      ...['pool-sample', '806', '4199', '103194624', '16384', '1499', '10686'],
    ]);
  });

  it('tells one system alone in one number', () => {
    const [run] = sampleServing().runs;
    expect(servingSentence(sampleServing({ runs: run ? [run] : [] }))).toBe(
      'While requests wait, systems that reserve use 23.5 % of their pool.',
    );
  });
});

describe('a serving in a link', () => {
  it('comes back, and fits', async () => {
    const record = servingRecord();
    const back = await decodeResults(await encodeResults(record));
    expect(back.serving).toEqual(expectedFromRecord(record).serving);
    expect(back.serving?.pools[3]).toMatchObject({
      ...{ system: 'paged', poolBytes: 402_653_184, steps: 2037, utilisation: 0.9543 },
      used: [
        { step: 212, tokens: 15_270 },
        { step: 721, tokens: 16_000 },
        { step: 1994, tokens: 1256 },
      ],
    });
    expect((await resultsLink('https://lab.example/', record)).complete).toBe(true);
  });

  it('compares every pool by its tokens', () => {
    const expected = expectedFromRecord(servingRecord());
    const same = compareResults(expected, servingRecord());
    expect([same.verdict, same.counts]).toEqual(['same', { same: 4, different: 0, 'not-run': 0 }]);
    const other = compareResults(expected, strayed());
    expect([other.verdict, other.counts.different]).toEqual(['different', 1]);
    expect(other.serving?.pools[3]?.firstDifference).toEqual({ step: 721, expected: 16_000, here: 15_999 });
  });

  it('does not call a run that was cut short, or one of other settings, the same', () => {
    const expected = expectedFromRecord(servingRecord());
    const short = withRuns((run) => [{ ...run, steps: 900, samples: run.samples.slice(0, 1) }]);
    expect(compareResults(expected, short).counts).toEqual({ same: 0, different: 0, 'not-run': 4 });
    const record = servingRecord();
    const seed = compareResults(expected, { ...record, recipe: { ...record.recipe, seed: 1 } });
    expect([seed.verdict, seed.serving?.otherSettings]).toEqual(['incomplete', ['seed']]);
  });

  it('stands beside others, system by system', () => {
    const { pools } = compareMany([servingRecord(), strayed(), servingRecord()]);
    expect(pools.map(({ system, outcome }) => [system, outcome])).toEqual([
      ['reserve-max', 'same'],
      ['reserve-pow2', 'same'],
      ['reserve-oracle', 'same'],
      ['paged', 'different'],
    ]);
    expect(compareMany([servingRecord()]).pools[0]?.outcome).toBe('single');
  });
});
