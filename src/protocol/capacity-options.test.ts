/** The planner's options: read from links and written back; bad values are named; other experiments do not know them. */
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../geometry/engines';
import { defaultCapacity, type CapacityState } from './capacity';
import {
  ENGINE_IDS,
  gpuOf,
  readBytes,
  readTyped,
  readWeights,
  typedId,
  writeBytes,
} from './capacity-options';
import { describeFault } from './faults';
import { parseRecipe, recipeFault, recipeQuery } from './options';
import { defaultRecipe, recipeOf } from './recipe';

const read = (query: string) => parseRecipe(new URLSearchParams(query));
const stateOf = (query: string): CapacityState | undefined =>
  read(`experiment=capacity&${query}`).recipe.capacity;

describe('a plan in a link', () => {
  it('is the second article’s where nothing is said', () => {
    expect(read('experiment=capacity')).toMatchObject({ faults: [], notices: [] });
    expect(stateOf('')).toEqual({
      model: ['Qwen/Qwen3-8B', 'Qwen/Qwen3-32B'],
      weights: [],
      gpu: '80GiB',
      gpus: 1,
      reserve: 0,
      share: 100,
      kv: 'bf16',
      engine: 'ideal',
      contexts: [4096, 8192, 32768],
      sessions: 16,
    });
  });

  it('has only what differs from the default, and comes back as it was', () => {
    const query =
      'experiment=capacity&model=Qwen/Qwen3-8B&model=typed:V4.1 Flash:890&weights=Qwen/Qwen3-8B:16381470720' +
      '&gpu=h200&gpus=2&reserve=2GiB&share=90&kv=fp8&engine=vllm&contexts=1000,2000&sessions=100&lang=ko';
    const { recipe, faults, notices } = read(query);
    expect({ faults, notices }).toEqual({ faults: [], notices: [] });
    expect(recipe.capacity).toEqual({
      model: ['Qwen/Qwen3-8B', 'typed:V4.1 Flash:890'],
      weights: ['Qwen/Qwen3-8B:16381470720'],
      gpu: 'h200',
      gpus: 2,
      reserve: 2_147_483_648,
      share: 90,
      kv: 'fp8',
      engine: 'vllm',
      contexts: [1000, 2000],
      sessions: 100,
    });
    expect(recipeQuery(recipe).toString()).toBe(new URLSearchParams(query).toString());
    expect(recipeQuery(defaultRecipe('capacity')).toString()).toBe('experiment=capacity');
  });

  it.each([
    ['gpu=85899345920', { gpu: '80GiB' }],
    ['gpu=H100-80', { gpu: 'h100-80' }],
    ['share=0.9', { share: 90 }],
    ['share=1', { share: 100 }],
    ['share=0.5%25', { share: 0.5 }],
    ['share=92.5', { share: 92.5 }],
    ['kv=bfloat16', { kv: 'bf16' }],
    ['kv=0.5bit', { kv: '0.5bit' }],
    ['engine=llamacpp', { engine: 'llama.cpp' }],
    ['engine=onnx', { engine: 'transformers.js' }],
    ['contexts=8192,4096,8192', { contexts: [4096, 8192] }],
  ])('%s is understood', (query, expected) => {
    expect(stateOf(query)).toMatchObject(expected);
    expect(read(`experiment=capacity&${query}`).faults).toEqual([]);
  });

  it.each([
    ['gpu=none', 'gpu', /“none” is not a valid value for gpu: use bytes such as 80GiB/],
    ['gpu=0', 'gpu', /“0”/],
    ['gpus=0', 'gpus', /a whole number from 1 to 1,024/],
    ['reserve=-1', 'reserve', /“-1”.*use bytes, such as 2GiB/],
    ['share=0', 'share', /a percentage over 0 and up to 100/],
    ['share=101', 'share', /“101”/],
    ['kv=fp7', 'kv', /use one of fp32, bf16/],
    ['engine=ollama', 'engine', /use one of ideal, transformers.js, vllm, llama.cpp, preallocated/],
    ['contexts=4096,x', 'contexts', /at most 12 whole numbers/],
    ['sessions=1.5', 'sessions', /whole number/],
    ['model=../etc', 'model', /at most 8 models/],
    ['model=typed:x', 'model', /typed:name:890/],
    ['weights=Qwen/Qwen3-8B', 'weights', /the bytes of its weights/],
    ['gpu=80GiB&gpu=40GiB', 'gpu', /give it once/],
  ])('%s is named, and the rest stands', (query, option, sentence) => {
    const { recipe, faults } = read(`experiment=capacity&${query}`);
    expect(faults.map(({ code, params }) => [code, params['option']])).toEqual([
      ['recipe-bad-value', option],
    ]);
    expect(faults.map(describeFault).join()).toMatch(sentence);
    expect(recipe.capacity).toEqual(defaultCapacity());
  });

  it('knows nothing of a measurement’s options, and a measurement nothing of a plan’s', () => {
    const unknown = (query: string) => read(query).notices.map(({ params }) => params['option']);
    expect(unknown('experiment=capacity&tokens=64&dtype=fp16&seed=1&run=1&lang=ko')).toEqual([
      'tokens',
      'dtype',
      'seed',
    ]);
    expect(unknown('gpu=80GiB&kv=bf16&contexts=1&sessions=2')).toEqual(['gpu', 'kv', 'contexts', 'sessions']);
    expect(read('').recipe.capacity).toBeUndefined();
  });
});

