/** What the page's side knows of a serving: how far it is, that float16 needs no shader, what counts as measured. */
import { describe, expect, it } from 'vitest';
import { deviceFault } from './device-fault';
import { RunProgress } from './progress';
import { hasMeasurements } from './run-state';
import type { Pass } from '../protocol/messages';
import { defaultRecipe } from '../protocol/recipe';
import { defaultServing } from '../protocol/serving';
import { servingRecord } from '../protocol/serving-record.fixture';

const recipe = defaultRecipe('serving');
const { policy, room, overflow, bits, block, device, allocator, chunk, seed } = recipe;
const pass: Pass = {
  ...{ id: 0, model: 'tiny', dtype: 'fp32', batch: 1, repeat: 0, processBytes: false },
  ...{ policy, room, overflow, bits, block, device, allocator, chunk, seed },
  work: { kind: 'serving', state: defaultServing(), bytesPerToken: 2048 },
};

describe('a serving on the page', () => {
  it('is as far as its steps', () => {
    let now = 0;
    const progress = new RunProgress({ passes: [pass], skipped: [], totalUnits: 200 }, () => now);
    const serve = (done: number): void => {
      progress.report(pass, { type: 'phase', passId: 0, phase: 'serve', done, total: 20_000 });
    };
    serve(0);
    expect(progress.state()).toMatchObject({ phase: 'serve', progress: 0, etaMs: null });
    serve(5000);
    now = 1000;
    expect(progress.state()).toMatchObject({
      phaseDone: 5000,
      phaseTotal: 20_000,
      progress: 0.25,
      etaMs: 3000,
    });
  });

  it('runs in float16 on a GPU without shader-f16: it computes nothing', () => {
    const probe = { fault: null, features: [] } as unknown as Parameters<typeof deviceFault>[1];
    expect(deviceFault({ ...recipe, dtype: ['fp16'] }, probe)).toBeNull();
    expect(deviceFault({ ...defaultRecipe('growth'), dtype: ['fp16'] }, probe)?.code).toBe(
      'fp16-unsupported',
    );
  });

  it('has measured something once a pool was read', () => {
    expect(hasMeasurements(servingRecord())).toBe(true);
    expect(hasMeasurements(servingRecord({ runs: [] }))).toBe(false);
  });
});
