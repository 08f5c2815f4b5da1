/**
 * An LFM2-like decoder: short convolutions with a state of fixed size before each attention layer.
 * Layers are numbered as in LFM2, with both kinds in one sequence: conv 0, attention 1, conv 2, attention 3.
 */
import type { onnx } from 'onnx-proto';
import type { Value } from '../../src/model/onnx-graph';
import { editGraph, floatPort, insertBehind, int64Tensor, node, type Editable } from './graph-edit';

/** LFM2's conv_L_cache: the state holds the last three inputs of each channel. */
export const CONV_LENGTH = 3;
const END = Number.MAX_SAFE_INTEGER;

/**
 * Adds a convolution layer before every attention layer of a decoder.
 * New inputs and outputs: `past_conv.N` and `present_conv.N` [batch, channels, 3]; attention entries are renumbered.
 * @param hiddenSize Width of the residual stream, which is the number of channels.
 */
export function withConvLayers(file: Uint8Array, hiddenSize: number): Uint8Array {
  return editGraph(file, (graph) => {
    const attentions = graph.nodes.filter(({ opType }) => opType === 'GroupQueryAttention');
    const entries = attentions.map((attention) => residualBefore(graph, attention));
    // From the last to the first, so that no new number meets an old one.
    for (let n = attentions.length - 1; n >= 0; n--) renumber(graph, n, 2 * n + 1);
    entries.forEach((hidden, n) => {
      addConv(graph, hidden, 2 * n, hiddenSize);
    });
  });
}

/** The residual stream that an attention layer reads: the input of the norm before its projections. */
function residualBefore(graph: Editable, attention: onnx.INodeProto): Value {
  const inputOf = (value: Value): Value =>
    graph.nodes.find(({ output }) => output?.includes(value))?.input?.[0] ?? '';
  return inputOf(inputOf(attention.input?.[0] ?? ''));
}

function renumber(graph: Editable, from: number, to: number): void {
  const rename = (name: Value): Value =>
    name.replace(
      /^(past_key_values|present)\.(\d+)\.(key|value)$/,
      (all, prefix: string, n: string, kind: string) =>
        Number(n) === from ? `${prefix}.${to}.${kind}` : all,
    );
  for (const each of graph.nodes) {
    each.input = each.input?.map(rename) ?? [];
    each.output = each.output?.map(rename) ?? [];
  }
  for (const port of [...graph.inputs, ...graph.outputs]) port.name = rename(port.name ?? '');
}

/**
 * hidden + (x[t-2] + x[t-1] + x[t]), a depthwise causal convolution whose taps are 1: what a step adds depends on the state,
 * and feeding a text in pieces gives what feeding it at once does.
 */
function addConv(graph: Editable, hidden: Value, layer: number, channels: number): void {
  const name = (part: string): Value => `conv.${layer}.${part}`;
  const [past, present] = [`past_conv.${layer}`, `present_conv.${layer}`];
  const dims = ['batch_size', channels, CONV_LENGTH];
  graph.inputs.push(floatPort(past, dims));
  graph.outputs.push(floatPort(present, dims));
  const constant = (part: string, value: number[]): Value => {
    graph.initializers.push(int64Tensor(name(part), value));
    return name(part);
  };
  const axes = constant('axes', [2]);
  const slice = (output: Value, part: string, start: number, end: number): onnx.INodeProto =>
    node(
      'Slice',
      [name('all'), constant(`${part}.start`, [start]), constant(`${part}.end`, [end]), axes],
      output,
    );
  const added = [
    node('Transpose', [hidden], name('x'), { perm: [0, 2, 1] }),
    node('Concat', [past, name('x')], name('all'), { axis: 2 }),
    slice(present, 'state', -CONV_LENGTH, END),
    slice(name('tap0'), 'tap0', 1, -2),
    slice(name('tap1'), 'tap1', 2, -1),
    slice(name('tap2'), 'tap2', 3, END),
    node('Add', [name('tap0'), name('tap1')], name('sum01')),
    node('Add', [name('sum01'), name('tap2')], name('sum')),
    node('Transpose', [name('sum')], name('mixed'), { perm: [0, 2, 1] }),
    node('Add', [hidden, name('mixed')], name('out')),
  ];
  insertBehind(graph, hidden, added, name('out'));
}