it('a recipe is checked with its plan', () => {
  const recipe = defaultRecipe('capacity');
  expect(recipeFault(recipe)).toBeNull();
  expect(recipeFault({ ...recipe, capacity: { ...defaultCapacity(), gpus: 0 } })).toMatchObject({
    params: { option: 'gpus' },
  });
});

it('another experiment leaves the plan behind, and the planner keeps the other settings', () => {
  const planner = recipeOf('capacity', { ...defaultRecipe(), seed: 7 });
  expect(planner).toMatchObject({ experiment: 'capacity', seed: 7, capacity: { gpu: '80GiB' } });
  expect(recipeOf('length', planner)).toEqual({ ...defaultRecipe(), seed: 7 });
});

it.each([
  ['85899345920', 85_899_345_920],
  ['85,899,345,920', 85_899_345_920],
  ['80GiB', 85_899_345_920],
  ['79.6 GB', 79_600_000_000],
  ['0', 0],
  ['1.5', null],
  ['80 parsecs', null],
  ['', null],
  ['-1', null],
])('%s is so many bytes: %s', (text, bytes) => {
  expect(readBytes(text)).toBe(bytes);
});

it('writes bytes in whole GiB and MiB where they are', () => {
  expect([85_899_345_920, 536_870_912, 16_381_470_720, 0].map(writeBytes)).toEqual([
    '80GiB',
    '512MiB',
    '16381470720',
    '0',
  ]);
});

it('reads and writes typed models', () => {
  expect(readTyped('typed:플래시:890')).toEqual({
    name: '플래시',
    bytesPerToken: 890,
    fixedBytes: 0,
    weightBytes: null,
  });
  const whole = { name: 'x', bytesPerToken: 0.5, fixedBytes: 4096, weightBytes: 1_000_000 };
  expect(typedId(whole)).toBe('typed:x:0.5:4096:1000000');
  expect(readTyped(typedId(whole))).toEqual(whole);
  expect(['typed::890', 'typed:x:0', 'typed:x:-1', 'typed:<b>:1'].map(readTyped)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

it('reads weights that were typed, of typed models too', () => {
  expect(readWeights('Qwen/Qwen3-8B:16381470720')).toEqual({ model: 'Qwen/Qwen3-8B', bytes: 16_381_470_720 });
  expect(readWeights('typed:x:890:12GiB')).toEqual({ model: 'typed:x:890', bytes: 12_884_901_888 });
});

it('names GPUs and sizes', () => {
  expect(gpuOf('80GiB')).toEqual({ id: null, name: '80 GiB GPU', bytes: 85_899_345_920 });
  expect(gpuOf('h100-80')).toMatchObject({ id: 'h100-80', bytes: 85_899_345_920 });
});

it('has the ids of all engines', () => {
  expect(ENGINE_IDS).toEqual(ENGINES.map(({ id }) => id));
});
