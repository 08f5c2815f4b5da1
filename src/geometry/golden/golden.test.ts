/**
 * Public configs whose bytes are known. `architectures.json` and `config-cases.json` beside this file hold the deciding fields,
 * the right bytes and where they were read; each line is one model or one config that other tools got wrong.
 */
import { describe, expect, it } from 'vitest';
import architectures from './architectures.json';
import cases from './config-cases.json';
import { bytesPerToken, bytesPerTokenFar, fixedBytes, formulaBytes } from '../bytes';
import { parseConfigText } from '../config-text';
import { underGraphRule } from '../engines/graph';
import type { Geometry, LayerCacheKind } from '../geometry';
import { GeometryError } from '../geometry-error';
import { readGeometry } from '../read-config';

interface Expected {
  kvBytesPerToken?: number;
  kvBytesPerTokenBeyondWindow?: number;
  kvLayers?: number;
  kvHeads?: number;
  headDim?: number;
  window?: number;
  slidingLayers?: number;
  fullLayers?: number;
  materialisedBytesPerToken?: number;
  mlaOnly?: number;
  indexerBytesPerToken?: number;
  crossBytesPerEncoderToken?: number;
  crossBytesFixed?: number;
  inferredKvDtype?: string;
  fullCacheGraphBytesPerTokenBeyondWindow?: number;
  fixedStateElements?: { conv?: number; recurrent?: number; ssm?: number };
  totalBytesAt?: Record<string, Record<string, number>>;
  totalBytesCap?: Record<string, number>;
  traps?: Record<string, number | null>;
  status?: string;
}

const KEEPS_KEYS: readonly LayerCacheKind[] = ['full', 'sliding', 'chunked', 'latent'];

const CASES = cases as unknown as { id: string; config: unknown; expected: Expected }[];
const READABLE = CASES.filter(
  ({ id, expected }) => expected.kvBytesPerToken !== undefined && !id.startsWith('ort-'),
);

function layersOf({ caches }: Geometry, kinds: readonly LayerCacheKind[]): number {
  return new Set(caches.filter(({ kind }) => kinds.includes(kind)).map(({ layer }) => layer)).size;
}

function sumOf(
  { caches }: Geometry,
  kind: LayerCacheKind,
  count: (cache: Geometry['caches'][number]) => number,
) {
  return caches.filter((cache) => cache.kind === kind).reduce((sum, cache) => sum + count(cache), 0);
}

/** The facts of a case, read off a geometry at 2 bytes an element, under the names that the case has for them. */
function facts(geometry: Geometry, expected: Expected): Expected {
  const keys = geometry.caches.filter(({ kind }) => KEEPS_KEYS.includes(kind));
  const all: Expected = {
    kvBytesPerToken: bytesPerToken(geometry, 2),
    kvBytesPerTokenBeyondWindow: bytesPerTokenFar(geometry, 2),
    kvLayers: layersOf(geometry, KEEPS_KEYS),
    kvHeads: geometry.kvHeads,
    headDim: geometry.headDim,
    window: Math.max(...keys.map(({ capTokens }) => capTokens ?? 0)),
    slidingLayers: layersOf(geometry, ['sliding', 'chunked']),
    fullLayers: layersOf(geometry, ['full']),
    materialisedBytesPerToken: bytesPerToken(underGraphRule(geometry), 2),
    mlaOnly: 2 * sumOf(geometry, 'latent', (cache) => cache.elementsPerToken),
    indexerBytesPerToken: 2 * sumOf(geometry, 'indexer', (cache) => cache.elementsPerToken),
    crossBytesPerEncoderToken:
      2 * sumOf(geometry, 'cross', (cache) => cache.fixedElements / (cache.encoderTokens ?? 0)),
    crossBytesFixed: 2 * sumOf(geometry, 'cross', (cache) => cache.fixedElements),
    inferredKvDtype: geometry.dtype ?? '',
    fullCacheGraphBytesPerTokenBeyondWindow: bytesPerTokenFar(underGraphRule(geometry), 2),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in expected));
}

