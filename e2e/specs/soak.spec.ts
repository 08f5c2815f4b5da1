/** Nothing leaks and every loss is recovered from: a short soak, and a device destroyed in each phase (issue 6, field report E12). */
import { expect, gpuTest as test } from '../support/fixtures';
import { judgeRun } from '../soak/judge-run';
import { controlQuery, planSoak, type SoakRun } from '../soak/plan';
import { problemsOf } from '../soak/report';
import { runSoak } from '../soak/run-soak';
import { SoakSession } from '../soak/session';
import type { Moment } from '../soak/worker-mock';

/** Seed of a plan of twelve runs with most kinds in it. */
const SEED = 1;

test('twelve runs of the soak in one page: right bytes, no worker, no chart and no device byte is left', async ({
  page,
  browser,
  watch,
  baseURL,
}) => {
  test.setTimeout(600_000);
  // The soak judges errors itself: a worker that it crashes is one.
  watch.allow(/crashed by the soak/);
  const plan = planSoak({ runs: 12, seed: SEED });
  const result = await runSoak({ browser, page, url: baseURL ?? '' }, plan, console.log);
  expect(problemsOf(result)).toEqual([]);
  expect(result.rows).toHaveLength(12);
  expect(result.rows.filter(({ run, fired }) => run.disturbance !== null && fired).length).toBeGreaterThan(1);
  expect(result.rows.at(-1)?.sample).toMatchObject({ charts: 1, canvases: 1 });
});

const LENGTH = 'tokens=8,16&chunk=4';
/** [moment, recipe]. */
const LOSSES: readonly (readonly [moment: Moment, query: string])[] = [
  [{ phase: 'load-model', reports: 1, calls: 5 }, LENGTH],
  [{ phase: 'prefill', reports: 2, calls: 3 }, LENGTH],
  [{ phase: 'decode', reports: 2, calls: 2 }, 'experiment=growth&prompt=&tokens=8&steps=4'],
  [{ phase: 'check', reports: 2, calls: 3 }, LENGTH],
  [{ phase: 'release', reports: 1, calls: 1 }, LENGTH],
];

for (const [at, query] of LOSSES) {
  test(`device.destroy() in the phase ${at.phase}: what was measured is right, and the next run works`, async ({
    page,
    baseURL,
  }) => {
    test.setTimeout(240_000);
    const run: SoakRun = {
      number: 1,
      kind: 'destroy',
      query,
      device: 'webgpu',
      disturbance: { kind: 'destroy', at },
      cancelMs: null,
    };
    const session = await SoakSession.open(page, baseURL ?? '');
    const lost = await session.run(run);
    expect(lost.fired).toBe(true);
    expect(judgeRun(run, lost)).toEqual([]);
    const { record } = lost;
    expect(record?.environment?.backend ?? 'webgpu').toBe('webgpu');
    console.log(
      at.phase,
      record?.status,
      JSON.stringify(record?.faults),
      JSON.stringify(record?.cells.map((c) => c.tensorBytes)),
      record?.growth.map((g) => g.steps.length),
      record?.checks.map((c) => `${c.name} ${c.pass}`).join(', '),
    );

    const control: SoakRun = { ...run, kind: 'control', query: controlQuery('webgpu'), disturbance: null };
    const next = await session.run(control);
    expect(judgeRun(control, next)).toEqual([]);
    expect(next.record?.cells[0]?.tensorBytes).toBe(16_384);
  });
}
