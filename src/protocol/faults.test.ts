/** Faults: sentences with their values, and any thrown value as a fault. */
import { expect, it } from 'vitest';
import { readGeometry } from '../geometry/read-config';
import { describeFault, LabError, toFault } from './faults';

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

it('fills a sentence, with thousands separators, and leaves a missing value visible', () => {
  const fault = { code: 'over-max-position', params: { tokens: 2048 } } as const;
  expect(describeFault(fault)).toBe('2,048 tokens are over the model’s maximum position {maximum}.');
});

it('keeps the fault of a LabError', () => {
  const error = new LabError('out-of-memory', { bytes: 5, detail: 'x' }, 'raw');
  expect(toFault(error, 'run-failed')).toBe(error.fault);
  expect(error.message).toBe('Out of GPU memory: the device held 5 bytes when an allocation failed (x).');
});

it.each([
  [[], 'A config.json is a JSON object; this is a list.'],
  [{ n_layer: 2, n_head: 4 }, 'config.json lacks “hidden_size”, without which the cache size is unknown.'],
  [
    {},
    'config.json lacks “num_hidden_layers”, “num_attention_heads”, “hidden_size”, without which the cache size is unknown.',
  ],
  [
    { num_hidden_layers: 1e9 },
    'config.json has “num_hidden_layers” = 1000000000; it must be a whole number from 1 to 10,000.',
  ],
  [
    { model_type: 'transfo-xl' },
    'The cache of model_type “transfo-xl” is not known to this version (see its “model_type”): it is of another kind than those that are read. Set the numbers by hand.',
  ],
  [
    { model_type: 'bert' },
    'Going by its “model_type”, “bert” is an encoder: it sees all tokens at once and keeps no KV cache. Choose a model that generates text.',
  ],
  [
    { model_type: 'gemma3_text', use_bidirectional_attention: true },
    'Going by its “use_bidirectional_attention”, “gemma3_text” is an encoder: it sees all tokens at once and keeps no KV cache. Choose a model that generates text.',
  ],
])('says what is wrong with the config %j', (config, sentence) => {
  const error = thrownBy(() => readGeometry(config));
  expect(describeFault(toFault(error, 'run-failed'))).toBe(sentence);
});

it('puts anything else under the fallback, with its message and what the sentence needs', () => {
  expect(toFault(new TypeError('x is not a function'), 'run-failed')).toEqual({
    code: 'run-failed',
    params: { detail: 'x is not a function' },
    detail: 'x is not a function',
  });
  expect(toFault('plain text', 'model-load-failed', { model: 'tiny' }).params).toEqual({
    model: 'tiny',
    detail: 'plain text',
  });
});
