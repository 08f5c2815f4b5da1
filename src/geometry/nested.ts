/** Finds the text decoder in a config.json that nests it (multimodal models), and its family where it does not say. */
import { FIELDS, isObject, type Config } from './fields';
import { GeometryError, showValue } from './geometry-error';
import { words } from './words';

/** Names under which public multimodal configs nest their text model. */
const TEXT_PARTS = [
  'text_config',
  'llm_config',
  'language_config',
  'language_model_config',
  'language_model',
  'thinker_config',
  'text_model',
  'lm_config',
  'phi_config',
  'llm',
  'decoder_config',
  'vlm_config',
];

/** Families of two nested configs, which read both themselves. */
const PAIRS = /^(t5gemma2?|musicgen(_melody)?|(vision|speech)-encoder-decoder|encoder-decoder)$/;

/** Text parts that do not say what they are, by the outer class: its default (transformers 5.18.0 `sub_configs`). */
const TEXT_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    cohere2: 'aya_vision cohere2_vision',
    gemma: 'colpali paligemma',
    qwen2:
      'audioflamingo3 fast_vlm got_ocr2 internvl llava_onevision musicflamingo ovis2 qwen2_audio vibevoice video_llama_3',
    llama:
      'deepseek_vl glmasr granite4_vision idefics3 janus llava llava_next llava_next_video perception_lm smolvlm video_llava vipllava voxtral',
    mistral: 'idefics2 mistral3',
    opt: 'blip-2 instructblip instructblipvideo',
    exaone4: 'exaone4_5',
    bart: 'florence2',
    persimmon: 'fuyu',
    glm4v_text: 'glm46v',
    granite: 'granite_speech',
    deepseek_v3: 'kimi_k25',
    lfm2: 'lfm2_vl',
    qwen3: 'lighton_ocr qianfan_ocr fun_asr_nano qwen3_asr',
    mllama_text_model: 'mllama',
    gemma3_text: 'shieldgemma2',
    step3p5: 'step3p7',
    qwen2_5_omni_text: 'qwen2_5_omni_thinker',
    qwen3_omni_moe_text: 'qwen3_omni_moe_thinker',
    qwen3_5_text: 'minicpmv4_6',
    nemotron_h: 'nemotron_h_omni',
    hyperclovax: 'hyperclovax_vision_v2',
    qwen3_vl_text: 'cosmos3_omni',
    step3_text: 'step3_vl',
  }).flatMap(([textType, outerTypes]) => words(outerTypes).map((outer) => [outer, textType])),
);

/** Public configs nest at most two deep (Qwen2.5-Omni: thinker_config, in it text_config). */
const DEEPEST = 16;

/** The text decoder's config, and whether it is nested in another. */
export interface TextPart {
  part: Config;
  nested: boolean;
  /** True where its own model_type is not known and that of its architecture was put in its place. */
  byArchitecture: boolean;
}

/**
 * The part of a config that describes the text decoder, with its model_type put in where only the outer class, or the
 * name of its architecture, tells it; the config itself when nothing is nested and nothing is to be put in.
 * @throws GeometryError config-bad-field when `text_config` is no object, or nests further than any config does.
 */
export function textPart(config: Config, isKnown: (modelType: string) => boolean, depth = 0): TextPart {
  if (PAIRS.test(textOf(config['model_type']))) return { part: config, nested: false, byArchitecture: false };
  for (const name of TEXT_PARTS) {
    const part = config[name];
    if (part === undefined || part === null || isEmptyBesideNumbers(part, config)) continue;
    if (isObject(part)) {
      if (depth === DEEPEST) throw tooDeep(name);
      return { ...textPart(withType(part, config, isKnown), isKnown, depth + 1), nested: true };
    }
    // A name beside the numbers ("language_model": "llama") nests nothing.
    if (!name.endsWith('_config')) continue;
    throw new GeometryError('config-bad-field', {
      field: name,
      value: showValue(part),
      expected: 'a JSON object',
    });
  }
  const part = withType(config, config, isKnown);
  if (part !== config || isKnown(textOf(config['model_type'])))
    return { part, nested: false, byArchitecture: false };
  // vLLM chooses a model's class by `architectures` alone (models/registry.py): DeepSeek V4 under the name "deepseek_ref".
  const type = byArchitecture(config).find(isKnown);
  if (type === undefined || typeof config['model_type'] !== 'string')
    return { part, nested: false, byArchitecture: false };
  return { part: { ...config, model_type: type }, nested: false, byArchitecture: true };
}

/** An empty object where the config itself has the numbers nests nothing. */
function isEmptyBesideNumbers(part: unknown, config: Config): boolean {
  return (
    isObject(part) &&
    Object.keys(part).length === 0 &&
    FIELDS.layers.names.some((name) => typeof config[name] === 'number')
  );
}

function tooDeep(field: string): GeometryError {
  return new GeometryError('config-bad-field', {
    field,
    value: `a config in a config, more than ${DEEPEST} deep`,
    expected: 'the config of the text model',
  });
}

/** The part of a multimodal config that describes the text decoder, as it stands; the config itself when nothing is nested. */
export function decoderPart(config: Config): Config {
  return textPart(config, () => false).part;
}

function withType(part: Config, outer: Config, isKnown: (modelType: string) => boolean): Config {
  if (part['model_type'] !== undefined && part['model_type'] !== null) return part;
  const outerType = part === outer ? '' : textOf(outer['model_type']);
  const candidates = [
    ...byArchitecture(part),
    ...(isObject(part['ssm_cfg']) ? ['mamba_ssm'] : []),
    TEXT_TYPES[outerType],
    `${outerType}_text`,
    outerType,
    ...(part === outer ? [] : byArchitecture(outer)),
  ];
  const found = candidates.find((type) => type !== undefined && type !== '' && isKnown(type));
  return found === undefined ? part : { ...part, model_type: found };
}

/** LlamaForCausalLM → llama; Phi3ForCausalLM → phi3; GPTNeoXForCausalLM → gpt_neox. */
function byArchitecture({ architectures }: Config): string[] {
  const name = Array.isArray(architectures) ? textOf(architectures[0]).slice(0, 80) : '';
  const base = name.replace(/(ForCausalLM|LMHeadModel|ForConditionalGeneration|Model)$/, '');
  if (base === '') return [];
  const snake = base
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
  return [
    snake,
    base.toLowerCase(),
    snake.replaceAll('_', '-'),
    ...(snake === 'gpt_neo_x' ? ['gpt_neox'] : []),
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
