import { describe, expect, it } from 'vitest';
import { readGeometry } from './read-config';

/** The size of GPT-2: 12 layers, 12 heads of 64. */
const SIZE = { num_hidden_layers: 12, num_attention_heads: 12, hidden_size: 768 };

describe('a config without a number of KV heads', () => {
  it.each(['gpt2', 'bloom', 'opt', 'gpt_neox', 'mpt', 'gptj', 'qwen'])(
    'of %s, which is multi-head by design, assumes nothing',
    (model_type) => {
      const { kvHeads, assumed } = readGeometry({ ...SIZE, model_type });
      expect({ kvHeads, assumed }).toEqual({ kvHeads: 12, assumed: [] });
    },
  );

  it('of Falcon without multi_query assumes nothing', () => {
    const { kvHeads, assumed } = readGeometry({ ...SIZE, model_type: 'falcon', multi_query: false });
    expect({ kvHeads, assumed }).toEqual({ kvHeads: 12, assumed: [] });
  });

  // Each class could have been told fewer heads; 12 is no multiple of the 8 and 32 that Mistral's and Qwen2's have.
  it.each(['llama', 'mistral', 'qwen2', 'phi'])(
    'of %s says that as many as attention heads were read',
    (type) => {
      const note = { field: 'num_key_value_heads', value: 12, code: 'as-attention-heads' };
      expect(readGeometry({ ...SIZE, model_type: type }).assumed).toContainEqual(note);
      expect(readGeometry({ ...SIZE, model_type: type, num_key_value_heads: null }).assumed).toContainEqual(
        note,
      );
      expect(readGeometry({ ...SIZE, model_type: type, num_key_value_heads: 12 }).assumed).not.toContainEqual(
        note,
      );
    },
  );

  it('says that the class’s own number was taken, also where it is that of the attention heads', () => {
    const config = { ...SIZE, model_type: 'qwen2', num_attention_heads: 32 };
    expect(readGeometry(config).assumed).toEqual([
      { field: 'num_key_value_heads', value: 32, code: 'class-default' },
    ]);
  });

  it('of a family that is not known says both that it is, and what its heads were taken for', () => {
    expect(readGeometry({ ...SIZE, model_type: 'brand_new' }).assumed).toEqual([
      { field: 'model_type', value: 'brand_new', code: 'unknown-family' },
      { field: 'num_key_value_heads', value: 12, code: 'as-attention-heads' },
      { field: 'head_dim', value: 64, code: 'hidden-over-heads' },
    ]);
  });
});
