/** The modules of each family whose parameters are counted, as transformers' modeling_<family>.py builds them. */
import type { ConfigReader } from './reader';

/** Widths of one decoder, and the reader for what only its family has. */
export interface DecoderShape {
  reader: ConfigReader;
  layers: number;
  /** Width of the hidden states. */
  width: number;
  heads: number;
  headDim: number;
  /** Heads x head dim. */
  queries: number;
  /** KV heads x head dim. */
  keys: number;
}

type Size = (shape: DecoderShape) => number;

/** Parameters of one family's parts. */
export interface Decoder {
  types: readonly string[];
  /** Whether the output head is the embedding where config.json does not say (the class' `tie_word_embeddings`). */
  tied: boolean;
  /** Of one layer. */
  attention: Size;
  /** Of one layer. */
  feedForward: (shape: DecoderShape, layer: number) => number;
  /** Of one layer. */
  norms: Size;
  finalNorm: Size;
  /** Learned positions and a norm of the embeddings. */
  extraEmbeddings?: Size;
  headBias?: true;
  /** Attention that is not made of heads of keys and values alike (latent). */
  uneven?: true;
}

/** Projections of queries, keys, values and output. */
function projections({ width, queries, keys }: DecoderShape): number {
  return 2 * width * queries + 2 * width * keys;
}

/** Biases of queries, keys and values, and of the output where `output` is set. */
function biases({ width, queries, keys }: DecoderShape, output: boolean): number {
  return queries + 2 * keys + (output ? width : 0);
}

/** Projections with all four biases where the field says so. */
const withBiasBy =
  (field: string, classDefault = false): Size =>
  (shape) =>
    projections(shape) + ((shape.reader.flag(field) ?? classDefault) ? biases(shape, true) : 0);

/** RMS norms of every head's query and key (Qwen3, Gemma 3): one weight a dim each. */
const perHeadNorms: Size = ({ headDim }) => 2 * headDim;
/** RMS norms over all heads at once (OLMo 2, OLMoE). */
const acrossHeadNorms: Size = ({ queries, keys }) => queries + keys;

const sum =
  (...sizes: Size[]): Size =>
  (shape) =>
    sizes.reduce((total, size) => total + size(shape), 0);
const widths =
  (times: number): Size =>
  ({ width }) =>
    times * width;

/** Gate, up and down without biases. */
function gated(width: number, inner: number): number {
  return 3 * width * inner;
}

const gatedMlp: Size = ({ reader, width }) => {
  const inner = reader.required('intermediate_size');
  return gated(width, inner) + (reader.flag('mlp_bias') === true ? 2 * inner + width : 0);
};

/** Up and down with biases; `inner` gives the width between. */
const plainMlp =
  (inner: Size): Size =>
  (shape) => {
    const between = inner(shape);
    return 2 * shape.width * between + between + shape.width;
  };

const gptInner: Size = ({ reader, width }) => reader.count('n_inner') ?? 4 * width;
const intermediate: Size = ({ reader }) => reader.required('intermediate_size');

/** A router and experts, each gate, up and down. */
function experts({ reader, width }: DecoderShape, count: number, field: string): number {
  return count * width + count * gated(width, reader.required(field));
}

/** Qwen MoE: a layer is sparse unless named in `mlp_only_layers` or skipped by `decoder_sparse_step` (modeling_qwen3_moe.py). */
function qwenSparse({ reader }: DecoderShape, layer: number): boolean {
  const dense = reader.list('mlp_only_layers', null) ?? [];
  const step = reader.count('decoder_sparse_step') ?? 1;
  return !dense.includes(layer) && (layer + 1) % step === 0;
}

/** MLA: queries (through a latent of their own or not), the latent with its rope key, its expansion, the output (modeling_deepseek_v3.py). */
const latentAttention: Size = ({ reader, width, heads }) => {
  const rope = reader.required('qk_rope_head_dim');
  const queryDim = reader.required('qk_nope_head_dim') + rope;
  const valueDim = reader.required('v_head_dim');
  const latent = reader.required('kv_lora_rank');
  const queryLatent = reader.count('q_lora_rank');
  const queries =
    queryLatent === null
      ? width * heads * queryDim
      : width * queryLatent + queryLatent + queryLatent * heads * queryDim;
  const keysValues = width * (latent + rope) + latent + latent * heads * (queryDim - rope + valueDim);
  return queries + keysValues + heads * valueDim * width;
};

/** The first layers dense, then routed and shared experts; V3's router has a correction bias in its checkpoints. */
const deepseekMlp =
  (routerBias: boolean): Decoder['feedForward'] =>
  (shape, layer) => {
    const { reader, width } = shape;
    if (layer < (reader.countFromZero('first_k_dense_replace') ?? 0)) return gatedMlp(shape);
    const routed = reader.required('n_routed_experts');
    const shared = reader.countFromZero('n_shared_experts') ?? 0;
    return (
      experts(shape, routed, 'moe_intermediate_size') +
      gated(width, shared * reader.required('moe_intermediate_size')) +
      (routerBias ? routed : 0)
    );
  };

/** RMS norms before attention and before the MLP, and at the end: the shape of Llama and of most after it. */
const RMS = { norms: widths(2), finalNorm: widths(1) } as const;
/** Layer norms with weight and bias. */
const LAYER_NORM = { norms: widths(4), finalNorm: widths(2) } as const;

