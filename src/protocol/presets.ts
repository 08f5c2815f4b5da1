/** The articles' tables as named recipes: one link each reproduces one of them. */
import { ARTICLE_MODELS, defaultRecipe, type Experiment, type Recipe } from './recipe';

export const PRESET_KEYS = [
  'table',
  'dtype',
  'growth',
  'gqa',
  'batch',
  'step',
  'weights',
  'redundancy',
] as const;
export type PresetKey = (typeof PRESET_KEYS)[number];

export interface Preset {
  key: PresetKey;
  recipe: Recipe;
}

const [QWEN = 'tiny'] = ARTICLE_MODELS;

function preset(key: PresetKey, experiment: Experiment, patch: Partial<Recipe>): Preset {
  return { key, recipe: { ...defaultRecipe(experiment), ...patch } };
}

/** In the article's order. */
export const PRESETS: readonly Preset[] = [
  // "세 모델 측정": three models, 13 cells and two rows over GPT-2's maximum position.
  preset('table', 'length', { model: ARTICLE_MODELS, tokens: [128, 512, 1024, 2048, 4096] }),
  // "dtype·디코딩 스텝·GQA 배수": its three parts.
  preset('dtype', 'dtype', { model: [QWEN], tokens: [512] }),
  preset('growth', 'growth', { model: [QWEN], prompt: 'KV 캐시는', steps: 32 }),
  preset('gqa', 'gqa', { model: [QWEN] }),
  // "배치": four batches, and the one-token step after 4,096 tokens.
  preset('batch', 'batch', { model: [QWEN], tokens: [512], batch: [1, 2, 4, 8], repeats: 3 }),
  preset('step', 'batch', { model: [QWEN], tokens: [4096], batch: [1], steps: 1, repeats: 3 }),
  // "꺾이는 지점": weights against cache.
  preset('weights', 'weights', { model: ARTICLE_MODELS }),
  // The third article's set-up. It measured Qwen3.5-2B itself, of which the picker's list of hub models has no export.
  preset('redundancy', 'redundancy', { model: ['twin:Qwen/Qwen3.5-2B'] }),
];
