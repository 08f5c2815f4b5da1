/**
 * The ONNX graph of a decoder: the model behind `tiny` and behind every cache twin.
 * Its cache inputs and outputs are those of a transformers.js export; its attention is ONNX Runtime's GroupQueryAttention.
 */
import { CONTRIB, GraphBuilder, type FloatType, type Value } from './onnx-graph';
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
  layers: number;
  /** Query heads; a multiple of `kvHeads`. A twin has as many as KV heads, since they do not touch the cache. */
  attentionHeads: number;
  kvHeads: number;
  headDim: number;
  /** Width of the residual stream. */
  hiddenSize: number;
  /** Width of the gated MLP; 0 leaves the MLP out (a twin: it does not touch the cache either). */
  intermediateSize: number;
  vocabSize: number;
  /** Rows of the rotary table: the most tokens that the graph can be asked for. */
  positions: number;
}

const ROPE_THETA = 10_000;
const NORM_EPSILON = 1e-5;
/** Slice's "to the end". */
const END = Number.MAX_SAFE_INTEGER;

/**
 * Builds the model file.
 * Inputs: `input_ids` and `attention_mask` [batch, tokens], `num_logits_to_keep` [],
 * `past_key_values.N.key/value` [batch, KV heads, past tokens, head dim].
 * Outputs: `logits` [batch, kept tokens, vocabulary], `present.N.key/value`.
 * Activations and cache are float32 (fp32, q4, q8) or float16 (fp16, q4f16); q4, q4f16 and q8 have their projections as
 * MatMulNBits, as exports of the hub do, while embedding, norms and rotary table stay floats.
 * @returns The encoded ONNX file, opset 17 and com.microsoft 1.
 */
export function buildDecoder(shape: DecoderShape, dtype: WeightDtype, seed: number): Uint8Array {
  const { float, bits } = VARIANTS[dtype];
  const graph = new GraphBuilder(float, bits);
  const weights = seededWeights(seed);
  const { layers, attentionHeads, kvHeads, headDim, hiddenSize, intermediateSize, vocabSize } = shape;
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

  // GroupQueryAttention wants, as int32, the index of each sequence's last token and the length of the mask.
  const lengths = graph.op('ReduceSum', [mask, graph.int64([1])], { keepdims: 0 });
  const lastIndex = graph.op('Cast', [graph.op('Sub', [lengths, graph.int64([1])])], { to: 6 });
  const total = graph.op('Gather', [graph.op('Shape', [mask]), graph.int64(1)], { axis: 0 });
  const totalLength = graph.op('Cast', [total], { to: 6 });
  const { cos, sin } = rotaryTable(shape.positions, headDim);
  const cosCache = graph.weight('cos_cache', [shape.positions, headDim / 2], cos);
  const sinCache = graph.weight('sin_cache', [shape.positions, headDim / 2], sin);

  const embedding = weights.uniform(vocabSize * hiddenSize, 1);
  let hidden = graph.op('Gather', [graph.weight('embed', [vocabSize, hiddenSize], embedding), ids], {
    axis: 0,
  });
  for (let n = 0; n < layers; n++) {
    const cachePort = (name: string, length: string) => ({
      name,
      type: float,
      dims: ['batch_size', kvHeads, length, headDim],
    });
    const past = ['key', 'value'].map((kind) =>
      graph.input(cachePort(`past_key_values.${n}.${kind}`, 'past_sequence_length')),
    );
    const present = ['key', 'value'].map((kind) => `present.${n}.${kind}`);

    const input = norm(`layers.${n}.attention_norm`, hidden);
    const [attention = ''] = graph.node(
      'GroupQueryAttention',
      [
        project(`layers.${n}.q`, input, hiddenSize, attentionHeads * headDim),
        project(`layers.${n}.k`, input, hiddenSize, kvHeads * headDim),
        project(`layers.${n}.v`, input, hiddenSize, kvHeads * headDim),
        ...past,
        lastIndex,
        totalLength,
        cosCache,
        sinCache,
      ],
      {
        outputs: [`layers.${n}.attention`, ...present],
        attributes: { num_heads: attentionHeads, kv_num_heads: kvHeads, do_rotary: 1 },
        domain: CONTRIB,
      },
    );
    for (const name of present) graph.output(cachePort(name, 'total_sequence_length'));
    hidden = graph.op('Add', [
      hidden,
      project(`layers.${n}.o`, attention, attentionHeads * headDim, hiddenSize),
    ]);

    if (intermediateSize > 0) {
      const x = norm(`layers.${n}.mlp_norm`, hidden);
      const gate = project(`layers.${n}.gate`, x, hiddenSize, intermediateSize);
      const silu = graph.op('Mul', [gate, graph.op('Sigmoid', [gate])]);
      const gated = graph.op('Mul', [silu, project(`layers.${n}.up`, x, hiddenSize, intermediateSize)]);
      hidden = graph.op('Add', [hidden, project(`layers.${n}.down`, gated, intermediateSize, hiddenSize)]);
    }
  }

  // The last `num_logits_to_keep` positions: a slice from -n to the end; 0 keeps all of them.
  const start = graph.op('Unsqueeze', [graph.op('Neg', [keep]), graph.int64([0])]);
  const last = graph.op('Slice', [norm('final_norm', hidden), start, graph.int64([END]), graph.int64([1])]);
  const logits = project('lm_head', last, hiddenSize, vocabSize, 'logits');
  graph.output({ name: logits, type: float, dims: ['batch_size', 'kept_length', vocabSize] });
  return graph.encode('decoder');
}

/** cos and sin of position x frequency, [positions, headDim / 2] each (RoPE, Su et al. 2021, section 3.2.2). */
function rotaryTable(positions: number, headDim: number): { cos: Float32Array; sin: Float32Array } {
  const half = headDim / 2;
  const cos = new Float32Array(positions * half);
  const sin = new Float32Array(positions * half);
  for (let p = 0; p < positions; p++) {
    for (let i = 0; i < half; i++) {
      const angle = p * ROPE_THETA ** ((-2 * i) / headDim);
      cos[p * half + i] = Math.cos(angle);
      sin[p * half + i] = Math.sin(angle);
    }
  }
  return { cos, sin };
}
