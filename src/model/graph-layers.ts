/** The layers of a graph, one function a kind of cache part: what it keeps depends on all that was kept, and so do its outputs. */
import type { CachePart, PortNames } from './cache-parts';
import { keyValueNames } from './cache-parts';
import { headsFirst, joinHeads, packedHeads, splitWide, type LayerContext } from './graph-heads';
import { END, type GraphMasks } from './graph-masks';
import type { Port, Value } from './onnx-graph';

type Part<K extends CachePart['kind']> = Extract<CachePart, { kind: K }>;

export interface StateContext extends LayerContext {
  masks: GraphMasks;
}

/** Weights of a convolution's taps, the newest input last; as many as a kernel has are used. */
const TAPS = [0.3, -0.5, 0.7, 1];
/** Of inputs older than those. */
const OLDER_TAPS = 0.1;

/** Declares the input and the output of a cache tensor; a string dimension of `dims` grows. */
function cachePorts(
  { graph }: LayerContext,
  { past, present }: PortNames,
  dims: Port['dims'],
  type: Port['type'] = graph.float,
): Value {
  const port = (name: string, length: string): Port => ({
    name,
    type,
    dims: ['batch_size', ...dims.map((dim) => (dim === 'tokens' ? length : dim))],
  });
  graph.output(port(present, 'total_sequence_length'));
  return graph.input(port(past, 'past_sequence_length'));
}

/** Cache ports of keys or values, [batch, KV heads, tokens, dim]; of the graph's float type when none is given. */
export function growingPorts(
  context: LayerContext,
  names: PortNames,
  kvHeads: number,
  dim: number,
  type?: Port['type'],
): Value {
  return cachePorts(context, names, [kvHeads, 'tokens', dim], type);
}

/**
 * Attention in plain ONNX, for any head dims: the new keys and values are put behind the old ones. One query head attends to
 * the weighted sum of all KV heads, so that every element of the cache counts and 128 heads cost little more than one. Where a
 * layer keeps no values, its keys are the values too (latent).
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
    const weights = `${name}.${part === 'key' ? 'k' : 'v'}`;
    const past = growingPorts(context, names, kvHeads, dim);
    const packed = packedHeads(context, weights, input, { heads: kvHeads, dim });
    const [all = ''] = graph.node('Concat', [past, headsFirst(graph, packed, kvHeads, dim)], {
      outputs: [names.present],
      attributes: { axis: 2 },
    });
    return sumOfHeads(context, `${weights}_sum`, all, [kvHeads, 1, dim]);
  };
  // Scaled by 1 / sqrt(keyDim), as scores are.
  const query = oneHead(context, `${name}.q`, input, keyDim, hiddenSize * keyDim);
  const keys = grow('key', keyDim);
  const values = valueDim === 0 ? keys : grow('value', valueDim);
  const scores = graph.op('MatMul', [query, columns(context, keys)]);
  const weights = graph.op('Softmax', [graph.op('Add', [scores, masks.bias])], { axis: -1 });
  const seen = graph.op('MatMul', [weights, values]);
  return fromOneHead(context, `${name}.o`, seen, valueDim === 0 ? keyDim : valueDim);
}

/**
 * A causal convolution, one filter for all channels, over groups of them that are summed first. It keeps its last `kernel`
 * inputs, the newest among them, as Hugging Face's caches do.
 */
export function convolution(
  context: StateContext,
  name: string,
  input: Value,
  { names, channels, kernel }: Part<'conv'>,
): Value {
  const { graph, masks } = context;
  const past = cachePorts(context, names, [channels, kernel]);
  const { heads, dim } = splitWide(channels);
  const fresh = packedHeads(context, `${name}.in`, input, { heads, dim });
  const window = graph.op('Concat', [past, graph.op('Transpose', [fresh], { perm: [0, 2, 1] })], { axis: 2 });
  graph.node('MatMul', [window, masks.lastColumns(kernel)], { outputs: [names.present] });
  const groups = graph.op('Reshape', [window, graph.int64([0, heads, dim, -1])]);
  const narrow = sumOfHeads(context, `${name}.in_sum`, groups, [heads, dim, 1]);
  const taps = Array.from({ length: kernel }, (_, tap) => {
    const start = tap + 1;
    const end = start === kernel ? END : start - kernel;
    const ranges = [[start], [end], [3]].map((range) => graph.int64(range));
    const part = graph.op('Slice', [narrow, ...ranges]);
    return graph.op('Mul', [part, masks.number(TAPS.at(start - kernel - 1) ?? OLDER_TAPS)]);
  });
  const sum = taps.reduce((total, tap) => graph.op('Add', [total, tap]));
  return fromOneHead(context, `${name}.out`, columns(context, sum), dim);
}

