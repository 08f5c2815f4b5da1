/**
 * The ONNX graph of a decoder: the model behind `tiny` and behind every cache twin.
 * Its cache inputs and outputs are those of a transformers.js export of the family.
 */
import type { CachePart } from './cache-parts';
import { fitsGrouped, GroupedAttention } from './graph-grouped';
import { fitsQuantised, type QuantisedCache } from './graph-quantised';
import { convolution, plainAttention, recurrence, type StateContext } from './graph-layers';
import { END, GraphMasks } from './graph-masks';
import { GraphBuilder, type FloatType, type Value } from './onnx-graph';
import type { WeightBits } from './quantise';
import type { WeightDtype } from './weight-dtypes';
import { seededWeights } from './weights';

export type { WeightDtype } from './weight-dtypes';

/** What the graph's activations and cache are made of, and the projections' weights (bits null: not quantised). */
const VARIANTS: Record<WeightDtype, { float: FloatType; bits: WeightBits | null }> = {
  fp32: { float: 'fp32', bits: null },
  fp16: { float: 'fp16', bits: null },
  q4: { float: 'fp32', bits: 4 },
  q4f16: { float: 'fp16', bits: 4 },
  q8: { float: 'fp32', bits: 8 },
};

export interface DecoderShape {
  /** What the layers keep, in their order; a layer can have several parts, and one without any is left out. */
  parts: readonly CachePart[];
  /** Query heads of every layer, a multiple of its KV heads; null takes as many as KV heads (a twin: the cache is the same). */
  attentionHeads: number | null;
  /** Width of the residual stream. */
  hiddenSize: number;
  /** Width of the gated MLP; 0 leaves the MLP out (a twin: it does not touch the cache either). */
  intermediateSize: number;
  vocabSize: number;
  /** Rows of the rotary tables: the most tokens that the graph can be asked for. */
  positions: number;
  /** How keys and values are kept where they are no floats; every part must then be `allGrouped`. */
  quantised?: QuantisedCache | null;
}

const NORM_EPSILON = 1e-5;

/**
 * Builds the model file.
 * Inputs: `input_ids` and `attention_mask` [batch, tokens], `num_logits_to_keep` [], and the cache's, see `cacheParts`.
 * Outputs: `logits` [batch, kept tokens, vocabulary], and the cache's `present*`.
 * Activations and cache are float32 (fp32, q4, q8) or float16 (fp16, q4f16); q4, q4f16 and q8 have their projections as
 * MatMulNBits, as exports of the hub do, while embedding, norms, head scales and rotary tables stay floats.
 * @returns The encoded ONNX file, opset 17 and com.microsoft 1.
 */
export function buildDecoder(shape: DecoderShape, dtype: WeightDtype, seed: number): Uint8Array {
  const { float, bits } = VARIANTS[dtype];
  const graph = new GraphBuilder(float, bits);
  const weights = seededWeights(seed);
  const { hiddenSize, intermediateSize, vocabSize } = shape;
  const norm = (name: string, input: Value): Value =>
    graph.op(
      'SimplifiedLayerNormalization',
      [input, graph.weight(name, [hiddenSize], new Float32Array(hiddenSize).fill(1))],
      { axis: -1, epsilon: { float: NORM_EPSILON }, stash_type: 1 },
    );
  const project = (name: string, input: Value, rows: number, columns: number, output?: Value): Value =>
    graph.project(name, input, { rows, columns, values: weights.uniform(rows * columns, rows) }, output);

  const ids = graph.input({ name: 'input_ids', type: 'int64', dims: ['batch_size', 'sequence_length'] });
  const mask = graph.input({
    name: 'attention_mask',
    type: 'int64',
    dims: ['batch_size', 'total_sequence_length'],
  });
  const keep = graph.input({ name: 'num_logits_to_keep', type: 'int64', dims: [] });
  const total = graph.op('Gather', [graph.op('Shape', [mask]), graph.int64(1)], { axis: 0 });
  const masks = new GraphMasks(graph, ids, mask, total);
  const context: StateContext = { graph, weights, hiddenSize, masks };
  const grouped = usesGrouped(shape)
    ? new GroupedAttention(context, mask, total, shape.positions, shape.quantised)
    : null;

  const embedding = weights.uniform(vocabSize * hiddenSize, 1);
  let hidden = graph.op('Gather', [graph.weight('embed', [vocabSize, hiddenSize], embedding), ids], {
    axis: 0,
  });
  for (const [index, part] of shape.parts.entries()) {
    const name = partName(part);
    const input = norm(`${name}_norm`, hidden);
    hidden = graph.op('Add', [hidden, layerOutput(context, grouped, shape, { name, input, part })]);
    if (intermediateSize > 0 && shape.parts[index + 1]?.layer !== part.layer) {
      const mlp = `layers.${part.layer}`;
      const x = norm(`${mlp}.mlp_norm`, hidden);
      const gate = project(`${mlp}.gate`, x, hiddenSize, intermediateSize);
      const silu = graph.op('Mul', [gate, graph.op('Sigmoid', [gate])]);
      const gated = graph.op('Mul', [silu, project(`${mlp}.up`, x, hiddenSize, intermediateSize)]);
      hidden = graph.op('Add', [hidden, project(`${mlp}.down`, gated, intermediateSize, hiddenSize)]);
    }
  }

  // The last `num_logits_to_keep` positions: a slice from -n to the end; 0 keeps all of them.
  const start = graph.op('Unsqueeze', [graph.op('Neg', [keep]), graph.int64([0])]);
  const last = graph.op('Slice', [norm('final_norm', hidden), start, graph.int64([END]), graph.int64([1])]);
  const logits = project('lm_head', last, hiddenSize, vocabSize, 'logits');
  graph.output({ name: logits, type: float, dims: ['batch_size', 'kept_length', vocabSize] });
  return graph.encode('decoder');
}

