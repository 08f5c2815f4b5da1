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

  it('leaves states that are no keys or values out', () => {
    const state = { name: 'past_conv.0', type: 'float32', dims: ['batch_size', 64, 3] };
    expect(check(null, [state, ...inputs(() => 'float16')]).pass).toBe(true);
  });
});
