/** R² in links and files: they travel with four decimals, old links are read, comparison has a tolerance, settings and texts are told apart. */
import { describe, expect, it } from 'vitest';
import { redundancyRecord, sampleRedundancy, SAMPLE_PAIRS } from '../protocol/redundancy-record.fixture';
import type { LabRecord } from '../protocol/record';
import { lengthRecord } from '../protocol/sample-record.fixture';
import type { PairResult } from '../redundancy/types';
import { compareMany } from './compare-many';
import { compareResults, expectedFromRecord } from './compare';
import { deflateText } from './deflate';
import { decodeResults, encodeResults, LINK_LIMIT, resultsLink } from './link';
import { sameR2 } from './redundancy-results';

/** The record with its first pair's K mean moved. */
function moved(by: number, of: 'r2' | 'shuffled' = 'r2'): LabRecord {
  const pairs = structuredClone([...SAMPLE_PAIRS]);
  const first = pairs[0];
  if (first?.[of].mean === undefined || first[of].mean === null) throw new Error('no first pair');
  first[of].mean += by;
  return redundancyRecord({ pairs });
}

const throughLink = async (record: LabRecord) => await decodeResults(await encodeResults(record));

describe('a link', () => {
  it('carries settings, texts by their hash, and both means of each pair to four decimals', async () => {
    const record = moved(0.00004999);
    const { redundancy, cells } = await throughLink(record);
    expect(redundancy).toMatchObject({
      model: 'twin:Qwen/Qwen2.5-0.5B-Instruct',
      dtype: 'fp32',
      skip: 200,
      keep: 1536,
      split: 'documents',
      seed: 0,
      documents: [
        { name: 'korean-report', sha: 'aaaaaaaa' },
        { name: 'model-card', sha: 'bbbbbbbb' },
        { name: 'python-code', sha: 'cccccccc' },
        { name: 'own:notes', sha: null },
      ],
    });
    expect(redundancy?.pairs).toEqual([
      { from: 3, to: 7, kind: 'K', adjacent: true, r2: 0.34, shuffled: -0.1 },
      { from: 3, to: 7, kind: 'V', adjacent: true, r2: 0.29, shuffled: -0.1 },
      { from: 7, to: 11, kind: 'K', adjacent: true, r2: 0.69, shuffled: -0.08 },
      { from: 7, to: 11, kind: 'V', adjacent: true, r2: 0.6, shuffled: -0.09 },
      { from: 3, to: 11, kind: 'K', adjacent: false, r2: 0.32, shuffled: -0.11 },
      { from: 3, to: 11, kind: 'V', adjacent: false, r2: 0.22, shuffled: -0.1 },
    ]);
    expect(cells.map(({ tensorBytes }) => tensorBytes)).toEqual([42663936]);
  });

  it('keeps what is not known, halves, and a perfect R² that was rounded up', async () => {
    const [first, second] = structuredClone([...SAMPLE_PAIRS]);
    if (first === undefined || second === undefined) throw new Error('the fixture has no pairs');
    first.r2 = { mean: null, min: null, max: null, perDocument: [null] };
    second.r2.mean = 1 + 1e-9;
    const { redundancy } = await throughLink(redundancyRecord({ split: 'halves', pairs: [first, second] }));
    expect(redundancy?.split).toBe('halves');
    expect(redundancy?.pairs.map(({ r2 }) => r2)).toEqual([null, 1]);
  });

  it('leaves out all pairs but neighbours where there is no room', async () => {
    // Every ordered pair of 24 layers, K and V, each with an R² of its own.
    const pairs = Array.from({ length: 24 }, (_, from) => from).flatMap((from) =>
      Array.from({ length: 24 }, (_, to) => to)
        .filter((to) => to !== from)
        .flatMap((to) =>
          (['K', 'V'] as const).map((kind): PairResult => {
            const mean = ((from * 31 + to * 17 + (kind === 'K' ? 7 : 3)) % 97) / 131;
            const base = SAMPLE_PAIRS[0];
            if (base === undefined) throw new Error('the fixture has no pairs');
            return { ...base, from, to, kind, adjacent: to === from + 1, r2: { ...base.r2, mean } };
          }),
        ),
    );
    const record = redundancyRecord({ pairs });
    const { url, complete } = await resultsLink('https://lab.example/', record);
    expect(complete).toBe(false);
    expect(url.length).toBeLessThanOrEqual(LINK_LIMIT);
    const sent = await decodeResults(new URL(url).hash);
    expect(sent.redundancy?.pairs).toHaveLength(46);
    expect(sent.redundancy?.pairs.every(({ from, to }) => to === from + 1)).toBe(true);
    expect(compareResults(sent, record).verdict).toBe('same');
  });

  it('from before the experiment is read, without R²', async () => {
    const old = `#r=1.${await deflateText(JSON.stringify({ c: [], g: [] }))}`;
    expect((await decodeResults(old)).redundancy).toBeNull();
    const record = lengthRecord();
    expect((await throughLink(record)).redundancy).toBeNull();
    expect(compareResults(expectedFromRecord(record), record).redundancy).toBeNull();
  });

  it.each([
    ['an R² over 1', [['tiny', 'fp32', 1, 16, 0, 0], [], [[0, 1, 0, 10_001, 0]]]],
    ['an unknown flag', [['tiny', 'fp32', 1, 16, 0, 0], [], [[0, 1, 4, 1, 0]]]],
    ['a document that is none', [['tiny', 'fp32', 1, 16, 0, 0], [['../x', null]], []]],
    ['a model that is none', [['../x', 'fp32', 1, 16, 0, 0], [], []]],
  ])('with %s is damaged', async (_, d) => {
    const hash = `#r=1.${await deflateText(JSON.stringify({ c: [], g: [], d }))}`;
    await expect(decodeResults(hash)).rejects.toThrow(/^The results in this link are damaged/);
  });
});