/** Query heads of the first layer with attention: plain attention has one; 0 without attention. */
export function queryHeads({
  parts,
  attentionHeads,
}: Pick<DecoderShape, 'parts' | 'attentionHeads'>): number {
  const first = parts.find((part) => part.kind === 'attention');
  if (first?.kind !== 'attention') return 0;
  return fitsGrouped(first) ? (attentionHeads ?? first.kvHeads) : 1;
}

/** Whether any layer runs GroupQueryAttention, which takes no chunk on top of a past for more than one sequence. */
export function usesGrouped({ parts }: Pick<DecoderShape, 'parts'>): boolean {
  return parts.some((part) => part.kind === 'attention' && fitsGrouped(part));
}

/** Whether all that the graph keeps is keys and values of GroupQueryAttention, so that a preallocated cache can be appended to in place. */
export function allGrouped({ parts }: Pick<DecoderShape, 'parts'>): boolean {
  return parts.length > 0 && parts.every((part) => part.kind === 'attention' && fitsGrouped(part));
}

/** Why a layer's keys and values cannot be quantised; null where they can. */
export type NotQuantised = 'states' | 'not-grouped' | 'head-dim';

/** The first reason among the parts of a cache, with the part; null when all of them can be quantised. */
export function notQuantised(
  parts: readonly CachePart[],
  quantised: QuantisedCache,
): { reason: NotQuantised; part: CachePart } | null {
  for (const part of parts) {
    const reason = reasonOf(part, quantised);
    if (reason !== null) return { reason, part };
  }
  return null;
}

function reasonOf(part: CachePart, quantised: QuantisedCache): NotQuantised | null {
  if (part.kind !== 'attention') return 'states';
  if (!fitsGrouped(part)) return 'not-grouped';
  return fitsQuantised(part.keyDim, quantised) ? null : 'head-dim';
}

function layerOutput(
  context: StateContext,
  grouped: GroupedAttention | null,
  { attentionHeads }: DecoderShape,
  { name, input, part }: { name: string; input: Value; part: CachePart },
): Value {
  switch (part.kind) {
    case 'attention':
      return grouped !== null && fitsGrouped(part)
        ? grouped.layer(name, input, part, attentionHeads ?? part.kvHeads)
        : plainAttention(context, name, input, part);
    case 'conv':
      return convolution(context, name, input, part);
    case 'state':
      return recurrence(context, name, input, part);
  }
}

/** Names of weights: `layers.3` for attention, `conv.3`, `conv.3.key`, `ssm.3` for states. */
function partName(part: CachePart): string {
  return part.kind === 'attention' ? `layers.${part.layer}` : part.names.past.replace(/^past_/, '');
}
