import { describe, expect, it } from 'vitest';
import type { Plan } from '../experiments/plan';
import type { Pass } from '../protocol/messages';
import { RunProgress } from './progress';
import { tinyCell } from './testing';

const pass: Pass = {
  id: 0,
  model: 'tiny',
  dtype: 'fp32',
  batch: 1,
  policy: 'dynamic',
  room: 0,
  overflow: 'refuse',
  bits: '8',
  block: 16,
  device: 'webgpu',
  allocator: 'bucket',
  chunk: 0,
  seed: 0,
  repeat: 0,
  processBytes: false,
  work: { kind: 'length', stops: [1024, 2048], steps: 0 },
};
/** Prefilling t tokens costs t + t² / 2048 units: 1,536 for 1,024 tokens, 4,096 for 2,048. */
const plan: Plan = { passes: [pass], skipped: [], totalUnits: 4096 };

describe('RunProgress', () => {
  it('estimates the time left from the work done, not counting the loading', () => {
    let now = 0;
    const progress = new RunProgress(plan, () => now);
    progress.report(pass, { type: 'phase', passId: 0, phase: 'load-model', done: 1, total: 2 });
    expect(progress.state()).toMatchObject({
      phase: 'load-model',
      model: 'tiny',
      phaseDone: 1,
      phaseTotal: 2,
      progress: 0,
      etaMs: null,
    });
    now = 5000;
    progress.report(pass, { type: 'phase', passId: 0, phase: 'prefill', done: 0, total: 1024 });
    now = 8000;
    progress.report(pass, tinyCell(0, 1024));
    const state = progress.state();
    expect(state.progress).toBe(0.375);
    expect(state.etaMs).toBe(5000);
    expect(state.elapsedMs).toBe(8000);
  });

  it('never goes back when a stop is measured again in a fresh worker', () => {
    const progress = new RunProgress(plan, () => 0);
    progress.report(pass, tinyCell(0, 1024));
    progress.report(pass, { type: 'phase', passId: 0, phase: 'prefill', done: 0, total: 2048 });
    expect(progress.state().progress).toBe(0.375);
    progress.report(pass, { type: 'pass-done', passId: 0 });
    expect(progress.state().progress).toBe(1);
  });
});
