/** The catalogue: its facts have sources, and the reader finds in its configs the bytes that were worked out by hand. */
import { describe, expect, test } from 'vitest';
import { bytesPerToken, bytesPerTokenFar, fixedBytes } from '../../geometry/bytes';
import { readGeometry } from '../../geometry/read-config';
import { EXPECTED } from './expected.fixture';
import { ARCHITECTURES, findArchitecture } from './index';
import { repeat } from './layer-lists';

describe('the catalogue', () => {
  test('has at least 60 models, each once', () => {
    expect(ARCHITECTURES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(ARCHITECTURES.map(({ id }) => id.toLowerCase())).size).toBe(ARCHITECTURES.length);
  });

  test('has worked-out bytes for every model, and for no other', () => {
    expect(EXPECTED.map(([id]) => id).sort()).toEqual(ARCHITECTURES.map(({ id }) => id).sort());
  });

  test.each(ARCHITECTURES.map((architecture) => [architecture.id, architecture] as const))(
    '%s says where its fields were read',
    (_, { source, config, parameters, weightBytes }) => {
      expect(source.repository).toMatch(/^[\w-]+\/[\w.-]+$|^this project$/);
      expect(source.path).toMatch(/\.(json|py|yml)$/);
      if (source.commit === null) expect(source.path).toMatch(/^src\/geometry\/golden\/[\w-]+\.json$/);
      else expect(source.commit).toMatch(/^[0-9a-f]{40}$|^v\d+\.\d+\.\d+$/);
      expect(config['model_type']).toEqual(expect.any(String));
      if (parameters) expect(parameters.source).not.toBe('');
      if (weightBytes) expect(weightBytes.source).not.toBe('');
    },
  );

  test.each([
    ['meta-llama/Meta-Llama-3.1-8B', 8_030_261_248, 16_060_522_496],
    ['Qwen/Qwen3-8B', 8_190_735_360, 16_381_470_720],
    ['Qwen/Qwen3-32B', 32_762_123_264, 65_524_246_528],
    ['openai/gpt-oss-120b', undefined, 65_248_815_744],
  ])('knows the parameters and the weights of %s', (id, count, bytes) => {
    const found = findArchitecture(id);
    expect(found?.parameters?.count).toBe(count);
    expect(found?.weightBytes?.bytes).toBe(bytes);
  });

  test('is searched by hub id', () => {
    expect(findArchitecture(' qwen/qwen3-8b ')?.weightBytes?.bytes).toBe(16_381_470_720);
    expect(findArchitecture('nobody/nothing')).toBeNull();
  });

  test('writes layer lists as config.json has them', () => {
    const list = findArchitecture('google/gemma-4-E2B')?.config['text_config'] as { layer_types: string[] };
    expect(list.layer_types).toHaveLength(35);
    expect(list.layer_types.slice(0, 6).map((type) => type[0])).toEqual(['s', 's', 's', 's', 'f', 's']);
    expect(repeat(['a', 'b'], 2)).toEqual(['a', 'b', 'a', 'b']);
  });
});

describe('bytes at 2 bytes an element', () => {
  test.each(EXPECTED)('%s', (id, first, far, fixed, working) => {
    const geometry = readGeometry(findArchitecture(id)?.config);
    expect(bytesPerToken(geometry, 2), working).toBe(first);
    expect(bytesPerTokenFar(geometry, 2), working).toBe(far);
    if (fixed !== null) expect(fixedBytes(geometry, 2), working).toBe(fixed);
  });
});
