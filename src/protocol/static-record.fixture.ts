/** Records of preallocated caches for tests: Qwen2.5-0.5B's twin, 24,576 bytes a token (24 layers x 2 x 2 KV heads x 64 x 4 bytes). */
import { defaultRecipe, type Recipe } from './recipe';
import type { Growth, LabRecord, Step } from './record';
import { growthRecord, lengthRecord, QWEN, sampleCell, sampleGrowth } from './sample-record.fixture';

/** Room for 160 tokens. */
const CAPACITY = 3_932_160;

/** Cells at 128 and 129 tokens in buffers for 160. */
export function staticLengthRecord(): LabRecord {
  const room = { policy: 'static', roomTokens: 160, roomFormulaBytes: CAPACITY, moves: 0 } as const;
  const held = { ...room, tensorBytes: CAPACITY, residentBytes: CAPACITY };
  return {
    ...lengthRecord(),
    recipe: { ...defaultRecipe('length'), model: [QWEN], tokens: [128, 129], policy: 'static', room: 160 },
    cells: [
      sampleCell({ ...held, usedBytes: 3_145_728 }),
      sampleCell({ ...held, tokens: 129, formulaBytes: 3_170_304, usedBytes: 3_170_304 }),
    ],
    checks: [],
  };
}

/** 128 tokens of a prompt in buffers for 130, then steps to 132: the third moves the cache to buffers for 260. */
export function staticGrowthRecord(): LabRecord {
  const [small, large] = [3_194_880, 6_389_760];
  const step = (tokens: number, change: Partial<Step> = {}): Step => ({
    tokens,
    formulaBytes: 24_576 * tokens,
    usedBytes: 24_576 * tokens,
    tensorBytes: small,
    residentBytes: small,
    roomTokens: 130,
    roomFormulaBytes: small,
    moves: 0,
    deviceBytes: 20_000_000,
    processBytes: null,
    deltaTensor: 0,
    deltaResident: 0,
    ms: 10,
    background: false,
    ...change,
  });
  const moved = {
    ...{ tensorBytes: large, residentBytes: large, roomTokens: 260, roomFormulaBytes: large, moves: 1 },
    deviceBytes: 23_000_000,
  };
  const growth: Growth = {
    ...sampleGrowth(128, 4),
    policy: 'static',
    promptBytes: small,
    promptResidentBytes: small,
    promptUsedBytes: 3_145_728,
    stepsPlanned: 4,
    steps: [
      step(129),
      step(130),
      step(131, { ...moved, deltaTensor: small, deltaResident: small }),
      step(132, moved),
    ],
  };
  const recipe: Recipe = {
    ...{ ...defaultRecipe('growth'), model: [QWEN], steps: 4 },
    ...{ policy: 'static', room: 130, overflow: 'move' },
  };
  return { ...growthRecord(128, 4), recipe, growth: [growth], checks: [] };
}
