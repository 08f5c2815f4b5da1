/** What the page answers experiments about models: from the catalog, from opened sources, from a record that came back. */
import { describe, expect, it } from 'vitest';
import { readGeometry } from '../geometry/read-config';
import { LabError, type Fault } from '../protocol/faults';
import { defaultRecipe } from '../protocol/recipe';
import { lengthRecord, QWEN } from '../protocol/sample-record.fixture';
import type { ModelSource } from '../protocol/source';
import { isOutside, labModels, unknownModel } from './models';

const NONE = { sources: [], refused: [] };
const GEOMETRY = readGeometry({
  model_type: 'llama',
  hidden_size: 128,
  num_hidden_layers: 2,
  num_attention_heads: 4,
});
const source = (dtype: string, cacheType: string) =>
  ({ id: 'owner/name', dtype, cacheType, geometry: GEOMETRY }) as ModelSource;

describe('isOutside', () => {
  it.each([
    ['onnx-community/Qwen3-0.6B-ONNX', true],
    ['owner/name@0123abc', true],
    ['local:내 모델', true],
    ['tiny', false],
    [QWEN, false],
    ['mha:Qwen/Qwen2.5-0.5B-Instruct', false],
    ['twin:nobody/nothing', false],
    ['nothing', false],
  ])('%s: %s', (id, outside) => {
    expect(isOutside(id)).toBe(outside);
  });
});

describe('unknownModel', () => {
  const faultOf = (...model: string[]) => unknownModel({ ...defaultRecipe(), model });

  it('is null for what is in the catalog, and for what a hub or a folder could have', () => {
    expect(faultOf('tiny', QWEN, 'mha:tiny', 'owner/name', 'local:x')).toBeNull();
    // Whether the catalogue of architectures has it is known once that is loaded.
    expect(faultOf('twin:nobody/nothing', 'latent:a/b:layers=2', 'config:llama-0123abcd')).toBeNull();
  });

  it('names the first that no one could have, and those that there are', () => {
    const fault = faultOf('tiny', 'twin:nothing', 'nothing');
    expect(fault).toMatchObject({ code: 'recipe-unknown-model', params: { model: 'twin:nothing' } });
    expect(fault?.params['known']).toContain(QWEN);
  });

  it('refuses the counterfactual of a model that shares no heads', () => {
    expect(faultOf('mha:openai-community/gpt2')?.code).toBe('recipe-unknown-model');
  });
});

describe('labModels', () => {
  it('knows the geometry of the catalog, of a counterfactual, and of what was opened', () => {
    const models = labModels({ sources: [source('q4', 'float32')], refused: [] });
    expect(models.geometryOf(QWEN)).toMatchObject({ layers: 24, kvHeads: 2, headDim: 64 });
    expect(models.geometryOf('mha:Qwen/Qwen2.5-0.5B-Instruct')).toMatchObject({ layers: 24, kvHeads: 14 });
    expect(models.geometryOf('owner/name')).toBe(GEOMETRY);
    expect(() => models.geometryOf('owner/other')).toThrow(LabError);
  });

  it('takes the geometry of a record that came back, where no files are at hand', () => {
    const [model] = lengthRecord().models;
    if (model === undefined) throw new Error('no model');
    const record = { ...lengthRecord(), models: [{ ...model, id: 'owner/name' }] };
    expect(labModels(NONE, record).geometryOf('owner/name')).toBe(model.geometry);
  });

  it('takes the element size from the graph of that variant, else from its name', () => {
    const models = labModels({ sources: [source('q4', 'float16'), source('fp32', 'float32')], refused: [] });
    expect(models.itemSizeOf('owner/name', 'q4')).toBe(2);
    expect(models.itemSizeOf('owner/name', 'fp32')).toBe(4);
    expect(models.itemSizeOf('owner/name', 'q8')).toBe(4);
    expect(models.itemSizeOf('tiny', 'q4')).toBe(4);
    expect(models.itemSizeOf('tiny', 'fp16')).toBe(2);
  });

  it('knows the variants that the page does not build, and those that could not be opened', () => {
    const fault: Fault = { code: 'hub-dtype-missing', params: { where: 'x', dtype: 'q8', known: 'q4' } };
    const models = labModels({
      sources: [source('q4', 'float32')],
      refused: [{ id: 'owner/name', dtype: 'q8', fault }],
    });
    expect(models.variantFault(QWEN, 'q4')).toBeNull();
    expect(models.variantFault(QWEN, 'bnb4')).toEqual({
      code: 'dtype-not-built',
      params: { dtype: 'bnb4', available: 'fp32, fp16, q4, q4f16, q8' },
    });
    expect(models.variantFault('owner/name', 'q4')).toBeNull();
    expect(models.variantFault('owner/name', 'q8')).toBe(fault);
  });

  it('names the counterfactual of a model that shares heads', () => {
    const models = labModels(NONE);
    expect(models.counterfactualOf(QWEN)).toBe('mha:Qwen/Qwen2.5-0.5B-Instruct');
    expect(models.counterfactualOf('twin:openai-community/gpt2')).toBeNull();
    expect(models.counterfactualOf('owner/name')).toBeNull();
  });

  it('counts a prompt in UTF-8 bytes: K, V, a space, and three syllables of three bytes', () => {
    expect(labModels(NONE).promptTokensOf('tiny', 'KV 캐시는')).toBe(12);
  });
});