/**
 * A recurrent state as linear attention keeps it (Katharopoulos et al. 2020, eq. 18-20), with a constant fade: state of a head
 * = fade x state + gain of the head x key ⊗ value; output = query x the sum of all heads' states, each times its gain again,
 * over their number. All new tokens go at once. It has the shape of the family's state, not its maths.
 */
export function recurrence(
  context: StateContext,
  name: string,
  input: Value,
  { names, dims }: Part<'state'>,
): Value {
  const { graph, masks, weights, hiddenSize } = context;
  const past = cachePorts(context, names, dims);
  const [heads, keyDim, valueDim] = matrixDims(dims);
  const query = oneHead(context, `${name}.q`, input, keyDim, hiddenSize * keyDim);
  const key = oneHead(context, `${name}.k`, input, keyDim);
  const value = oneHead(context, `${name}.v`, input, valueDim);
  const gains = weights.uniform(heads, 1);
  const gain = graph.weight(`${name}.gain`, [heads, 1, 1], gains);
  const reading = graph.weight(
    `${name}.reading`,
    [heads, 1, 1],
    gains.map((each) => each / heads),
  );
  const state = graph.op('Reshape', [past, graph.int64([0, heads, keyDim, valueDim])]);

  const read = graph.op('ReduceSum', [graph.op('Mul', [state, reading]), graph.int64([1])], { keepdims: 1 });
  const ofPast = graph.op('Mul', [graph.op('MatMul', [query, read]), masks.fadeOfPast]);
  const scores = graph.op('Mul', [graph.op('MatMul', [query, columns(context, key)]), masks.fadeBetween]);
  // What is put into the heads with their gains is read with them again.
  const both = gains.reduce((sum, each) => sum + each * each, 0) / heads;
  const ofNew = graph.op('Mul', [graph.op('MatMul', [scores, value]), masks.number(both)]);

  const faded = graph.op('Mul', [key, masks.fadeToEnd]);
  const added = graph.op('MatMul', [columns(context, faded), value]);
  const next = graph.op('Add', [graph.op('Mul', [state, masks.fadeOfState]), graph.op('Mul', [added, gain])]);
  graph.node('Reshape', [next, graph.int64([0, ...dims])], { outputs: [names.present] });
  return fromOneHead(context, `${name}.o`, graph.op('Add', [ofPast, ofNew]), valueDim);
}

/** Projects to one head, [batch, 1, tokens, dim]. */
function oneHead(context: LayerContext, name: string, input: Value, dim: number, fanIn?: number): Value {
  const packed = packedHeads(context, name, input, {
    heads: 1,
    dim,
    ...(fanIn === undefined ? {} : { fanIn }),
  });
  return context.graph.op('Unsqueeze', [packed, context.graph.int64([1])]);
}

/** The way back: [batch, 1, tokens, dim] to [batch, tokens, hidden]. */
function fromOneHead(context: LayerContext, name: string, value: Value, dim: number): Value {
  const packed = context.graph.op('Squeeze', [value, context.graph.int64([1])]);
  return joinHeads(context, name, packed, { heads: 1, dim });
}

/** Sum over axis 1 of [batch, heads, …] with a weight for each head and dim; the axis stays. */
function sumOfHeads(
  { graph, weights }: LayerContext,
  name: string,
  value: Value,
  shape: [number, number, number],
): Value {
  const [heads, ...rest] = shape;
  if (heads === 1) return value;
  const count = rest.reduce((product, dim) => product * dim, heads);
  const scales = graph.weight(name, shape, weights.uniform(count, heads));
  return graph.op('ReduceSum', [graph.op('Mul', [value, scales]), graph.int64([1])], { keepdims: 1 });
}

/** The last two axes exchanged. */
function columns({ graph }: LayerContext, value: Value): Value {
  return graph.op('Transpose', [value], { perm: [0, 1, 3, 2] });
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
