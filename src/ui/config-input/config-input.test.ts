/** Ways in: texts as people have them, by hand, and the catalogue's search. */
import { describe, expect, it } from 'vitest';
import { formulaBytes } from '../../geometry/bytes';
import { ARCHITECTURES } from '../../model/architectures';
import { modelByHand, type HandFields, type HandWay } from './by-hand';
import { findModels, listModels } from './catalogue';
import { namedRepository } from './named-repository';
import { prefillOf, readModelText } from './read-model';

const LLAMA =
  '{"model_type":"llama","num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"hidden_size":64}';

describe('a text', () => {
  it('is a model, named by its model_type or the repository that it says it is from', () => {
    const read = readModelText(LLAMA, 'paste');
    expect(read).toMatchObject({ model: { name: 'llama', repairs: [], from: 'paste', id: null } });
    const named = readModelText(LLAMA.replace('{', '{"_name_or_path":"a/b-c",'), 'file');
    expect(named).toMatchObject({ model: { name: 'a/b-c', from: 'file' } });
  });
  it('says what was overlooked', () => {
    const text = `LlamaConfig ${LLAMA.replace('}', ', "use_cache": True, # yes\n}')}`;
    expect(readModelText(text, 'paste')).toMatchObject({
      model: { repairs: ['text-around', 'python', 'relaxed-json'] },
    });
  });
  it.each([
    ['<!doctype html><html></html>', 'config-html'],
    [LLAMA.slice(0, 60), 'config-truncated'],
    ['[1]', 'config-not-object'],
    ['hello', 'config-not-json'],
  ])('%s is a fault', (text, code) => {
    expect(readModelText(text, 'paste')).toMatchObject({ fault: { code } });
  });
  it('without a field offers what it has', () => {
    const read = readModelText('{"model_type":"llama","num_attention_heads":4,"hidden_size":64}', 'paste');
    expect(read).toMatchObject({
      fault: { code: 'config-missing-field' },
      prefill: { name: 'llama', layers: null, kvHeads: 4, headDim: 16 },
    });
  });
  it('that is no object has nothing to prefill', () => {
    expect(prefillOf([1, 2])).toBeNull();
    expect(prefillOf({ text_config: { num_hidden_layers: 7, head_dim: 64 } })).toMatchObject({
      layers: 7,
      headDim: 64,
    });
  });
});

const NONE: HandFields = {
  name: '',
  layers: '',
  kvHeads: '',
  attentionHeads: '',
  keyDim: '',
  valueDim: '',
  windowLayers: '',
  window: '',
  bytesPerToken: '',
  fixedBytes: '',
};

const bytesOf = (fields: Partial<HandFields>, way: HandWay, tokens: number): number | null => {
  const read = modelByHand({ ...NONE, ...fields }, way);
  return 'model' in read ? formulaBytes(read.model.geometry, { batch: 1, tokens, elementBytes: 2 }) : null;
};

describe('by hand', () => {
  it('heads and dims are a geometry', () => {
    // Qwen3-8B: 36 layers x 8 x (128 + 128) x 2 bytes.
    expect(bytesOf({ layers: '36', kvHeads: '8', keyDim: '128' }, 'heads', 1)).toBe(147_456);
    // 10 of 12 layers keep 512 tokens.
    const gemma = { layers: '12', kvHeads: '1', keyDim: '256', windowLayers: '10', window: '512' };
    expect(bytesOf(gemma, 'heads', 32_768)).toBe(72_351_744);
    // MLA: 61 x 576 x 2 bytes.
    expect(bytesOf({ layers: '61', kvHeads: '1', keyDim: '576', valueDim: '0' }, 'heads', 1)).toBe(70_272);
  });
  it('bytes are bytes whatever the type', () => {
    expect(bytesOf({ bytesPerToken: '890' }, 'bytes', 1000)).toBe(890_000);
    expect(bytesOf({ bytesPerToken: '1,024', fixedBytes: '5' }, 'bytes', 2)).toBe(2053);
    expect(bytesOf({ bytesPerToken: '0', fixedBytes: '5' }, 'bytes', 2)).toBe(5);
  });
  it('names the field that cannot be used', () => {
    const read = modelByHand({ ...NONE, layers: '3', kvHeads: 'x', keyDim: '64' }, 'heads');
    expect(read).toEqual({ fault: { field: 'kvHeads', value: 'x', min: 1, max: 65_536, multipleOf: 1 } });
    const windows = { layers: '3', kvHeads: '1', keyDim: '64', windowLayers: '4' };
    const odd = { layers: '3', kvHeads: '3', attentionHeads: '4', keyDim: '64' };
    expect(modelByHand({ ...NONE, ...odd }, 'heads')).toMatchObject({
      fault: { field: 'attentionHeads', multipleOf: 3 },
    });
    expect(modelByHand({ ...NONE, ...windows }, 'heads')).toMatchObject({
      fault: { field: 'windowLayers', max: 3 },
    });
  });
});

describe('the catalogue', () => {
  const models = listModels(ARCHITECTURES);
  const find = (query: string): string[] =>
    findModels(models, query, (kind) => (kind === 'recurrent' ? 'state' : kind)).map(
      ({ architecture }) => architecture.id,
    );

  it('has the kinds of every model’s cache', () => {
    expect(
      models.filter(({ kinds }) => kinds.length === 0).map(({ architecture }) => architecture.id),
    ).toEqual([]);
  });
  it('finds names, families and kinds', () => {
    expect(find('qwen3-8b')).toContain('Qwen/Qwen3-8B');
    expect(find('latent deepseek').length).toBeGreaterThan(0);
    expect(find('state qwen').every((id) => /qwen/i.test(id))).toBe(true);
    expect(find('no such model')).toEqual([]);
    expect(find(' ')).toHaveLength(ARCHITECTURES.length);
  });
  it('puts names that begin so first', () => {
    expect(find('gemma')[0]).toMatch(/^google\/gemma/);
  });
});

describe('a text that names a repository', () => {
  it.each([
    ['Qwen/Qwen3-8B', 'Qwen/Qwen3-8B'],
    ['https://huggingface.co/Qwen/Qwen3-8B/blob/main/config.json', 'Qwen/Qwen3-8B'],
    ['huggingface.co/Qwen/Qwen3-8B', 'Qwen/Qwen3-8B'],
    ['https://github.com/openai/gpt-oss.git', 'openai/gpt-oss'],
    ['https://github.com/openai/gpt-oss/blob/main/README.md', 'openai/gpt-oss'],
    ['hello', null],
    ['see Qwen/Qwen3-8B for it', null],
  ])('%s is %s', (text, id) => {
    expect(namedRepository(text, 'https://huggingface.co')).toBe(id);
  });
});