describe('the same R²', () => {
  it.each([
    [0.34, 0.345, true],
    [0.34, 0.3451, false],
    [-0.1, -0.105, true],
    [-0.1, -0.1051, false],
    // Far below -1 in proportion.
    [-2, -2.01, true],
    [-2, -2.011, false],
    [null, null, true],
    [null, 0, false],
    [0, null, false],
  ])('%j and %j: %j', (expected, here, same) => {
    expect(sameR2(expected, here)).toBe(same);
  });
});

describe('a comparison', () => {
  it('counts pairs within the tolerance as the same, and says how far they are apart', async () => {
    const { verdict, counts, redundancy } = compareResults(
      await throughLink(redundancyRecord()),
      moved(0.004),
    );
    expect(verdict).toBe('same');
    expect(counts).toEqual({ same: 7, different: 0, 'not-run': 0 });
    expect(redundancy?.tolerance).toBe(0.005);
    expect(redundancy?.largest).toBeCloseTo(0.004, 10);
    expect(redundancy?.pairs[0]?.outcome).toBe('same');
  });

  it.each(['r2', 'shuffled'] as const)('is different where %s is further apart', (of) => {
    const comparison = compareResults(expectedFromRecord(redundancyRecord()), moved(0.006, of));
    expect(comparison.verdict).toBe('different');
    expect(comparison.redundancy?.pairs.map(({ outcome }) => outcome)).toEqual([
      'different',
      ...Array<string>(5).fill('same'),
    ]);
  });

  it('is different by one byte of the cell, whatever the R²', () => {
    const here = redundancyRecord();
    const [cell] = here.cells;
    if (cell?.tensorBytes == null) throw new Error('the fixture has no cell');
    cell.tensorBytes += 1;
    expect(compareResults(expectedFromRecord(redundancyRecord()), here).verdict).toBe('different');
  });

  it('is incomplete while pairs are missing, and with other settings, which it names', () => {
    const expected = expectedFromRecord(redundancyRecord());
    const running = compareResults(expected, redundancyRecord({ pairs: SAMPLE_PAIRS.slice(0, 2) }));
    expect(running.verdict).toBe('incomplete');
    expect(running.redundancy?.pairs[2]).toMatchObject({ outcome: 'not-run', here: null });
    const other = compareResults(expected, redundancyRecord({ keep: 192 }));
    expect(other.redundancy).toMatchObject({ otherSettings: ['keep'], largest: null });
    expect(other.counts).toEqual({ same: 1, different: 0, 'not-run': 6 });
  });

  it('names texts that are others here; one without a hash counts as the same', () => {
    const documents = structuredClone(sampleRedundancy().documents);
    const [first, , , own] = documents;
    if (first === undefined || own === undefined) throw new Error('the fixture has no documents');
    first.sha256 = 'd'.repeat(64);
    own.sha256 = 'e'.repeat(64);
    const here = redundancyRecord({ documents });
    const { redundancy } = compareResults(expectedFromRecord(redundancyRecord()), here);
    expect(redundancy?.otherDocuments).toEqual(['korean-report']);
  });
});

describe('records side by side', () => {
  it('have one row a pair, compared within the tolerance', () => {
    const { pairs } = compareMany([redundancyRecord(), moved(0.004), lengthRecord()]);
    expect(pairs).toHaveLength(6);
    expect(pairs[0]).toMatchObject({
      from: 3,
      to: 7,
      kind: 'K',
      adjacent: true,
      keep: 1536,
      outcome: 'same',
    });
    expect(pairs[0]?.values[0]).toEqual({ r2: 0.34, shuffled: -0.1 });
    expect(pairs[0]?.values[2]).toBeNull();
    const three = compareMany([redundancyRecord(), moved(0.004), moved(0.008)]).pairs;
    expect(three.map(({ outcome }) => outcome)).toEqual(['different', ...Array<string>(5).fill('same')]);
  });

  it('of other settings are rows of their own', () => {
    const { pairs } = compareMany([redundancyRecord(), redundancyRecord({ split: 'halves' })]);
    expect(pairs).toHaveLength(12);
    expect(new Set(pairs.map(({ outcome }) => outcome))).toEqual(new Set(['single']));
  });

  it('without any pair has none', () => {
    expect(compareMany([lengthRecord(), lengthRecord()]).pairs).toEqual([]);
  });
});
