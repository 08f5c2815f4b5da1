/** Names and shapes of the cache inputs of each family (transformers.js 4.3.2, src/configs.js, `getCacheNames`). */
import { describe, expect, it } from 'vitest';
import { underGraphRule } from '../geometry/engines/graph';
import type { Geometry, LayerCache } from '../geometry/geometry';
import { LabError } from '../protocol/faults';
import { cacheParts, keyValueNames, type CachePart } from './cache-parts';
import { attention, conv, family, state } from './families.fixture';

/** Every input by its name, with the dims of one sequence; `S` grows. */
function inputs(geometry: Geometry): Record<string, (number | string)[]> {
  return Object.fromEntries(cacheParts(underGraphRule(geometry)).flatMap(entriesOf));
}

function entriesOf(part: CachePart): [string, (number | string)[]][] {
  switch (part.kind) {
    case 'attention': {
      const entry = (name: 'key' | 'value', dim: number): [string, (number | string)[]] => [
        keyValueNames(part.layer, name).past,
        [part.kvHeads, 'S', dim],
      ];
      return part.valueDim === 0
        ? [entry('key', part.keyDim)]
        : [entry('key', part.keyDim), entry('value', part.valueDim)];
    }
    case 'conv':
      return [[part.names.past, [part.channels, part.kernel]]];
    case 'state':
      return [[part.names.past, part.dims]];
  }
}

describe('cache inputs', () => {
  it('of attention: heads and dims of each layer, whatever its window', () => {
    const sliding: LayerCache = { ...attention(0, 4, 256), kind: 'sliding', capTokens: 512 };
    expect(inputs(family('gemma4_text', [sliding, attention(1, 2, 512, 80)]))).toEqual({
      'past_key_values.0.key': [4, 'S', 256],
      'past_key_values.0.value': [4, 'S', 256],
      'past_key_values.1.key': [2, 'S', 512],
      'past_key_values.1.value': [2, 'S', 80],
    });
  });

  it('of latents: decompressed where the model can, else the one vector', () => {
    // DeepSeek-V3: rank 512 + rope 64; 128 heads of 192 and 128.
    const latent: LayerCache = { ...attention(0, 1, 576, 0), kind: 'latent' };
    const expanded = { kvHeads: 128, keyDim: 192, valueDim: 128 };
    expect(inputs(family('deepseek_v3', [{ ...latent, expanded }]))).toEqual({
      'past_key_values.0.key': [128, 'S', 192],
      'past_key_values.0.value': [128, 'S', 128],
    });
    expect(inputs(family('deepseek_v3', [latent]))).toEqual({ 'past_key_values.0.key': [1, 'S', 576] });
  });

  it.each([
    ['lfm2', { 'past_conv.0': [32, 3] }, [conv(0, 32, 3)]],
    [
      'falcon_h1',
      { 'past_conv.0': [32, 4], 'past_ssm.0': [4, 8, 16] },
      [conv(0, 32, 4), state(0, [4, 8, 16])],
    ],
    ['nemotron_h', { 'past_ssm.0': [4, 8, 16] }, [state(0, [4, 8, 16])]],
    ['granitemoehybrid', { 'past_conv.0': [32, 4] }, [conv(0, 32, 4)]],
    [
      'qwen3_next',
      { 'past_conv.0': [32, 4], 'past_recurrent.0': [4, 8, 8] },
      [conv(0, 32, 4), state(0, [4, 8, 8])],
    ],
    ['qwen3_5_moe_text', { 'past_recurrent.0': [4, 8, 8] }, [state(0, [4, 8, 8])]],
    // Unknown to transformers.js: Granite's names.
    ['jamba', { 'past_conv.0': [64, 4], 'past_ssm.0': [64, 16] }, [conv(0, 64, 4), state(0, [64, 16])]],
  ])('of states in %s: %j', (modelType, expected, caches) => {
    expect(inputs(family(modelType, caches))).toEqual(expected);
  });

  it('of OLMo’s three convolutions: keys and queries alike, values as wide as the state says', () => {
    // 3 heads of 8 for keys and queries, of 16 for values: 24 + 24 + 48 channels.
    expect(inputs(family('olmo_hybrid', [conv(0, 96, 4), state(0, [3, 16, 8])]))).toEqual({
      'past_conv.0.key': [24, 4],
      'past_conv.0.value': [48, 4],
      'past_conv.0.query': [24, 4],
      'past_recurrent.0': [3, 8, 16],
    });
  });

  it('of a layer with two attentions are counted on', () => {
    const caches = [attention(0, 2, 8), attention(0, 2, 8), attention(1, 2, 8)];
    expect(
      Object.keys(inputs(family('longcat_flash', caches))).filter((name) => name.endsWith('key')),
    ).toEqual(['past_key_values.0.key', 'past_key_values.1.key', 'past_key_values.2.key']);
  });

  it('are none for layers that share or keep nothing', () => {
    const shared: LayerCache = { ...attention(1, 0, 0), kind: 'shared', sharedWith: 0 };
    expect(Object.keys(inputs(family('gemma3n_text', [attention(0, 2, 256), shared])))).toHaveLength(2);
  });

  it.each(['cross', 'compressed'] as const)('a cache of kind %s has no twin', (kind) => {
    let fault: unknown = null;
    try {
      cacheParts(family('whisper', [{ ...attention(0, 2, 8), kind }]));
    } catch (error) {
      if (error instanceof LabError) fault = error.fault;
    }
    expect(fault).toEqual({ code: 'twin-not-built', params: { model: 'whisper', what: kind } });
  });
});
