/** The layers of a graph, one function a kind of cache part: what it keeps depends on all that was kept, and so do its outputs. */
import type { CachePart, PortNames } from './cache-parts';
import { keyValueNames } from './cache-parts';
import { headsFirst, joinHeads, packedHeads, splitWide, tokensFirst, type LayerContext } from './graph-heads';
import { END, type GraphMasks } from './graph-masks';
import type { Port, Value } from './onnx-graph';

type Part<K extends CachePart['kind']> = Extract<CachePart, { kind: K }>;

export interface StateContext extends LayerContext {
  masks: GraphMasks;
}

/** Weights of a convolution's taps, the newest input last; as many as a kernel has are used. */
const TAPS = [0.3, -0.5, 0.7, 1];

/** Declares the input and the output of a cache tensor; a string dimension of `dims` grows. */
function cachePorts({ graph }: LayerContext, { past, present }: PortNames, dims: Port['dims']): Value {
  const port = (name: string, length: string): Port => ({
    name,
    type: graph.float,
    dims: ['batch_size', ...dims.map((dim) => (dim === 'tokens' ? length : dim))],
  });
  graph.output(port(present, 'total_sequence_length'));
  return graph.input(port(past, 'past_sequence_length'));
}

/** Cache ports of keys or values, [batch, KV heads, tokens, dim]. */
export function growingPorts(context: LayerContext, names: PortNames, kvHeads: number, dim: number): Value {
  return cachePorts(context, names, [kvHeads, 'tokens', dim]);
}

/**
 * Attention in plain ONNX, with as many query heads as KV heads and any head dims: the new keys and values are put behind
 * the old ones, and all of them are attended to. Where a layer keeps no values, its keys are the values too (latent).
 */
export function plainAttention(
  context: StateContext,
  name: string,
  input: Value,
  { layer, kvHeads, keyDim, valueDim }: Part<'attention'>,
): Value {
  const { graph, masks, hiddenSize } = context;
  const grow = (part: 'key' | 'value', dim: number): Value => {
    const names = keyValueNames(layer, part);
    const past = growingPorts(context, names, kvHeads, dim);
    const packed = packedHeads(context, `${name}.${part[0] ?? ''}`, input, { heads: kvHeads, dim });
    const [all = ''] = graph.node('Concat', [past, headsFirst(graph, packed, kvHeads, dim)], {
      outputs: [names.present],
      attributes: { axis: 2 },
    });
    return all;
  };
  // Scaled by 1 / sqrt(keyDim), as scores are.
  const query = packedHeads(context, `${name}.q`, input, {
    heads: kvHeads,
    dim: keyDim,
    fanIn: hiddenSize * keyDim,
  });
  const keys = grow('key', keyDim);
  const values = valueDim === 0 ? keys : grow('value', valueDim);
  const scores = graph.op('MatMul', [
    headsFirst(graph, query, kvHeads, keyDim),
    graph.op('Transpose', [keys], { perm: [0, 1, 3, 2] }),
  ]);
  const weights = graph.op('Softmax', [graph.op('Add', [scores, masks.bias])], { axis: -1 });
  const dim = valueDim === 0 ? keyDim : valueDim;
  const seen = tokensFirst(graph, graph.op('MatMul', [weights, values]), kvHeads * dim);
  return joinHeads(context, `${name}.o`, seen, { heads: kvHeads, dim });
}

/**
 * A causal convolution, one filter for all channels. It keeps its last `kernel` inputs, the newest among them, as Hugging
 * Face's caches do.
 */
export function convolution(
  context: StateContext,
  name: string,
  input: Value,
  { names, channels, kernel }: Part<'conv'>,
): Value {
  const { graph, masks } = context;
  const past = cachePorts(context, names, [channels, kernel]);
  const wide = splitWide(channels);
  const fresh = graph.op('Transpose', [packedHeads(context, `${name}.in`, input, wide)], { perm: [0, 2, 1] });
  const window = graph.op('Concat', [past, fresh], { axis: 2 });
  graph.node('MatMul', [window, masks.lastColumns(kernel)], { outputs: [names.present] });
  const taps = Array.from({ length: kernel }, (_, tap) => {
    const start = tap + 1;
    const end = start === kernel ? END : start - kernel;
    const part = graph.op('Slice', [window, graph.int64([start]), graph.int64([end]), graph.int64([2])]);
    return graph.op('Mul', [part, masks.number(TAPS.at(start - kernel - 1) ?? 0.1)]);
  });
  const sum = taps.reduce((total, tap) => graph.op('Add', [total, tap]));
  return joinHeads(context, `${name}.out`, graph.op('Transpose', [sum], { perm: [0, 2, 1] }), wide);
}

/**
 * A recurrent state as linear attention keeps it (Katharopoulos et al. 2020, eq. 18-20), with a constant fade: state =
 * fade x state + key ⊗ value, output = query x state; all new tokens at once. It has the state's shape, not the family's maths.
 */
export function recurrence(
  context: StateContext,
  name: string,
  input: Value,
  { names, dims }: Part<'state'>,
): Value {
  const { graph, masks, hiddenSize } = context;
  const past = cachePorts(context, names, dims);
  const [heads, keyDim, valueDim] = matrixDims(dims);
  const project = (part: string, dim: number, fanIn = hiddenSize): Value =>
    headsFirst(graph, packedHeads(context, `${name}.${part}`, input, { heads, dim, fanIn }), heads, dim);
  const query = project('q', keyDim, hiddenSize * keyDim);
  const key = project('k', keyDim);
  const value = project('v', valueDim);
  const state = graph.op('Reshape', [past, graph.int64([0, heads, keyDim, valueDim])]);

  const keyColumns = (keys: Value): Value => graph.op('Transpose', [keys], { perm: [0, 1, 3, 2] });
  const scores = graph.op('Mul', [graph.op('MatMul', [query, keyColumns(key)]), masks.fadeBetween]);
  const output = graph.op('Add', [
    graph.op('MatMul', [scores, value]),
    graph.op('Mul', [graph.op('MatMul', [query, state]), masks.fadeOfPast]),
  ]);
  const added = graph.op('MatMul', [keyColumns(graph.op('Mul', [key, masks.fadeToEnd])), value]);
  const next = graph.op('Add', [graph.op('Mul', [state, masks.fadeOfState]), added]);
  graph.node('Reshape', [next, graph.int64([0, ...dims])], { outputs: [names.present] });
  return joinHeads(context, `${name}.o`, tokensFirst(graph, output, heads * valueDim), {
    heads,
    dim: valueDim,
  });
}

/** A state's dims as heads of matrices: [heads, key dim, value dim]. */
function matrixDims(dims: readonly number[]): [number, number, number] {
  const valueDim = dims.length > 1 ? (dims.at(-1) ?? 1) : 1;
  const rows = dims.slice(0, dims.length > 1 ? -1 : undefined);
  if (rows.length > 1) {
    const keyDim = rows.at(-1) ?? 1;
    return [rows.slice(0, -1).reduce((product, dim) => product * dim, 1), keyDim, valueDim];
  }
  const { heads, dim } = splitWide(rows[0] ?? 1);
  return [heads, dim, valueDim];
}