const DECODERS: readonly Decoder[] = [
  {
    types: ['llama', 'granite'],
    tied: false,
    attention: withBiasBy('attention_bias'),
    feedForward: gatedMlp,
    ...RMS,
  },
  { types: ['smollm3'], tied: true, attention: withBiasBy('attention_bias'), feedForward: gatedMlp, ...RMS },
  { types: ['gemma'], tied: true, attention: withBiasBy('attention_bias'), feedForward: gatedMlp, ...RMS },
  { types: ['mistral', 'phi3'], tied: false, attention: projections, feedForward: gatedMlp, ...RMS },
  {
    types: ['qwen2'],
    tied: false,
    attention: (shape) => projections(shape) + biases(shape, false),
    feedForward: gatedMlp,
    ...RMS,
  },
  {
    types: ['qwen3'],
    tied: false,
    attention: sum(withBiasBy('attention_bias'), perHeadNorms),
    feedForward: gatedMlp,
    ...RMS,
  },
  {
    types: ['gemma2'],
    tied: true,
    attention: withBiasBy('attention_bias'),
    feedForward: gatedMlp,
    norms: widths(4),
    finalNorm: widths(1),
  },
  {
    types: ['gemma3_text'],
    tied: true,
    attention: sum(withBiasBy('attention_bias'), perHeadNorms),
    feedForward: gatedMlp,
    norms: widths(4),
    finalNorm: widths(1),
  },
  {
    types: ['olmo2'],
    tied: false,
    attention: sum(withBiasBy('attention_bias'), acrossHeadNorms),
    feedForward: gatedMlp,
    ...RMS,
  },
  {
    types: ['olmoe'],
    tied: false,
    attention: sum(withBiasBy('attention_bias'), acrossHeadNorms),
    feedForward: (shape) => experts(shape, shape.reader.required('num_experts'), 'intermediate_size'),
    ...RMS,
  },
  {
    types: ['mixtral'],
    tied: false,
    attention: projections,
    feedForward: (shape) => experts(shape, shape.reader.required('num_local_experts'), 'intermediate_size'),
    ...RMS,
  },
  {
    types: ['qwen2_moe'],
    tied: false,
    attention: (shape) => projections(shape) + biases(shape, false),
    feedForward: (shape, layer) => {
      if (!qwenSparse(shape, layer)) return gatedMlp(shape);
      const shared = gated(shape.width, shape.reader.required('shared_expert_intermediate_size'));
      return (
        experts(shape, shape.reader.required('num_experts'), 'moe_intermediate_size') + shared + shape.width
      );
    },
    ...RMS,
  },
  {
    types: ['qwen3_moe'],
    tied: false,
    attention: sum(withBiasBy('attention_bias'), perHeadNorms),
    feedForward: (shape, layer) =>
      qwenSparse(shape, layer)
        ? experts(shape, shape.reader.required('num_experts'), 'moe_intermediate_size')
        : gatedMlp(shape),
    ...RMS,
  },
  {
    types: ['gpt_oss'],
    tied: false,
    // One sink a head; router and experts have biases (gate and up together, down).
    attention: sum(withBiasBy('attention_bias', true), ({ heads }) => heads),
    feedForward: (shape) => {
      const count = shape.reader.required('num_local_experts');
      const bias = count + count * (2 * shape.reader.required('intermediate_size') + shape.width);
      return experts(shape, count, 'intermediate_size') + bias;
    },
    ...RMS,
  },
  {
    types: ['deepseek_v2'],
    tied: false,
    uneven: true,
    attention: latentAttention,
    feedForward: deepseekMlp(false),
    ...RMS,
  },
  {
    types: ['deepseek_v3'],
    tied: false,
    uneven: true,
    attention: latentAttention,
    feedForward: deepseekMlp(true),
    ...RMS,
  },
  {
    types: ['gpt2'],
    tied: true,
    attention: (shape) => projections(shape) + biases(shape, true),
    feedForward: plainMlp(gptInner),
    ...LAYER_NORM,
    extraEmbeddings: ({ reader, width }) =>
      reader.required({ names: ['n_positions', 'n_ctx'], max: 2 ** 24 }) * width,
  },
  {
    types: ['gpt_neox'],
    tied: false,
    attention: withBiasBy('attention_bias', true),
    feedForward: plainMlp(intermediate),
    ...LAYER_NORM,
  },
  {
    types: ['bloom'],
    tied: true,
    attention: (shape) => projections(shape) + biases(shape, true),
    feedForward: plainMlp(({ width }) => 4 * width),
    ...LAYER_NORM,
    extraEmbeddings: widths(2),
  },
  {
    types: ['phi'],
    tied: false,
    attention: (shape) => projections(shape) + biases(shape, true),
    feedForward: plainMlp(intermediate),
    norms: widths(2),
    finalNorm: widths(2),
    headBias: true,
  },
  {
    types: ['starcoder2'],
    tied: true,
    attention: withBiasBy('use_bias', true),
    feedForward: (shape) => {
      const inner = intermediate(shape);
      const bias = shape.reader.flag('use_bias') === false ? 0 : inner + shape.width;
      return 2 * shape.width * inner + bias;
    },
    ...LAYER_NORM,
  },
];

const BY_TYPE = new Map(DECODERS.flatMap((decoder) => decoder.types.map((type) => [type, decoder] as const)));

/** The family of a model_type; null when its parameters are not counted here. */
export function decoderOf(modelType: string): Decoder | null {
  return BY_TYPE.get(modelType) ?? null;
}
