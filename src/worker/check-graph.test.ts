/** The check graph-cache: geometry against the loaded graph's own inputs. */
import { describe, expect, it } from 'vitest';
import { checkGraph } from './check-graph';
import { source } from './testing.fixture';
import type { GraphCacheEntry } from '../protocol/record';

/** 4 layers x 2 KV heads x 32. */
const { geometry } = source();
const input = (name: string, type: string, heads: number | string = 2, dim = 32): GraphCacheEntry => ({
  name,
  type,
  dims: ['batch_size', heads, 'past_sequence_length', dim],
});
const inputs = (type: (kind: string) => string): GraphCacheEntry[] =>
  [0, 1, 2, 3].flatMap((layer) =>
    ['key', 'value'].map((kind) => input(`past_key_values.${layer}.${kind}`, type(kind))),
  );
const check = (cacheType: string | null, graph: GraphCacheEntry[]) =>
  checkGraph('tiny', geometry, cacheType, graph);

describe('checkGraph', () => {
  it('passes when heads, dims and the expected type are there', () => {
    expect(
      check(
        'float32',
        inputs(() => 'float32'),
      ),
    ).toMatchObject({ pass: true, measured: '8 cache inputs' });
    expect(
      check(
        'float32',
        inputs(() => 'float16'),
      ).pass,
    ).toBe(false);
  });

  it('takes the graph’s own type where none is expected, but only one', () => {
    expect(
      check(
        null,
        inputs(() => 'float16'),
      ),
    ).toMatchObject({ pass: true, expected: '8 cache inputs, 2 KV heads x 32, float16' });
    expect(
      check(
        null,
        inputs((kind) => (kind === 'key' ? 'float16' : 'float32')),
      ).pass,
    ).toBe(false);
  });

  it('fails on a layer too many or too few, and on a shape that is not told', () => {
    const good = inputs(() => 'float32');
    expect(check(null, good.slice(2))).toMatchObject({ pass: false });
    expect(check(null, [...good, input('past_key_values.4.key', 'float32')])).toMatchObject({ pass: false });
    expect(check(null, [...good.slice(1), input('past_key_values.0.key', 'float32', 'heads')]).detail).toBe(
      'the graph has: past_key_values.0.key float32 heads x 32',
    );
  });

  it('fails without any cache input', () => {
    expect(check(null, [])).toMatchObject({ pass: false });
  });

  describe('with states', () => {
    const entry = { layer: 0, kvHeads: 0, keyDim: 0, valueDim: 0, elementsPerToken: 0, capTokens: null };
    const withStates = {
      ...geometry,
      caches: [
        ...geometry.caches,
        { ...entry, kind: 'conv' as const, fixedElements: 192 },
        { ...entry, kind: 'recurrent' as const, fixedElements: 2048 },
      ],
    };
    const conv = (...dims: (number | string)[]): GraphCacheEntry => ({
      name: 'past_conv.0',
      type: 'float32',
      dims: ['batch_size', ...dims],
    });
    const ssm = { name: 'past_ssm.0', type: 'float32', dims: ['batch_size', 4, 16, 32] };
    const keys = inputs(() => 'float32');
    const checked = (...states: GraphCacheEntry[]) =>
      checkGraph('tiny', withStates, 'float32', [...keys, ...states]);

    it('counts the elements of each layer and kind', () => {
      expect(checked(conv(64, 3), ssm)).toMatchObject({ pass: true, measured: '10 cache inputs' });
      // OLMo's three convolutions of a layer: 16 x 3 + 16 x 3 + 32 x 3 = 192.
      const three = [conv(16, 3), conv(16, 3), conv(32, 3)];
      const named = three.map((input, index) => ({ ...input, name: `past_conv.0.${index}` }));
      expect(checked(...named, ssm).pass).toBe(true);
    });

    it('fails on a kernel of another width, a missing state and one that the geometry does not know', () => {
      expect(checked(conv(64, 4), ssm)).toMatchObject({
        pass: false,
        detail: 'the graph has: conv of layer 0: 256 elements',
      });
      expect(checked(conv(64, 3)).pass).toBe(false);
      expect(checked(conv(64, 3), ssm, { ...ssm, name: 'past_ssm.1' }).pass).toBe(false);
      expect(checked(conv('channels', 3), ssm).pass).toBe(false);
    });

    it('counts a float32 state of a float16 cache twice', () => {
      const halves = inputs(() => 'float16');
      // 192 = 2 x 32 x 3; 2,048 = 2 x 4 x 16 x 16.
      const states = [conv(32, 3), { ...ssm, dims: ['batch_size', 4, 16, 16] }];
      expect(checkGraph('tiny', withStates, null, [...halves, ...states]).pass).toBe(true);
    });
  });

  it('expects no values where one vector is key and value', () => {
    const latent = geometry.caches.map((cache) => ({ ...cache, kind: 'latent' as const, valueDim: 0 }));
    const keys = inputs(() => 'float32').filter(({ name }) => name.endsWith('key'));
    expect(checkGraph('tiny', { ...geometry, caches: latent }, null, keys)).toMatchObject({
      pass: true,
      measured: '4 cache inputs',
    });
  });
});
