/** Many heads from few weights: one small projection, and for each head its own scales, so that 128 heads stay a small file. */
import type { GraphBuilder, Value } from './onnx-graph';
import type { WeightSource } from './weights';

/** What the layers of a graph are built with. */
export interface LayerContext {
  graph: GraphBuilder;
  weights: WeightSource;
  /** Width of the residual stream. */
  hiddenSize: number;
}

/** Above this many columns a projection is one head's, scaled for each; 1,536 x 64 weights are 393 KB in float32. */
const MOST_COLUMNS = 1536;
/** Widest head that {@link splitWide} makes. */
const MOST_WIDTH = 128;

/**
 * Projects [batch, tokens, hidden] to [batch, tokens, heads x dim].
 * @param fanIn Inputs that a weight's size is chosen for; more than there are makes the result smaller.
 */
export function packedHeads(
  { graph, weights, hiddenSize }: LayerContext,
  name: string,
  input: Value,
  { heads, dim, fanIn = hiddenSize }: { heads: number; dim: number; fanIn?: number },
): Value {
  const columns = heads * dim;
  const project = (wide: number): Value =>
    graph.project(name, input, {
      rows: hiddenSize,
      columns: wide,
      values: weights.uniform(hiddenSize * wide, fanIn),
    });
  if (columns <= MOST_COLUMNS || heads === 1) return project(columns);
  const one = graph.op('Unsqueeze', [project(dim), graph.int64([2])]);
  const scales = graph.weight(`${name}_scale`, [heads, dim], weights.uniform(columns, 1));
  return graph.op('Reshape', [graph.op('Mul', [one, scales]), graph.int64([0, 0, columns])]);
}

/** The way back: [batch, tokens, heads x dim] to [batch, tokens, hidden]. */
export function joinHeads(
  { graph, weights, hiddenSize }: LayerContext,
  name: string,
  input: Value,
  { heads, dim }: { heads: number; dim: number },
): Value {
  const columns = heads * dim;
  const project = (value: Value, wide: number): Value =>
    graph.project(name, value, {
      rows: wide,
      columns: hiddenSize,
      values: weights.uniform(wide * hiddenSize, wide),
    });
  if (columns <= MOST_COLUMNS || heads === 1) return project(input, columns);
  const apart = graph.op('Reshape', [input, graph.int64([0, 0, heads, dim])]);
  const scales = graph.weight(`${name}_scale`, [heads, dim], weights.uniform(columns, heads));
  const sum = graph.op('ReduceSum', [graph.op('Mul', [apart, scales]), graph.int64([2])], { keepdims: 0 });
  return project(sum, dim);
}

/** [batch, tokens, heads x dim] to [batch, heads, tokens, dim]. */
export function headsFirst(graph: GraphBuilder, packed: Value, heads: number, dim: number): Value {
  const apart = graph.op('Reshape', [packed, graph.int64([0, 0, heads, dim])]);
  return graph.op('Transpose', [apart], { perm: [0, 2, 1, 3] });
}

/** A number of channels as heads x dim, with the widest dim of at most 128 that divides it. */
export function splitWide(channels: number): { heads: number; dim: number } {
  let dim = Math.min(MOST_WIDTH, channels);
  while (channels % dim !== 0) dim--;
  return { heads: channels / dim, dim };
}
