/** Families in which every layer keeps keys and values, whatever the names of their fields; and what they all share. */
import { CLASS_DEFAULTS } from './class-defaults';
import type { Body, Family } from './family';
import { readPlan, type Reached, type SlidingRule } from './layer-plan';
import { noteUnread } from './unknown';
import type { KeyValueShape, LayerCache } from '../geometry';
import { noCache } from '../geometry';
import { readKvList } from '../kv-heads';
import { chunkedCache } from '../layers/chunked';
import { fullAttentionCaches, fullCache } from '../layers/full';
import { sharedCache } from '../layers/shared';
import { slidingCache } from '../layers/sliding';
import type { ConfigReader } from '../reader';
import { readShape, type Shape } from '../shape';
import { words } from '../words';

/**
 * Model_types of transformers' and vLLM's registries (modeling_auto.py, models/registry.py) whose layers all keep every
 * token's keys and values unless config.json says otherwise.
 */
const PLAIN = words(`
  apertus aquila aquila3 arcee arctic aria_text baichuan bailing_moe bailing_moe_v2 biogpt bitnet bloom chameleon chatglm
  codegen cohere cosmos3_edge_text cpmant ctrl dbrx deepseek deepseek_ocr2_text diffllama emu3_text_model
  ernie4_5 ernie4_5_moe ernie4_5_moe_vl ernie4_5_vl_moe ernie4_5_vl_moe_text evolla exaone falcon flex_olmo
  fuyu gemma glm glm4 glm4_moe glm4v_text glm4v_moe_text glm_ocr_text gpt-sw3 gpt2 gpt_bigcode gpt_neo
  gpt_neox gpt_neox_japanese gptj granite granitemoe granitemoeshared grok-1 grok1 helium hunyuan_v1_dense
  hunyuan_v1_moe hunyuan_vl_text hunyuan_dense hy_v3 hyperclovax internlm internlm2 internlm3 jais jais2
  kosmos_2_text_model Klear lille-130m llama minicpm minicpmv minicpmo minimax_m2 mpt nanochat nemotron olmo olmo2 olmoe opt
  orion paddleocr_vl_text persimmon phi phi3small phi-msft qwen qwen3_vl_text qwen3_vl_moe_text RefinedWeb
  RefinedWebModel seed_oss solar_open stablelm stablelm_epoch step3_text telechat telechat2 telechat3 xglm xverse Yi
  PanguEmbedded PanguProMoE bert-generation xlm-roberta-xl
`);

export const ATTENTION: readonly Family[] = [
  { types: PLAIN, read: (reader) => readDecoder(reader) },
  { types: ['jetmoe'], read: readJetMoe },
];

/** The class's values of the reader's model_type; null where it has no class in transformers. */
export function defaultsOf(reader: ConfigReader) {
  return Object.hasOwn(CLASS_DEFAULTS, reader.modelType) ? (CLASS_DEFAULTS[reader.modelType] ?? null) : null;
}

/** A decoder whose layers all keep keys and values: of every token, of a window or of a chunk. */
export function readDecoder(reader: ConfigReader, rule: SlidingRule = {}): Body {
  const shape = readShape(reader, defaultsOf(reader));
  const plan = readPlan(reader, shape.layers, rule);
  const caches = layerCaches(plan, readWidths(reader, shape, plan));
  noteUnread(reader);
  return { ...shape, caches };
}

/** Heads and widths by layer. */
export type Widths = (layer: number) => KeyValueShape;

/**
 * Widths of every layer: the shape's; KV heads by a list where one is given; values of another width by `v_head_dim`; and
 * what the layers that slide have of their own: `swa_*` (MiMo-V2), `attention_other_setting` (Step 3.5).
 */
function readWidths(reader: ConfigReader, shape: Shape, plan: readonly Reached[]): Widths {
  const list = readKvList(reader, shape.layers);
  const valueDim = reader.countFromZero('v_head_dim') ?? 0;
  const full = {
    kvHeads: shape.kvHeads,
    keyDim: shape.headDim,
    valueDim: valueDim === 0 ? shape.headDim : valueDim,
  };
  const other = plan.some(({ reach }) => reach === 'sliding') ? readSlidingWidths(reader, full) : full;
  return (layer) => {
    const base = plan[layer]?.reach === 'sliding' ? other : full;
    return list === null ? base : { ...base, kvHeads: list[layer] ?? base.kvHeads };
  };
}

function readSlidingWidths(reader: ConfigReader, full: KeyValueShape): KeyValueShape {
  const setting = reader.nested('attention_other_setting');
  const settingDim = setting?.count('head_dim') ?? null;
  return {
    kvHeads:
      reader.count('swa_num_key_value_heads') ?? setting?.count('num_attention_groups') ?? full.kvHeads,
    keyDim: reader.count('swa_head_dim') ?? settingDim ?? full.keyDim,
    valueDim: reader.count('swa_v_head_dim') ?? settingDim ?? full.valueDim,
  };
}

/** One entry a layer by its reach and its widths. */
export function layerCaches(plan: readonly Reached[], widths: Widths): LayerCache[] {
  return plan.map(({ reach, cap }, layer) => {
    const shape = widths(layer);
    if (shape.kvHeads === 0) return noCache(layer);
    if (cap === null) return fullCache(layer, shape);
    return reach === 'chunked' ? chunkedCache(layer, shape, cap) : slidingCache(layer, shape, cap);
  });
}

/**
 * The last `count` layers read the entry of the last layer before them that has the same reach
 * (transformers' Gemma 3n and Gemma 4 attention: `kv_shared_layer_index`).
 * @throws GeometryError config-bad-field when no layer is left that keeps any.
 */
export function shareLast(reader: ConfigReader, caches: readonly LayerCache[], count: number): LayerCache[] {
  const first = caches.length - count;
  if (first < 1) throw reader.bad('num_kv_shared_layers', `a whole number below ${caches.length}`);
  const own = caches.slice(0, first);
  return caches.map((cache, layer) => {
    if (layer < first) return cache;
    const source = own.findLast(({ kind }) => kind === cache.kind) ?? own[first - 1];
    return sharedCache(layer, source?.layer ?? 0);
  });
}

/** JetMoE names KV heads only: attention heads are those times the experts of a token (its configuration file). */
function readJetMoe(reader: ConfigReader): Body {
  if (reader.has('num_attention_heads')) return readDecoder(reader);
  const kvHeads = reader.required('num_key_value_heads');
  const perToken = reader.countOr('num_experts_per_tok', 2);
  const headDim = reader.countOr('kv_channels', 128);
  const layers = reader.required('num_hidden_layers');
  const attentionHeads = kvHeads * perToken;
  const hiddenSize = reader.count('hidden_size') ?? attentionHeads * headDim;
  const caches = fullAttentionCaches(layers, kvHeads, headDim);
  return { layers, attentionHeads, kvHeads, headDim, hiddenSize, caches };
}
