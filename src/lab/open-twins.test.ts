/** Opening twins of the catalogue and of pasted configs, and what is cut where the cache would not fit. */
import { afterEach, describe, expect, it } from 'vitest';
import { LabError } from '../protocol/faults';
import { defaultRecipe, type Recipe } from '../protocol/recipe';
import { configModels, keepConfigModel, measureConfig } from './config-models';
import { openTwins } from './open-twins';
import type { TwinSource } from '../protocol/source';

const GIB = 2 ** 30;
const QWEN = 'twin:Qwen/Qwen3-8B';
const DEEPSEEK = 'twin:deepseek-ai/DeepSeek-V3';
const CONFIG = {
  model_type: 'llama',
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 16,
  hidden_size: 64,
};

const recipe = (model: string | string[], patch: Partial<Recipe> = {}): Recipe => ({
  ...defaultRecipe(),
  model: [model].flat(),
  tokens: [32],
  ...patch,
});
const open = (...args: Parameters<typeof recipe>) => openTwins(recipe(...args), GIB);
function only(opened: ReturnType<typeof openTwins>): TwinSource {
  const [source] = opened.sources;
  if (source?.kind !== 'twin') throw new Error('no twin was opened');
  return source;
}
function faultOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof LabError) return error.fault;
  }
  return null;
}

afterEach(() => {
  configModels.value = new Map();
});

describe('openTwins', () => {
  it('opens a model of the catalogue in every dtype that is built, and leaves other models alone', () => {
    const opened = open(['tiny', QWEN, 'owner/name'], { dtype: ['fp32', 'fp16', 'bf16'] });
    expect(opened.model).toEqual(['tiny', QWEN, 'owner/name']);
    expect(opened.refused).toEqual([]);
    expect(opened.sources).toMatchObject([
      { id: QWEN, kind: 'twin', dtype: 'fp32', cacheType: 'float32', scaled: null },
      { id: QWEN, kind: 'twin', dtype: 'fp16', cacheType: 'float16', scaled: null },
    ]);
    expect(only(opened).geometry).toMatchObject({ layers: 36, kvHeads: 8, headDim: 128 });
  });

  it('cuts layers that were asked for, and says which', () => {
    const source = only(open(`${DEEPSEEK}:layers=2`));
    expect(source).toMatchObject({
      id: `${DEEPSEEK}:layers=2`,
      geometry: { layers: 2 },
      scaled: { layersMeasured: 2, layersOf: 61, whole: { layers: 61 } },
    });
    // 61 x 128 x (192 + 128) x 4.
    expect(source.notes.at(-1)).toBe(
      'The first 2 of 61 layers were measured, and the formula beside is theirs. All 61 layers take 9,994,240 bytes per token by the formula; that was not measured.',
    );
  });

  it('cuts what the budget does not hold, and puts it into the id', () => {
    // 9,994,240 bytes a token x 128 = 1.19 GiB; one layer: 128 x 320 x 128 x 4 = 20,971,520; 51 of them fit in 1 GiB.
    const opened = open(DEEPSEEK, { tokens: [32, 128] });
    expect(opened.model).toEqual([`${DEEPSEEK}:layers=51`]);
    expect(only(opened).geometry.layers).toBe(51);
    expect(open(DEEPSEEK, { tokens: [32] }).model).toEqual([DEEPSEEK]);
    // A batch counts too, and so do the steps of a growth.
    expect(open(DEEPSEEK, { batch: [4] }).model).toEqual([`${DEEPSEEK}:layers=51`]);
    expect(open(DEEPSEEK, { experiment: 'growth', steps: 96 }).model).toEqual([`${DEEPSEEK}:layers=51`]);
  });

  it('cuts whole periods of the pattern', () => {
    // Gemma 3 27B: six layers of 2 x 16 x 128 x 4 bytes a token: 16,384 x 4,096 = 64 MiB a layer; 16 fit, 12 are two periods.
    expect(open('twin:google/gemma-3-27b-it', { tokens: [4096] }).model).toEqual([
      'twin:google/gemma-3-27b-it:layers=12',
    ]);
    expect(only(open('twin:google/gemma-3-27b-it:layers=8')).notes.at(-1)).toContain(
      'The pattern of layers repeats every 6, so these are no whole number of its periods.',
    );
  });

  it('names all layers by the plain id, however it was asked for', () => {
    expect(open(`${QWEN}:layers=36`).model).toEqual([QWEN]);
    expect(open(`${QWEN}:layers=99`).model).toEqual([QWEN]);
    expect(only(open(`${QWEN}:layers=99`)).notes).toEqual([
      '99 layers were asked for, but the model has 36.',
    ]);
    expect(only(open(`${QWEN}:layers=36`)).notes).toEqual([]);
  });

  it('keeps latents where that was asked for', () => {
    const source = only(open('latent:deepseek-ai/DeepSeek-V3'));
    expect(source.geometry.caches[0]).toMatchObject({ kvHeads: 1, keyDim: 576, valueDim: 0 });
    expect(source.notes[0]).toContain('No transformers.js export does so');
  });

  it('opens the first paint’s models too where only some of their layers are asked for', () => {
    expect(only(open('twin:Qwen/Qwen2.5-0.5B-Instruct:layers=3'))).toMatchObject({
      revision: '7ae557604adf',
      parameters: 494_032_768,
      geometry: { layers: 3, kvHeads: 2, headDim: 64 },
    });
  });

  it('opens a pasted config', () => {
    const id = keepConfigModel({ config: CONFIG, name: 'mine' });
    expect(only(open(id))).toMatchObject({ id, name: 'mine', revision: 'pasted', geometry: { layers: 2 } });
    expect(open(`${id}:layers=1`).model).toEqual([`${id}:layers=1`]);
  });

  it('asks for a config that only another page had', () => {
    const id = 'config:llama-0123abcd';
    expect(faultOf(() => open(id))).toEqual({ code: 'config-needs-paste', params: { model: id } });
  });

  it('refuses what no catalogue has', () => {
    expect(faultOf(() => open('twin:nobody/nothing'))?.code).toBe('recipe-unknown-model');
  });

  it('refuses a config that cannot be read, or has no twin, and opens the others', () => {
    const bad = keepConfigModel({ config: { ...CONFIG, num_hidden_layers: -1 }, name: 'bad' });
    const opened = open([bad, 'twin:google/flan-t5-small', QWEN], { dtype: ['fp32'] });
    expect(opened.refused.map(({ id, fault }) => [id, fault.code])).toEqual([
      [bad, 'config-bad-field'],
      ['twin:google/flan-t5-small', 'twin-not-built'],
    ]);
    expect(opened.sources.map(({ id }) => id)).toEqual([QWEN]);
  });
});

describe('measureConfig', () => {
  it('makes the config the page’s model and starts', async () => {
    const asked: Partial<Recipe>[] = [];
    const record = {} as Awaited<ReturnType<typeof measureConfig>>;
    const store = {
      setRecipe: (patch: Partial<Recipe>) => asked.push(patch),
      start: () => Promise.resolve(record),
    };
    expect(await measureConfig(store, CONFIG, 'mine')).toBe(record);
    const [id = ''] = configModels.value.keys();
    expect(id).toMatch(/^config:llama-[0-9a-f]{8}$/);
    expect(asked).toEqual([{ model: [id] }]);
    expect(configModels.value.get(id)).toEqual({ config: CONFIG, name: 'mine' });
  });
});
