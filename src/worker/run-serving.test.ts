/** A serving in arrays: what is found in the pools, what is told, and how it stops. */
import { describe, expect, it } from 'vitest';
import { arrayPlace, MIXED, type PoolPlace } from './pool-memory';
import { runServing } from './run-serving';
import { checkOf, collect, fakeRuntime, pass } from './testing.fixture';
import type { Report } from '../protocol/messages';
import type { ServingState } from '../protocol/serving';

const STATE: ServingState = { lengths: 'alpaca', requests: 30, pool: 1024, longest: 512 };
const serving = (state: Partial<ServingState> = {}, bytesPerToken = 8) =>
  pass({ kind: 'serving', state: { ...STATE, ...state }, bytesPerToken });

const noRuntime = { loadRuntime: () => Promise.reject(new Error('a serving needs no runtime')) };
const { runtime } = fakeRuntime();

function runsOf(reports: readonly Report[]) {
  const last = new Map(reports.flatMap((one) => (one.type === 'serving' ? [[one.run.system, one.run]] : [])));
  return [...last.values()];
}

describe('runServing', () => {
  it('serves with every system and finds in the pools what was placed', async () => {
    const reports = await collect([serving()], runtime, noRuntime);
    const runs = runsOf(reports);
    expect(runs.map(({ system }) => system)).toEqual([
      'reserve-max',
      'reserve-pow2',
      'reserve-oracle',
      'paged',
    ]);
    for (const { poolBytes, deviceBytes, samples, steps, stepsPlanned } of runs) {
      expect([poolBytes, deviceBytes]).toEqual([8192, { before: null, pool: null, after: null }]);
      expect(samples).toHaveLength(24);
      expect(steps).toBe(stepsPlanned);
      for (const { usedTokens, usedBytes, heldTokens, reservedTokens, wastedTokens } of samples) {
        expect(usedBytes).toBe(8 * usedTokens);
        expect(heldTokens).toBe(usedTokens + reservedTokens + wastedTokens);
      }
    }
    const checks = reports.flatMap((one) => (one.type === 'check' ? [one.check] : []));
    expect(checks.map(({ name, pass: passed }) => [name, passed])).toEqual(
      Array.from({ length: 4 }, () => ['serving-blocks', true]),
    );
    expect(reports.slice(-2).map(({ type }) => type)).toEqual(['pass-done', 'done']);
  });

  it('writes every token once, and only blocks make room by sending a request away', async () => {
    const runs = runsOf(await collect([serving()], runtime, noRuntime));
    const [max, pow2, oracle, paged] = runs;
    // All requests whole: the same rows in every system that sends none away.
    expect(new Set([max?.writtenTokens, pow2?.writtenTokens, oracle?.writtenTokens]).size).toBe(1);
    expect([max?.preemptions, pow2?.preemptions, oracle?.preemptions]).toEqual([0, 0, 0]);
    expect(paged?.writtenTokens).toBeGreaterThanOrEqual(max?.writtenTokens ?? Infinity);
    // 1,024 / 512.
    expect(max?.mostRunning).toBe(2);
  });

  it('stops at the next step when it is cancelled, and keeps what it found', async () => {
    const controller = new AbortController();
    const reports = await collect([serving()], runtime, {
      ...noRuntime,
      signal: controller.signal,
      environment: () => {
        // Heard at the first breath that the run takes.
        setTimeout(() => {
          controller.abort();
        });
        return { backend: 'wasm' } as never;
      },
    });
    const runs = runsOf(reports);
    expect(runs.map(({ system }) => system)).toEqual(['reserve-max']);
    expect(runs[0]?.steps).toBeLessThan(runs[0]?.stepsPlanned ?? 0);
    expect(reports.at(-1)).toEqual({ type: 'done', cancelled: true });
    expect(reports.some(({ type }) => type === 'check' || type === 'pass-done')).toBe(false);
  });

  it('fails its check, and tells where, when a row holds another request', async () => {
    const broken: PoolPlace = {
      ...arrayPlace,
      async make(size) {
        const memory = await arrayPlace.make(size);
        // Request 0 writes as if it were request 1.
        return {
          ...memory,
          write: (owner, span) => {
            memory.write(owner === 0 ? 1 : owner, span);
          },
        };
      },
    };
    const subject = serving();
    if (subject.work.kind !== 'serving') throw new Error('another work');
    const reports: Report[] = [];
    const deps = {
      gpu: { check: () => undefined } as never,
      ledger: {} as never,
      signal: new AbortController().signal,
    };
    const environment = () => ({}) as never;
    const open = () => Promise.resolve(broken);
    for await (const report of runServing(subject, subject.work, { ...deps, environment }, open))
      reports.push(report);
    const check = checkOf(reports, 'serving-blocks');
    expect(check?.pass).toBe(false);
    expect(check?.measured).toMatch(/rows differ; first row 0 at step \d+: request 2, expected 1/);
  });

  it('says so when there is no memory for a pool', async () => {
    const reports = await collect([serving({ pool: 1_000_000 }, 2 ** 40)], runtime, noRuntime);
    expect(reports.at(-1)).toMatchObject({ type: 'pass-failed', fault: { code: 'serving-no-memory' } });
  });
});

describe('arrayPlace', () => {
  it('tells whose a row is, an empty one and one of two minds', async () => {
    const pool = await arrayPlace.make({ rows: 5, rowBytes: 12 });
    pool.write(6, { start: 1, count: 2 });
    pool.write(0, { start: 4, count: 1 });
    pool.clear(6, { start: 2, count: 1 });
    expect([...(await pool.owners())]).toEqual([0, 7, 0, 0, 1]);
    expect(pool.bytes).toBe(60);
    expect(MIXED).toBe(4_294_967_295);
  });
});
