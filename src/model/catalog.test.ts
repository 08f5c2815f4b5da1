/** The catalog's facts against the first article (shared paper-tables.json, 000_lengthSweep_fp32_batch1). */
import { describe, expect, it } from 'vitest';
import { bytesPerToken } from '../geometry/bytes';
import { readGeometry } from '../geometry/read-config';
import { CATALOG, counterfactualOf, findModel, weightBytes } from './catalog';

const FACTS = [
  {
    id: 'twin:Qwen/Qwen2.5-0.5B-Instruct',
    revision: '7ae557604adf',
    layers: 24,
    attentionHeads: 14,
    kvHeads: 2,
    headDim: 64,
    maxPositions: 32768,
    bytes: 24576,
    weightMiB: 1885,
  },
  {
    id: 'twin:HuggingFaceTB/SmolLM2-135M-Instruct',
    revision: '12fd25f77366',
    layers: 30,
    attentionHeads: 9,
    kvHeads: 3,
    headDim: 64,
    maxPositions: 8192,
    bytes: 46080,
    weightMiB: 513,
  },
  {
    id: 'twin:openai-community/gpt2',
    revision: '607a30d783df',
    layers: 12,
    attentionHeads: 12,
    kvHeads: 12,
    headDim: 64,
    maxPositions: 1024,
    bytes: 73728,
    weightMiB: 475,
  },
];

describe('catalog', () => {
  it.each(FACTS)('$id', ({ id, revision, bytes, weightMiB, ...shape }) => {
    const model = findModel(id);
    expect(model).toMatchObject({
      revision,
      source: 'twin',
      repo: id.slice('twin:'.length),
      geometry: shape,
    });
    expect(model && bytesPerToken(model.geometry, 4)).toBe(bytes);
    expect(Math.round(((model?.parameters ?? 0) * 4) / 2 ** 20)).toBe(weightMiB);
  });

  it('tiny: 2,048 bytes per token, grouped heads, a head dim of its own, bytes as tokens', () => {
    const tiny = findModel('tiny');
    expect(tiny).toMatchObject({
      source: 'built-in',
      revision: 'built-in',
      parameters: null,
      config: { vocab_size: 256 },
      geometry: {
        layers: 4,
        attentionHeads: 8,
        kvHeads: 2,
        headDim: 32,
        hiddenSize: 128,
        maxPositions: 4096,
      },
    });
    expect(tiny && bytesPerToken(tiny.geometry, 4)).toBe(2048);
  });

  it('writes down the geometries that the reader reads from the configs', () => {
    for (const { config, geometry } of CATALOG) expect(readGeometry(config)).toMatchObject(geometry);
  });

  it('has four models with different ids, and null for any other', () => {
    expect(CATALOG.map((model) => model.id)).toEqual(['tiny', ...FACTS.map((fact) => fact.id)]);
    expect(findModel('Qwen/Qwen2.5-0.5B-Instruct')).toBeNull();
    expect(findModel('../../etc')).toBeNull();
  });
});

describe('the counterfactual with as many KV heads as attention heads', () => {
  // Golden 000_gqa_Qwen2.5-0.5B: 172,032 bytes, 7.0x. SmolLM2: 9 / 3 heads, 46,080 x 3. tiny: 8 / 2 heads, 2,048 x 4.
  it.each([
    ['twin:Qwen/Qwen2.5-0.5B-Instruct', 'mha:Qwen/Qwen2.5-0.5B-Instruct', 14, 172_032],
    ['twin:HuggingFaceTB/SmolLM2-135M-Instruct', 'mha:HuggingFaceTB/SmolLM2-135M-Instruct', 9, 138_240],
    ['tiny', 'mha:tiny', 8, 8192],
  ])('of %s is %s', (id, other, heads, bytes) => {
    expect(counterfactualOf(id)).toBe(other);
    const [real, model] = [findModel(id), findModel(other)];
    expect(model).toMatchObject({
      id: other,
      name: `${real?.name ?? ''} with as many KV heads as attention heads`,
      revision: real?.revision,
      source: 'twin',
      parameters: null,
      config: { num_key_value_heads: heads },
      geometry: { attentionHeads: heads, kvHeads: heads, headDim: real?.geometry.headDim },
    });
    expect(model && bytesPerToken(model.geometry, 4)).toBe(bytes);
    expect(readGeometry(model?.config)).toMatchObject(model?.geometry ?? {});
  });

  it('is none of GPT-2, which has them already, of itself, or of what is not in the catalog', () => {
    for (const id of ['twin:openai-community/gpt2', 'mha:tiny', 'Qwen/Qwen3-0.6B', '']) {
      expect(counterfactualOf(id)).toBeNull();
    }
    expect(findModel('mha:openai-community/gpt2')).toBeNull();
    expect(findModel('mha:')).toBeNull();
    expect(findModel('mha:mha:tiny')).toBeNull();
  });
});

describe('weight bytes', () => {
  it('are parameters x 4 or x 2, and of quantised variants unknown', () => {
    // Golden: 1,885 MiB in fp32.
    expect(weightBytes(494_032_768, 'fp32')).toBe(1_976_131_072);
    expect(weightBytes(494_032_768, 'fp16')).toBe(988_065_536);
    expect(weightBytes(494_032_768, 'bf16')).toBe(988_065_536);
    for (const dtype of ['q4', 'q4f16', 'q8'] as const) expect(weightBytes(494_032_768, dtype)).toBeNull();
  });
});
