/** From a config.json's text (or value) to a model, or to the one sentence that says what is wrong with it. Pure. */
import { readConfigText } from '../../geometry/config-text';
import { isObject } from '../../geometry/fields';
import { readGeometry } from '../../geometry/read-config';
import { toFault } from '../../protocol/faults';
import type { HandPrefill, InputModel, ReadModel, WayIn } from './input-model';

/** What a model is called, and what is known of it besides its config. */
export type ModelFacts = Pick<InputModel, 'id' | 'weightBytes' | 'parameters'> &
  Partial<Pick<InputModel, 'source' | 'revision'>> & { name: string | null };

const NOTHING_KNOWN: ModelFacts = { id: null, name: null, weightBytes: null, parameters: null };

/** Longest name that a config may give itself. */
const MAX_NAME = 80;

/** Reads a pasted text or a file's. */
export function readModelText(text: string, from: WayIn, facts: ModelFacts = NOTHING_KNOWN): ReadModel {
  let value: unknown;
  try {
    const read = readConfigText(text);
    value = read.value;
    return { model: { ...modelOf(read.value, from, facts), repairs: read.repairs } };
  } catch (error) {
    return { fault: toFault(error, 'config-not-json'), prefill: prefillOf(value) };
  }
}

/** Reads a parsed config.json. */
export function readModelConfig(value: unknown, from: WayIn, facts: ModelFacts): ReadModel {
  try {
    return { model: modelOf(value, from, facts) };
  } catch (error) {
    return { fault: toFault(error, 'config-not-json'), prefill: prefillOf(value) };
  }
}

function modelOf(config: unknown, from: WayIn, { name, ...facts }: ModelFacts): InputModel {
  const geometry = readGeometry(config);
  return { ...facts, name: name ?? nameOf(config, geometry.modelType), config, geometry, repairs: [], from };
}

/** The repository that a config was saved from (`_name_or_path`), else its model_type. */
function nameOf(config: unknown, modelType: string): string {
  const path = isObject(config) ? config['_name_or_path'] : undefined;
  return typeof path === 'string' && /^[\w.-]+\/[\w.-]+$/.test(path) ? path.slice(0, MAX_NAME) : modelType;
}

const NAMES = {
  layers: ['num_hidden_layers', 'n_layer', 'n_layers', 'num_layers'],
  kvHeads: ['num_key_value_heads', 'n_head_kv', 'num_attention_heads', 'n_head', 'n_heads'],
  headDim: ['head_dim', 'kv_channels', 'd_kv', 'attention_head_dim'],
} as const;

/** What an unread config says of the three numbers that a person would type; null where there is no object. */
export function prefillOf(value: unknown): HandPrefill | null {
  if (!isObject(value)) return null;
  const inner = ['text_config', 'llm_config', 'language_config'].map((key) => value[key]).find(isObject);
  const count = (names: readonly string[]): number | null =>
    [inner, value]
      .flatMap((part) => (part === undefined ? [] : names.map((name) => part[name])))
      .find(
        (found): found is number => typeof found === 'number' && Number.isSafeInteger(found) && found > 0,
      ) ?? null;
  const type = value['model_type'];
  const heads = count(['num_attention_heads', 'n_head', 'n_heads']);
  const width = count(['hidden_size', 'n_embd', 'd_model']);
  const derived = heads !== null && width !== null && width % heads === 0 ? width / heads : null;
  return {
    name: typeof type === 'string' ? type.slice(0, MAX_NAME) : '',
    layers: count(NAMES.layers),
    kvHeads: count(NAMES.kvHeads),
    attentionHeads: heads,
    headDim: count(NAMES.headDim) ?? derived,
  };
}
