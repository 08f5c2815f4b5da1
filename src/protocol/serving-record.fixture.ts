/** A record of the experiment serving for tests: four systems with three readings each, two of them while requests waited. */
import type { LabRecord } from './record';
import { defaultRecipe } from './recipe';
import { lengthRecord, QWEN } from './sample-record.fixture';
import { defaultServing, type ServingResult, type ServingRun, type ServingSystem } from './serving';

/** Of Qwen2.5-0.5B in float32: 24 layers x 2 x 2 KV heads x 64 x 4. */
const ROW_BYTES = 24_576;
/** 16,384 x 24,576. */
const POOL_BYTES = 402_653_184;

/** Step, running, waiting, tokens, their bytes, handed out, reserved for later, never used. */
type Reading = [number, number, number, number, number, number, number, number];

interface SampleRun {
  readings: Reading[];
  steps: number;
  utilisation: number;
  insideUse: number;
  mostRunning: number;
  preemptions: number;
  writtenTokens: number;
}

function run(system: ServingSystem, { readings, steps, ...found }: SampleRun): ServingRun {
  return {
    system,
    poolBytes: POOL_BYTES,
    // The pool, and the buffer of rows that are copied into it.
    deviceBytes: { before: 0, pool: 402_702_336, after: 0 },
    samples: readings.map(
      ([step, running, waiting, usedTokens, usedBytes, heldTokens, reservedTokens, wastedTokens]) => ({
        ...{ step, running, waiting, usedTokens, usedBytes, heldTokens, reservedTokens, wastedTokens },
      }),
    ),
    steps,
    stepsPlanned: steps,
    ...found,
  };
}

/** Readings of a run at the defaults with seed 0; the means are those of the first two of each system. */
export const SAMPLE_RUNS: readonly ServingRun[] = [
  run('reserve-max', {
    readings: [
      [806, 8, 176, 4199, 103_194_624, 16_384, 1499, 10_686],
      [4675, 8, 73, 3510, 86_261_760, 16_384, 1566, 11_308],
      [7577, 2, 0, 955, 23_470_080, 4096, 205, 2936],
    ],
    // (4,199 + 3,510) / 2 / 16,384; all of the pool is handed out.
    utilisation: 0.235260009765625,
    insideUse: 0.235260009765625,
    ...{ steps: 7739, mostRunning: 8, preemptions: 0, writtenTokens: 97_198 },
  }),
  run('reserve-pow2', {
    readings: [
      [616, 10, 172, 5180, 127_303_680, 16_384, 2922, 8282],
      [3577, 12, 60, 5645, 138_731_520, 16_128, 2284, 8199],
      [5798, 1, 0, 577, 14_180_352, 2048, 123, 1348],
    ],
    utilisation: 0.330352783203125,
    insideUse: 0.3330872550843254,
    ...{ steps: 5922, mostRunning: 17, preemptions: 0, writtenTokens: 97_198 },
  }),
  run('reserve-oracle', {
    readings: [
      [472, 11, 168, 5706, 140_230_656, 14_336, 3527, 5103],
      [2740, 15, 59, 7419, 182_329_344, 15_872, 3265, 5188],
      [4441, 2, 0, 1844, 45_318_144, 3072, 154, 1074],
    ],
    utilisation: 0.400543212890625,
    insideUse: 0.43272294426843316,
    ...{ steps: 4536, mostRunning: 21, preemptions: 0, writtenTokens: 97_198 },
  }),
  run('paged', {
    readings: [
      [212, 41, 126, 15_270, 375_275_520, 15_600, 327, 3],
      [721, 36, 79, 16_000, 393_216_000, 16_288, 288, 0],
      [1994, 1, 0, 1256, 30_867_456, 1264, 8, 0],
    ],
    utilisation: 0.95428466796875,
    insideUse: 0.9805822124829984,
    ...{ steps: 2037, mostRunning: 91, preemptions: 166, writtenTokens: 124_310 },
  }),
];

/** The result; what the caller does not name is complete. */
export function sampleServing(patch: Partial<ServingResult> = {}): ServingResult {
  return {
    model: QWEN,
    dtype: 'fp32',
    device: 'webgpu',
    bytesPerToken: ROW_BYTES,
    block: 16,
    promptMean: 188.525,
    outputMean: 297.465,
    runs: structuredClone([...SAMPLE_RUNS]),
    ...patch,
  };
}

/** A finished record of the experiment. */
export function servingRecord(patch: Partial<ServingResult> = {}): LabRecord {
  return {
    ...lengthRecord(),
    recipe: { ...defaultRecipe('serving'), model: [QWEN], serving: defaultServing() },
    url: 'https://lab.example/?experiment=serving',
    models: [],
    cells: [],
    growth: [],
    checks: [
      {
        name: 'serving-blocks',
        model: QWEN,
        pass: true,
        expected: 'every row of the pool (paged) as the simulation placed it',
        measured: '32,526 rows with a token, each of its own request; 16,626 empty',
        detail: 'read from the pool at 3 moments',
      },
    ],
    faults: [],
    serving: sampleServing(patch),
  };
}
