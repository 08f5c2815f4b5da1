/** Families with sliding windows, each by the rule of its class where config.json has no `layer_types`. */
import { readDecoder } from './attention';
import type { Family } from './family';
import { everyNth, type SlidingRule } from './layer-plan';

/** Layers 0, 4, 8 … are full. */
const FIRST_OF_FOUR: SlidingRule['slides'] = () => (layer) => layer % 4 !== 0;

/**
 * By model_type. Each rule, window and pattern is that of the class in transformers 5.18.0
 * (`__post_init__` of models/<type>/configuration_<type>.py).
 */
const RULES: readonly [SlidingRule, readonly string[]][] = [
  [{ window: 4096 }, ['mistral', 'ministral', 'voxtral_realtime_text']],
  [
    {},
    ['ministral3', 'mixtral', 'phi3', 'phi4_multimodal', 'phi4mm', 'phi3_v', 'phimoe', 'starcoder2', 'solar'],
  ],
  [{ window: 3000 }, ['moshi']],
  [{ window: 375 }, ['kyutai_speech_to_text']],
  [{ window: 4096, slides: everyNth(2) }, ['gemma2', 'vaultgemma', 't5_gemma_module']],
  [{ window: 4096, slides: everyNth(6) }, ['gemma3_text', 't5gemma2_decoder']],
  [{ window: 128, slides: everyNth(2) }, ['gpt_oss']],
  [{ window: 4096, slides: everyNth(4) }, ['cohere2', 'exaone4', 'exaone_moe', 'olmo3']],
  [{ window: 4096, slides: prefixedPattern() }, ['cohere2_moe']],
  // PLaMo 3 has no class in transformers: its own configuration file, and vLLM plamo3.py.
  [{ window: 2048, slides: everyNth(8) }, ['plamo3']],
  [{ window: 8192, slides: FIRST_OF_FOUR }, ['cwm']],
  [{ window: 128, slides: FIRST_OF_FOUR }, ['granite_swa', 'granitemoe_swa']],
  [{ window: 1024, slides: globalEvery(4) }, ['afmoe']],
  [
    { window: 2048, slides: (_reader, layers) => (layer) => (layers - 1 - layer) % 4 !== 0 },
    ['muse_glimmer_text'],
  ],
  // Full by default, in spite of a window; their configs give layer_types.
  [{ window: 512, slides: () => () => false }, ['laguna', 'step3p5', 'step3p7']],
  [{ window: 1024, slides: () => () => false }, ['mellum']],
  [{ window: 4096, slides: () => () => false }, ['cohere_compass_text']],
  [
    { window: 4096, onlyWhenAsked: true },
    [
      'qwen2',
      'qwen2_moe',
      'qwen2_vl',
      'qwen2_vl_text',
      'qwen2_5_vl',
      'qwen2_5_vl_text',
      'qwen2_5_omni_text',
      'qwen2_audio',
      'qwen3',
      'qwen3_moe',
      'qwen3_omni_moe_text',
      'mimo',
      'dots_ocr',
    ],
  ],
  [{ onlyWhenAsked: true, slides: withoutRotation }, ['smollm3']],
  [{ window: 4096, slides: afterWindowLayers }, ['dots1']],
];

export const SLIDING: readonly Family[] = RULES.map(([rule, types]) => ({
  types,
  read: (reader) => readDecoder(reader, rule),
}));

/** Trinity (AFMoE) calls its pattern by another name. */
function globalEvery(classValue: number): SlidingRule['slides'] {
  return (reader) => {
    const every = reader.countOr('global_attn_every_n_layers', classValue);
    return (layer) => (layer + 1) % every !== 0;
  };
}

/** SmolLM3: of the layers, those without rotary position slide (`no_rope_layers` 0), every fourth by default. */
function withoutRotation(
  ...[reader, layers]: Parameters<NonNullable<SlidingRule['slides']>>
): (layer: number) => boolean {
  const rotates = reader.counts('no_rope_layers', layers);
  if (rotates !== null) return (layer) => rotates[layer] === 0;
  const interval = reader.countOr('no_rope_layer_interval', 4);
  return (layer) => (layer + 1) % interval === 0;
}

/** dots.llm1: the first `max_window_layers` (62) are full. */
function afterWindowLayers(
  ...[reader]: Parameters<NonNullable<SlidingRule['slides']>>
): (layer: number) => boolean {
  const first = reader.countOr('max_window_layers', 62);
  return (layer) => layer >= first;
}

/** Command A's mixture of experts: the dense layers at the start have a pattern of their own. */
function prefixedPattern(): SlidingRule['slides'] {
  return (reader) => {
    const dense = reader.countFromZero('first_k_dense_replace') ?? 0;
    const prefix = dense === 0 ? 1 : reader.countOr('prefix_dense_sliding_window_pattern', 1);
    const pattern = reader.countOr('sliding_window_pattern', 4);
    return (layer) => (layer < dense ? (layer + 1) % prefix : (layer - dense + 1) % pattern) !== 0;
  };
}
