/** One row a policy and mode: the longest context, the peak over it and its steps, and medians without a warm-up. */
import { expect, it } from 'vitest';
import type { Cell, Growth } from '../protocol/record';
import { policiesSummary } from './policies-summary';

const FAULT = { code: 'allocator-failed', params: { mode: 'disabled', detail: 'x' } } as const;
const SUBJECT = {
  model: 'tiny',
  dtype: 'fp32',
  batch: 1,
  policy: 'dynamic',
  allocator: 'bucket',
  device: 'webgpu',
  repeat: 0,
};
const cell = (tokens: number, patch: object) =>
  ({
    ...SUBJECT,
    tokens,
    formulaBytes: 2048 * tokens,
    tensorBytes: 2048 * tokens,
    residentBytes: 32768,
    fault: null,
    ...patch,
  }) as Cell;
const step = (tokens: number, ms: number, compiled: number, peakDeviceBytes: number) => ({
  tokens,
  formulaBytes: 2048 * tokens,
  ms,
  compiled,
  peakDeviceBytes,
  deviceBytes: peakDeviceBytes,
  copiedBytes: 2048 * (tokens - 1),
});

it('has what the longest context took, and the reason of a mode without any', () => {
  const rows = policiesSummary({
    cells: [
      cell(8, { deviceBytes: { before: 0, after: 163840, peak: 163841 } }),
      cell(16, { deviceBytes: { before: 0, after: 65536, peak: 70000 } }),
      cell(8, {
        allocator: 'disabled',
        tensorBytes: null,
        fault: FAULT,
        deviceBytes: { before: null, after: null, peak: null },
      }),
    ],
    growth: [
      {
        ...SUBJECT,
        promptTokens: 16,
        fault: null,
        steps: [step(17, 900, 2, 71000), step(18, 5, 0, 69000), step(19, 7, 0, 69000)],
      },
    ] as unknown as Growth[],
  });
  expect(rows).toEqual([
    {
      ...{
        policy: 'dynamic',
        allocator: 'bucket',
        device: 'webgpu',
        batch: 1,
        tokens: 16,
        formulaBytes: 32768,
      },
      ...{
        tensorBytes: 32768,
        usedBytes: null,
        residentBytes: 32768,
        deviceBytes: 65536,
        peakDeviceBytes: 71000,
      },
      // 5 and 7 ms; 17 tokens were there before the second step. 163,840 / 16,384 = 10.
      ...{ stepMs: 6, steps: 2, copiedBytes: 34816, largestRatio: 10, measured: 2, planned: 2, fault: null },
    },
    {
      ...{
        policy: 'dynamic',
        allocator: 'disabled',
        device: 'webgpu',
        batch: 1,
        tokens: null,
        formulaBytes: null,
      },
      ...{
        tensorBytes: null,
        usedBytes: null,
        residentBytes: null,
        deviceBytes: null,
        peakDeviceBytes: null,
      },
      ...{
        stepMs: null,
        steps: 0,
        copiedBytes: null,
        largestRatio: null,
        measured: 0,
        planned: 1,
        fault: FAULT,
      },
    },
  ]);
});
