/** Graphs of one attention layer, for asking the installed ONNX Runtime what it can do. They are no models of anything. */
import { CONTRIB, GraphBuilder, type FloatType } from './onnx-graph';
import { seededWeights } from './weights';

/** Sizes that every kernel takes: one KV head for each of two query heads, a head dim that is a multiple of 16. */
export const PROBE = {
  queryHeads: 2,
  kvHeads: 1,
  headDim: 64,
  /** Tokens that a preallocated cache has room for. */
  room: 16,
  /** Blocks of a paged cache, and tokens of each: FlashAttention’s kernels want multiples of 256. */
  blocks: 1,
  blockTokens: 256,
} as const;

const QUERY = PROBE.queryHeads * PROBE.headDim;
const KV = PROBE.kvHeads * PROBE.headDim;

/**
 * A decode step over a preallocated cache with nothing that ONNX Runtime would run outside the GPU, as capturing it wants: no
 * shapes, no lengths worked out in the graph. Inputs `x` [1, 1, 128], `past.key` and `past.value` [1, 1, 16, 64], `last` and
 * `total` (int32, [1]: index of the last token, tokens in all); outputs `y` [1, 1, 128], `present.key` and `present.value`.
 */
export function captureGraph(): Uint8Array {
  const graph = new GraphBuilder('fp32');
  const x = graph.input({ name: 'x', type: 'fp32', dims: [1, 1, QUERY] });
  const cache = [1, PROBE.kvHeads, PROBE.room, PROBE.headDim];
  const past = ['past.key', 'past.value'].map((name) => graph.input({ name, type: 'fp32', dims: cache }));
  const lengths = ['last', 'total'].map((name) => graph.input({ name, type: 'int32', dims: [1] }));
  const source = seededWeights(1);
  const project = (name: string, input: string, rows: number, columns: number, output?: string): string => {
    const values = source.uniform(rows * columns, rows);
    return graph.project(name, input, { rows, columns, values }, output);
  };
  const [attention = ''] = graph.node(
    'GroupQueryAttention',
    [
      project('q', x, QUERY, QUERY),
      project('k', x, QUERY, KV),
      project('v', x, QUERY, KV),
      ...past,
      ...lengths,
    ],
    {
      outputs: ['attention', 'present.key', 'present.value'],
      attributes: { num_heads: PROBE.queryHeads, kv_num_heads: PROBE.kvHeads },
      domain: CONTRIB,
    },
  );
  project('o', attention, QUERY, QUERY, 'y');
  graph.output({ name: 'y', type: 'fp32', dims: [1, 1, QUERY] });
  for (const name of ['present.key', 'present.value']) graph.output({ name, type: 'fp32', dims: cache });
  return graph.encode('capture');
}

/**
 * The one node `PagedAttention` (ONNX Runtime's ContribOperators.md) over one block and one sequence. Inputs `query` [1, 128],
 * `key` and `value` [1, 64], `key_cache` and `value_cache` [1, 256, 1, 64], `cumulative` (int32, [2]), `past` (int32, [1]),
 * `table` (int32, [1, 1]); output `y` [1, 128] and the caches.
 */
export function pagedGraph(float: FloatType): Uint8Array {
  const graph = new GraphBuilder(float);
  const caches = [PROBE.blocks, PROBE.blockTokens, PROBE.kvHeads, PROBE.headDim];
  const inputs = [
    ...[['query', QUERY] as const, ['key', KV] as const, ['value', KV] as const].map(([name, width]) =>
      graph.input({ name, type: float, dims: [1, width] }),
    ),
    ...['key_cache', 'value_cache'].map((name) => graph.input({ name, type: float, dims: caches })),
    graph.input({ name: 'cumulative', type: 'int32', dims: [2] }),
    graph.input({ name: 'past', type: 'int32', dims: [1] }),
    graph.input({ name: 'table', type: 'int32', dims: [1, PROBE.blocks] }),
  ];
  graph.node('PagedAttention', inputs, {
    outputs: ['y', 'key_cache_out', 'value_cache_out'],
    attributes: { num_heads: PROBE.queryHeads, kv_num_heads: PROBE.kvHeads },
    domain: CONTRIB,
  });
  graph.output({ name: 'y', type: float, dims: [1, QUERY] });
  for (const name of ['key_cache_out', 'value_cache_out']) graph.output({ name, type: float, dims: caches });
  return graph.encode('paged');
}
