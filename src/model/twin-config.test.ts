/** The config.json of twins, read by transformers.js' own code: it has to name every cache tensor, or it would leave it on the CPU. */
import { describe, expect, it } from 'vitest';
import { underGraphRule } from '../geometry/engines/graph';
import { readGeometry } from '../geometry/read-config';
import { LabError } from '../protocol/faults';
import { ARCHITECTURES } from './architectures';
import { cacheParts, keyValueNames } from './cache-parts';
import { attention, conv, family, state } from './families.fixture';
import { twinConfig } from './twin-config';
import type { Geometry } from '../geometry/geometry';

/** Not exported by the package, so it is imported by its file. */
const CONFIGS = '../../node_modules/@huggingface/transformers/src/configs.js';
const { getCacheNames } = (await import(/* @vite-ignore */ CONFIGS)) as {
  getCacheNames: (config: object, options?: { prefix?: string }) => Set<string>;
};

function namesOf(geometry: Geometry): { own: string[]; named: Set<string> } {
  const parts = cacheParts(geometry);
  const own = parts.flatMap((part) => {
    if (part.kind !== 'attention') return [part.names.present];
    const key = keyValueNames(part.layer, 'key').present;
    return part.valueDim === 0 ? [key] : [key, keyValueNames(part.layer, 'value').present];
  });
  return { own, named: getCacheNames(twinConfig(geometry, parts), { prefix: 'present' }) };
}

describe('the config of a twin', () => {
  it.each([
    ['llama', [attention(0, 2, 8), attention(1, 2, 8)]],
    ['lfm2', [conv(0, 8, 3), attention(1, 2, 8)]],
    ['granitemoehybrid', [conv(0, 8, 4), state(0, [2, 4, 8]), attention(1, 2, 8)]],
    ['falcon_h1', [attention(0, 2, 8), conv(0, 8, 4), state(0, [2, 4, 8])]],
    ['qwen3_5_text', [conv(0, 8, 4), state(0, [2, 4, 8]), attention(1, 2, 8)]],
    ['olmo_hybrid', [conv(0, 16, 4), state(0, [2, 4, 2]), attention(1, 2, 8)]],
  ])('of %s names its cache tensors and no other', (modelType, caches) => {
    const { own, named } = namesOf(underGraphRule(family(modelType, caches)));
    expect([...named].sort()).toEqual([...own].sort());
  });

  interface Named {
    id: string;
    /** Null where there is no twin. */
    own: string[] | null;
    named: Set<string>;
  }
  const twins = ARCHITECTURES.map(({ id, config }): Named => {
    try {
      return { id, ...namesOf(underGraphRule(readGeometry(config))) };
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      return { id, own: null, named: new Set() };
    }
  });

  it('names every cache tensor of every model in the catalogue that has a twin', () => {
    for (const { id, own, named } of twins) {
      expect(
        (own ?? []).filter((name) => !named.has(name)),
        id,
      ).toEqual([]);
    }
  });

  it('has no twin for compressed entries and for encoders’ keys and values alone', () => {
    expect(twins.filter(({ own }) => own === null).map(({ id }) => id)).toEqual([
      'deepseek-ai/DeepSeek-V4-Flash',
      'deepseek-ai/DeepSeek-V4-Pro',
      'openai/whisper-tiny',
      'google/flan-t5-small',
      'facebook/bart-large',
    ]);
  });
});
