/** Twins in the recipe: what each would measure, added in one order, removed. And what twins are called. */
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { keepConfigModel } from '../../lab/config-models';
import type { Store } from '../../lab/store';
import { defaultRecipe, type Recipe } from '../../protocol/recipe';
import { modelName } from '../model-name';
import { addTwin, describeTwin, removeTwin } from './twins';

function storeWith(patch: Partial<Recipe>): Store {
  const recipe = signal<Recipe>({ ...defaultRecipe('length'), ...patch });
  const probe = signal({ adapter: null, features: [], limits: {} });
  const setRecipe = (change: Partial<Recipe>) => {
    recipe.value = { ...recipe.value, ...change };
  };
  return { recipe, probe, setRecipe } as unknown as Store;
}

describe('describeTwin', () => {
  it('gives the layers that a run would measure, and the whole', () => {
    const store = storeWith({ tokens: [32], dtype: ['fp32'], device: 'wasm' });
    expect(describeTwin(store, 'twin:deepseek-ai/DeepSeek-V3:layers=2')).toMatchObject({
      kind: 'twin',
      cacheType: 'float32',
      scaled: { layersMeasured: 2, layersOf: 61 },
    });
    expect(describeTwin(store, 'twin:Qwen/Qwen3-8B')).toMatchObject({
      scaled: null,
      geometry: { layers: 36 },
    });
  });

  it('takes float32 where no chosen variant is built here', () => {
    expect(describeTwin(storeWith({ dtype: ['bf16'] }), 'twin:Qwen/Qwen3-8B')).toMatchObject({
      cacheType: 'float32',
    });
  });

  it('says why there is none', () => {
    const store = storeWith({});
    expect(describeTwin(store, 'twin:nobody/nothing')).toMatchObject({ code: 'recipe-unknown-model' });
    expect(describeTwin(store, 'config:llama-00000000')).toMatchObject({ code: 'config-needs-paste' });
    expect(describeTwin(store, 'twin:google/flan-t5-small')).toMatchObject({ code: 'twin-not-built' });
  });
});

describe('addTwin and removeTwin', () => {
  it('keep the first screen’s models first, and each model once', () => {
    const store = storeWith({ model: ['tiny'] });
    expect(addTwin(store, 'twin:Qwen/Qwen3-8B')).toBeNull();
    expect(addTwin(store, 'twin:openai-community/gpt2')).toBeNull();
    expect(addTwin(store, 'twin:Qwen/Qwen3-8B')).toBeNull();
    expect(store.recipe.value.model).toEqual(['tiny', 'twin:openai-community/gpt2', 'twin:Qwen/Qwen3-8B']);
    removeTwin(store, 'twin:openai-community/gpt2');
    expect(store.recipe.value.model).toEqual(['tiny', 'twin:Qwen/Qwen3-8B']);
  });

  it('refuse one model too many', () => {
    const model = Array.from({ length: 100 }, (_, index) => `a/b${String(index)}`);
    const store = storeWith({ model });
    expect(addTwin(store, 'twin:Qwen/Qwen3-8B')).not.toBeNull();
    expect(store.recipe.value.model).toHaveLength(100);
  });
});

describe('modelName of twins', () => {
  const tr = (key: string, params: object = {}) => `${key} ${JSON.stringify(params)}`;

  it('is short, says latents and layers, and uses a pasted config’s name', () => {
    expect(modelName('twin:Qwen/Qwen3-8B', tr)).toBe('Qwen3-8B');
    expect(modelName('latent:deepseek-ai/DeepSeek-V3', tr)).toBe('model.latent {"name":"DeepSeek-V3"}');
    expect(modelName('twin:openai-community/gpt2:layers=2', tr)).toBe(
      'model.someLayers {"name":"GPT-2","n":2}',
    );
    const id = keepConfigModel({ config: { model_type: 'llama', n: 1 }, name: 'mine' });
    expect(modelName(id, tr)).toBe('mine');
    expect(modelName('config:llama-00000000', tr)).toBe('config:llama-00000000');
  });
});
