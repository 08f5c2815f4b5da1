/** Nothing leaks and every loss is recovered from: a short soak, and a device destroyed in each phase (issue 6, field report E12). */
import { expect, gpuTest as test } from '../support/fixtures';
import { judgeRun } from '../soak/judge-run';
import { controlQuery, planSoak, type SoakRun } from '../soak/plan';
import { problemsOf } from '../soak/report';
import { runSoak } from '../soak/run-soak';
import { SoakSession } from '../soak/session';
import type { Moment } from '../soak/worker-mock';

/**
 * Of a plan of eight runs with a cancel, a cache that does not grow and a lost device, each early in a phase that the run comes
 * through, and with recipes of the policies quantised and paged, one of them measured to its end on WebGPU; half of it on WASM.
 */
const SEED = 26_856;
const RUNS = 8;

test('eight runs of the soak in one page: right bytes, no worker, no chart and no device byte is left', async ({
  page,
  browser,
  watch,
  baseURL,
}) => {
  test.setTimeout(600_000);
  // The soak judges errors itself: a worker that it crashes is one.
  watch.allow(/crashed by the soak/);
  const plan = planSoak({ runs: RUNS, seed: SEED });
  const result = await runSoak({ browser, page, url: baseURL ?? '' }, plan, {
    log: console.log,
  });
  expect(problemsOf(result)).toEqual([]);
  expect(result.rows).toHaveLength(RUNS);
  expect(result.rows.filter(({ run, fired }) => run.disturbance !== null && fired).length).toBeGreaterThan(2);
  const policies = result.rows.flatMap(({ run }) => /policy=(\w+)/.exec(run.query)?.[1] ?? []);
  expect(policies).toEqual(['dynamic', 'quantised', 'quantised', 'paged']);
  expect(result.rows.at(-1)?.sample).toMatchObject({ charts: 1, canvases: 1 });
});

interface Loss {
  at: Moment;
  query: string;
  /** Bytes of the cells at 8 and 16 tokens. */
  cells: (number | null)[];
  /** Steps of the growth. */
  steps: number[];
  faults: string[];
}

const LENGTH = 'tokens=8,16&chunk=4';
const GROWTH = 'experiment=growth&prompt=&tokens=8&steps=4';
const LOST = ['device-lost'];
/** 4 layers x 2 x 2 KV heads x 32 x 4 bytes: 2,048 a token. */
const LOSSES: readonly Loss[] = [
  // The stop that was under way is given up, and a fresh worker measures the next.
  {
    at: { phase: 'load-model', reports: 1, calls: 5 },
    query: LENGTH,
    cells: [null, 32_768],
    steps: [],
    faults: LOST,
  },
  {
    at: { phase: 'prefill', reports: 2, calls: 3 },
    query: LENGTH,
    cells: [null, 32_768],
    steps: [],
    faults: LOST,
  },
  { at: { phase: 'decode', reports: 2, calls: 2 }, query: GROWTH, cells: [], steps: [2], faults: LOST },
  // While the buffers of a static cache are made: what stumbles over the loss is our own code, before the GPU tells of it.
  {
    at: { phase: 'check', reports: 1, calls: 3 },
    query: `${LENGTH}&policy=static&allocator=simple`,
    // Room for 16 tokens.
    cells: [32_768, 32_768],
    steps: [],
    faults: LOST,
  },
  // All was measured, and the device was about to be closed.
  {
    at: { phase: 'release', reports: 1, calls: 1 },
    query: LENGTH,
    cells: [16_384, 32_768],
    steps: [],
    faults: [],
  },
];

for (const { at, query, cells, steps, faults } of LOSSES) {
  test(`device.destroy() in the phase ${at.phase}: what was measured stays, and the next run works`, async ({
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
    expect(lost.record?.status).toBe('done');
    expect(lost.record?.environment?.backend).toBe('webgpu');
    expect(lost.record?.faults.map(({ code }) => code)).toEqual(faults);
    expect(lost.record?.cells.map(({ tensorBytes }) => tensorBytes)).toEqual(cells);
    expect(lost.record?.growth.map((growth) => growth.steps.length)).toEqual(steps);

    const control: SoakRun = { ...run, kind: 'control', query: controlQuery('webgpu'), disturbance: null };
    const next = await session.run(control);
    expect(judgeRun(control, next)).toEqual([]);
    expect(next.record?.cells[0]?.tensorBytes).toBe(16_384);
  });
}
