/** Configs without layer types, as LFM2's first exports have them (field report C7, config-cases.json). */
import { describe, expect, it } from 'vitest';
import { completeConfig } from './complete-config';

const input = (name: string) => ({ name, type: 'float32', dims: [] });
const HYBRID = ['past_conv.0', 'past_key_values.1.key', 'past_key_values.1.value', 'past_conv.2'].map(input);

describe('completeConfig', () => {
  it('gives LFM2 the types that its cache inputs show', () => {
    const config = { model_type: 'lfm2', full_attn_idxs: [1], num_hidden_layers: 3 };
    expect(completeConfig(config, HYBRID)).toEqual({
      ...config,
      layer_types: ['conv', 'full_attention', 'conv'],
    });
  });

  it('takes a layer with a recurrent and a convolution’s state for linear attention, in the text part', () => {
    const inputs = ['past_conv.0', 'past_recurrent.0', 'past_key_values.1.key'].map(input);
    expect(
      completeConfig({ model_type: 'qwen3_5', text_config: { model_type: 'qwen3_5_text' } }, inputs),
    ).toEqual({
      model_type: 'qwen3_5',
      text_config: { model_type: 'qwen3_5_text', layer_types: ['linear_attention', 'full_attention'] },
    });
  });

  it.each([
    ['a config that has them', { model_type: 'lfm2', layer_types: ['conv'] }],
    ['a family that needs none', { model_type: 'llama' }],
    ['what is no object', 'lfm2'],
  ])('leaves %s alone', (_, config) => {
    expect(completeConfig(config, HYBRID)).toBeNull();
  });

  it('does not guess a layer that the graph does not show', () => {
    const inputs = ['past_conv.0', 'past_key_values.2.key'].map(input);
    expect(completeConfig({ model_type: 'lfm2' }, inputs)).toBeNull();
  });
});
