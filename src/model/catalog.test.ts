/** The catalog's facts against the first article (shared paper-tables.json, 000_lengthSweep_fp32_batch1). */
import { describe, expect, it } from 'vitest';
import { bytesPerToken } from '../geometry/bytes';
import { CATALOG, findModel } from './catalog';

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

  it('has four models with different ids, and null for any other', () => {
    expect(CATALOG.map((model) => model.id)).toEqual(['tiny', ...FACTS.map((fact) => fact.id)]);
    expect(findModel('Qwen/Qwen2.5-0.5B-Instruct')).toBeNull();
    expect(findModel('../../etc')).toBeNull();
  });
});
