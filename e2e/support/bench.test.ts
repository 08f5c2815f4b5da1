/** The bench's own arithmetic: medians, turns, gathering of cases, and the Markdown that is made of them. */
import { describe, expect, it } from 'vitest';
import { markdown } from '../bench/report';
import { inTurns, median, rowOf } from '../bench/repeat';
import { runCases } from '../bench/run-cases';
import type { BenchCase, BenchContext, CaseResult } from '../bench/types';

const CONTEXT: BenchContext = {
  log: () => undefined,
  dataFolder: '/nowhere',
  quick: false,
  openPage: () => Promise.reject(new Error('no page in this test')),
  openProduct: () => Promise.reject(new Error('no product in this test')),
};
const RESULT: CaseResult = {
  rows: [rowOf('ours: seconds', 's', [3, 1, 2])],
  ratios: [{ name: 'oursOverTheirs', value: 0.51234, meaning: 'our seconds / theirs' }],
  goals: [{ what: 'our seconds', goal: 'under 60', met: true }],
  checks: [{ name: 'same results', pass: false, detail: 'apart by 0.1' }],
  notMeasured: [{ what: 'memory', why: 'no /proc' }],
  notes: ['Seen on a quiet day.'],
};
const fine: BenchCase = { id: 'fine', title: 'A fine case', run: () => Promise.resolve(RESULT) };
const broken: BenchCase = {
  id: 'broken',
  title: 'A case without a chance',
  run: () => Promise.reject(new Error('There is no Chromium.\nCall log: …')),
};

describe('runs', () => {
  it('have a median: the middle one, or the mean of the two in the middle', () => {
    expect(median([5, 1, 9])).toBe(5);
    expect(median([4, 1, 9, 2])).toBe(3);
    expect(() => median([])).toThrow('no median of no values');
  });

  it('take turns, five times, but those over 20 seconds once', async () => {
    const order: string[] = [];
    const side = (name: string, seconds: number) => () => {
      order.push(name);
      return Promise.resolve(seconds);
    };
    const runs = await inTurns([side('short', 2), side('long', 21), side('also short', 20)]);
    expect(runs).toEqual([[2, 2, 2, 2, 2], [21], [20, 20, 20, 20, 20]]);
    expect(order.slice(0, 5)).toEqual(['short', 'long', 'also short', 'short', 'also short']);
  });
});

describe('cases', () => {
  it('are gathered with their ids; one that cannot run or was not asked for is named with the reason', async () => {
    const found = await runCases([fine, broken], null, CONTEXT);
    expect(found.ratios).toEqual({ oursOverTheirs: 0.51234 });
    expect(found.rows).toEqual([
      { case: 'fine', what: 'ours: seconds', value: 2, unit: 's', runs: [3, 1, 2] },
    ]);
    expect(found.notMeasured).toEqual([
      { case: 'fine', what: 'memory', why: 'no /proc' },
      { case: 'broken', what: 'A case without a chance', why: 'There is no Chromium.' },
    ]);
    expect((await runCases([fine, broken], ['broken'], CONTEXT)).notMeasured[0]).toEqual({
      case: 'fine',
      what: 'A fine case',
      why: 'not asked for (--only)',
    });
  });

  it('become Markdown: ratios, goals, failed checks, what was not measured, all runs', async () => {
    const text = markdown({
      machine: {
        cpu: 'A processor',
        cores: 2,
        memoryBytes: 8 * 2 ** 30,
        os: 'Linux 6.1',
        node: 'v20.20.2',
        chromium: '156.0',
        adapter: null,
        python: null,
        loadBefore: 1.5,
      },
      at: '2026-11-30T18:00:00.000Z',
      commit: '0123456789abcdef+',
      ...(await runCases([fine], null, CONTEXT)),
    });
    expect(text).toContain('commit 0123456789ab+. A processor, 2 cores, 8.0 GiB; Linux 6.1;');
    expect(text).toContain('WebGPU adapter: none; no NumPy; load average before: 1.50.');
    expect(text).toContain('The machine was busy with other work');
    expect(text).toContain('| oursOverTheirs | 0.512 | our seconds / theirs |');
    expect(text).toContain('| fine | our seconds | under 60 | yes |');
    expect(text).toContain('| fine | same results | NO | apart by 0.1 |');
    expect(text).toContain('- fine, memory: not measured: no /proc');
    expect(text).toContain('| fine | ours: seconds | s | 2 | 3; 1; 2 |');
    expect(text).toContain('- fine: Seen on a quiet day.');
  });
});
