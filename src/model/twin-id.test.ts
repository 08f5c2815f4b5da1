/** Ids of twins, taken apart and put together. */
import { describe, expect, it } from 'vitest';
import { isModelId } from '../protocol/options';
import { configId, readTwinId, twinIdWith } from './twin-id';

describe('readTwinId', () => {
  it.each([
    ['twin:owner/name', { base: 'owner/name', latent: false, layers: null }],
    ['twin:owner/name:layers=2', { base: 'owner/name', latent: false, layers: 2 }],
    ['latent:owner/name:layers=61', { base: 'owner/name', latent: true, layers: 61 }],
    ['config:llama-0123abcd', { base: 'config:llama-0123abcd', latent: false, layers: null }],
    ['config:llama-0123abcd:layers=3', { base: 'config:llama-0123abcd', latent: false, layers: 3 }],
    ['latent:config:kimi-0123abcd', { base: 'config:kimi-0123abcd', latent: true, layers: null }],
  ])('%s, which is a model id, and back', (id, parts) => {
    expect(readTwinId(id)).toEqual(parts);
    expect(twinIdWith(parts, parts.layers)).toBe(id);
    expect(isModelId(id)).toBe(true);
  });

  it.each([
    'tiny',
    'owner/name',
    'mha:owner/name',
    'twin:name',
    'local:x',
    'twin:a/b:layers=0',
    'twin:a/b/c',
  ])('%s is none', (id) => {
    expect(readTwinId(id)).toBeNull();
  });

  it.each([
    'twin:a/b:layers=0',
    'twin:a/b:layers=x',
    'owner/name:layers=2',
    'config:a/b',
    'config:',
    'latent:a',
  ])('%s is no model id', (id) => {
    expect(isModelId(id)).toBe(false);
  });
});

describe('configId', () => {
  it('tells configs apart, and is a model id whatever the model_type', () => {
    const first = configId({ model_type: 'qwen3', num_hidden_layers: 2 });
    expect(first).toMatch(/^config:qwen3-[0-9a-f]{8}$/);
    expect(configId({ model_type: 'qwen3', num_hidden_layers: 2 })).toBe(first);
    expect(configId({ model_type: 'qwen3', num_hidden_layers: 3 })).not.toBe(first);
    for (const odd of [{ model_type: '../<b> …' }, { model_type: 7 }, {}, null, [], 'x']) {
      expect(isModelId(configId(odd))).toBe(true);
    }
  });
});
