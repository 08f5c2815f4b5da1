/** The experiment serving in the browser: pools that exist, rows that are written and read, and nothing left of them. */
import { expect, gpuTest, test } from '../support/fixtures';
import { loseDevice } from '../support/gpu-mocks';
import type { LabRecord } from '../../src/protocol/record';

/** `tiny`, fp32: 4 layers x 2 (keys and values) x 2 KV heads x 32 x 4 bytes. */
const PER_TOKEN = 2048;
const SMALL = 'experiment=serving&model=tiny&lengths=alpaca&requests=40&pool=2048&longest=512';

const runsOf = ({ serving }: LabRecord) => serving?.runs ?? [];
const failed = (record: LabRecord) => record.checks.filter(({ pass }) => !pass);

gpuTest(
  'four systems fill their pools on WebGPU, and every row read back is its request’s',
  async ({ lab }) => {
    const record = await lab.measure(SMALL);
    expect(runsOf(record).map(({ system }) => system)).toEqual([
      'reserve-max',
      'reserve-pow2',
      'reserve-oracle',
      'paged',
    ]);
    for (const { poolBytes, deviceBytes, samples, steps, stepsPlanned } of runsOf(record)) {
      expect(poolBytes).toBe(2048 * PER_TOKEN);
      expect([deviceBytes.before, deviceBytes.after]).toEqual([0, 0]);
      expect(deviceBytes.pool).toBeGreaterThanOrEqual(poolBytes);
      expect(steps).toBe(stepsPlanned);
      expect(samples).toHaveLength(24);
      expect(samples.every(({ usedTokens, usedBytes }) => usedBytes === PER_TOKEN * usedTokens)).toBe(true);
      expect(Math.max(...samples.map(({ usedTokens }) => usedTokens))).toBeGreaterThan(0);
    }
    // 2,048 / 512 at one time; blocks take in more.
    const [max, , , paged] = runsOf(record);
    expect(max?.mostRunning).toBe(4);
    expect(paged?.mostRunning).toBeGreaterThan(8);
    expect(failed(record)).toEqual([]);
    expect(record.checks.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 4 }, () => 'serving-blocks'),
      'released',
    ]);
    expect(record.models).toEqual([]);
    expect(JSON.parse(await lab.exported('export-json'))).toEqual(record);
  },
);

test('on WASM the pools are arrays, with the same tokens in them', async ({ lab }) => {
  const record = await lab.measure(`${SMALL}&device=wasm`);
  expect(runsOf(record)).toHaveLength(4);
  expect(failed(record)).toEqual([]);
  expect(runsOf(record)[0]?.deviceBytes).toEqual({ before: null, pool: null, after: null });
  expect(record.notMeasured.device).toContain('arrays in the page’s memory');
});

gpuTest('a device that is lost is told, and what was found before stays', async ({ page, lab, mocks }) => {
  await mocks.inWorker(
    loseDevice,
    { report: 'serving', count: 3, reason: 'unknown', message: 'driver went away' },
    { first: true },
  );
  await lab.open(SMALL);
  await lab.run();
  await lab.waitEnd();
  const record = await lab.record();
  expect(record.faults.map(({ code }) => code)).toEqual(['device-lost']);
  expect(runsOf(record)[0]?.samples.length).toBeGreaterThanOrEqual(2);
  await expect(page.getByText('driver went away').first()).toBeVisible();
});

gpuTest('Cancel ends it between two steps; the pools are gone with their worker', async ({ lab }) => {
  await lab.open('experiment=serving');
  await lab.run();
  await expect
    .poll(
      async () =>
        (await lab.page.evaluate(() => window.kvlab.record()?.serving?.runs[0]?.samples.length)) ?? 0,
    )
    .toBeGreaterThan(0);
  await lab.part('cancel').click();
  await lab.waitEnd();
  const record = await lab.record();
  expect(record.status).toBe('cancelled');
  const [run] = runsOf(record);
  expect(run?.steps).toBeLessThan(run?.stepsPlanned ?? 0);
});

test('a pool that no device here may have is refused in words', async ({ page, lab }) => {
  await lab.open('experiment=serving&pool=100000&device=wasm');
  await lab.run();
  await lab.expectState('failed');
  await expect(page.getByText('Choose a pool of at most 43,690 tokens').first()).toBeVisible();
});