describe('architectures.json: bytes at 2 bytes an element', () => {
  it.each(architectures.map((entry) => [entry.id, entry] as const))(
    '%s',
    (_id, { config, expect: expected }) => {
      const geometry = readGeometry(config);
      expect({
        perTokenFirst: bytesPerToken(geometry, 2),
        perTokenFar: bytesPerTokenFar(geometry, 2),
      }).toEqual({ perTokenFirst: expected.perTokenFirst, perTokenFar: expected.perTokenFar });
      // Qwen3.5-2B: its source gives no fields of the linear layers.
      if (expected.fixedBytes !== null) expect(fixedBytes(geometry, 2)).toBe(expected.fixedBytes);
      if ('totalAt32768' in expected) {
        expect(formulaBytes(geometry, { batch: 1, tokens: 32768, elementBytes: 2 })).toBe(
          expected.totalAt32768,
        );
      }
    },
  );
});

describe('config-cases.json: configs that other tools got wrong', () => {
  it.each(READABLE.map((entry) => [entry.id, entry] as const))('%s', (_id, { config, expected }) => {
    const geometry = readGeometry(config);
    const known = facts(geometry, expected);
    expect(known).toEqual(
      Object.fromEntries(Object.keys(known).map((name) => [name, expected[name as keyof Expected]])),
    );
    for (const wrong of Object.values(expected.traps ?? {}))
      expect(bytesPerToken(geometry, 2)).not.toBe(wrong);
  });

  it.each(
    READABLE.flatMap(({ id, config, expected }) =>
      expected.fixedStateElements ? [[id, config, expected.fixedStateElements] as const] : [],
    ),
  )('%s: elements of its fixed state, convolutions at the whole kernel', (_id, config, state) => {
    const geometry = readGeometry(config);
    const { caches } = underGraphRule(geometry);
    expect(sumOf({ ...geometry, caches }, 'conv', (cache) => cache.fixedElements)).toBe(state.conv ?? 0);
    expect(sumOf(geometry, 'recurrent', (cache) => cache.fixedElements)).toBe(state.recurrent ?? state.ssm);
  });

  it.each([
    ['gemma3-1b-pattern', 32768, 145752064, 872415232],
    ['gpt-oss-20b-alternating', 131072, 3224371200, 6442450944],
    // All layers slide: the window's bytes are all there is.
    ['mistral-7b-v0.1-window', 32768, 536870912, 4294967296],
  ])('%s at %i tokens: %i with windows, %i in a graph that trims nothing', (id, tokens, windowed, whole) => {
    const geometry = readGeometry(CASES.find((entry) => entry.id === id)?.config);
    const size = { batch: 1, tokens, elementBytes: 2 };
    expect(formulaBytes(geometry, size)).toBe(windowed);
    expect(formulaBytes(underGraphRule(geometry), size)).toBe(whole);
  });

  // ggml-org/llama.cpp#13833 and others: the edge of the window. Ideal keeps W tokens, so the last token that adds is the W-th.
  it.each([
    [4095, 4095 * 131072],
    [4096, 4096 * 131072],
    [4097, 4096 * 131072],
  ])('mistral-7b-v0.1 at %i tokens', (tokens, bytes) => {
    const geometry = readGeometry(CASES.find(({ id }) => id === 'mistral-7b-v0.1-window')?.config);
    expect(formulaBytes(geometry, { batch: 1, tokens, elementBytes: 2 })).toBe(bytes);
  });

  it.each([
    ['bert-no-cache', 'config-no-cache', {}],
    [
      'unknown-arch-missing-fields',
      'config-missing-field',
      { field: 'num_hidden_layers”, “num_attention_heads”, “hidden_size' },
    ],
    ['layer_types-length-mismatch', 'config-bad-field', { field: 'layer_types', value: 'a list of 27' }],
    ['hostile-values', 'config-bad-field', {}],
    ['not-json-html', 'config-html', {}],
  ])('%s is refused: %s', (id, code, params) => {
    const { config } = CASES.find((entry) => entry.id === id) ?? { config: null };
    let thrown: unknown;
    try {
      readGeometry(typeof config === 'string' ? parseConfigText(config) : config);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(GeometryError);
    expect(thrown).toMatchObject({ code, params });
  });
});
