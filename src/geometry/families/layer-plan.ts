/** Which layers see every token, which a window and which a chunk: by `layer_types`, else by the rule of the model's class. */
import { FIELDS } from '../fields';
import { showValue } from '../geometry-error';
import type { ConfigReader } from '../reader';

/** How much of the past a layer keeps. */
type Reach = 'full' | 'sliding' | 'chunked';

/** What a class does where config.json has no `layer_types`. */
export interface SlidingRule {
  /** The layers that slide when a window is given or is the class's own; all where absent. */
  slides?: ((reader: ConfigReader, layers: number) => (layer: number) => boolean) | undefined;
  /** `sliding_window` of the class; none where absent. */
  window?: number;
  /** The window counts only when `use_sliding_window` is true (Qwen). */
  onlyWhenAsked?: boolean;
  /** A window without `layer_types` is not read: the family is not known. */
  blind?: boolean;
  /** The class makes the last layer full whatever `layer_types` says (Gemma 4). */
  lastIsFull?: boolean;
}

/** One entry a layer; `cap` is the window or the chunk. */
export interface Reached {
  reach: Reach;
  cap: number | null;
}

/**
 * Words of `layer_types` in public configs. transformers allows the first three (`configuration_utils.ALLOWED_LAYER_TYPES`);
 * Granite and Nemotron write "attention", others "global", "local" and "sliding".
 */
const WORDS: Readonly<Record<string, Reach>> = {
  full_attention: 'full',
  sliding_attention: 'sliding',
  chunked_attention: 'chunked',
  attention: 'full',
  full: 'full',
  global: 'full',
  global_attention: 'full',
  sliding: 'sliding',
  sliding_window: 'sliding',
  sliding_window_attention: 'sliding',
  window_attention: 'sliding',
  local: 'sliding',
  local_attention: 'sliding',
};

const WINDOW = { names: ['sliding_window', 'sliding_window_size'], max: 2 ** 40 } as const;

/**
 * The reach of every layer.
 * @throws GeometryError config-bad-field naming `layer_types[i]` for a word that is not known, or the list for a wrong
 *   length; config-missing-field for a window that layers need and nobody gives.
 */
export function readPlan(reader: ConfigReader, layers: number, rule: SlidingRule): Reached[] {
  const listed = readReaches(reader, layers);
  const asked = rule.blind === true && listed === null ? null : reader.flag('use_sliding_window');
  const off = asked === false || (asked === null && rule.onlyWhenAsked === true);
  if (listed === null && rule.blind === true)
    return Array.from({ length: layers }, () => reached('full', null));
  if (listed === null) return Array.from({ length: layers }, planByRule(reader, layers, rule, off));
  if (rule.lastIsFull === true) listed[layers - 1] = 'full';
  const window = listed.includes('sliding') && !off ? readWindow(reader, rule, true) : null;
  const chunk = listed.includes('chunked') ? reader.countOr('attention_chunk_size', 8192) : null;
  return listed.map((reach) => reached(reach, reach === 'sliding' ? window : chunk));
}

function reached(reach: Reach, cap: number | null): Reached {
  return reach === 'full' || cap === null ? { reach: 'full', cap: null } : { reach, cap };
}

/** `layer_types`, else null. Multi-token-prediction layers that follow the model's own (Step 3.5) are left out. */
function readReaches(reader: ConfigReader, layers: number): Reach[] | null {
  const name = ['layer_types', 'attention_types_per_layer'].find((candidate) => reader.has(candidate));
  if (name === undefined) return null;
  const given = reader.config[name];
  const predicted = reader.config['num_nextn_predict_layers'];
  const padded = typeof predicted === 'number' && Array.isArray(given) && given.length === layers + predicted;
  const list = reader.list(name, padded ? null : layers) ?? [];
  return list.slice(0, layers).map((word, index) => {
    const reach = typeof word === 'string' && Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    if (reach !== undefined) return reach;
    throw reader.bad(
      `${name}[${index}]`,
      'full_attention, sliding_attention or chunked_attention',
      showValue(word),
    );
  });
}

function planByRule(
  reader: ConfigReader,
  layers: number,
  rule: SlidingRule,
  off: boolean,
): (value: unknown, layer: number) => Reached {
  const window = off ? null : readWindow(reader, rule, false);
  if (window === null) return () => reached('full', null);
  const slides = rule.slides?.(reader, layers) ?? slidesFrom(reader);
  // A window that is no shorter than the model's own length cuts nothing (Phi-3.5: 262,144 over 131,072).
  const longest = rule.slides === undefined ? reader.count(FIELDS.maxPositions) : null;
  if (longest !== null && window >= longest) return () => reached('full', null);
  return (_value, layer) => reached(slides(layer) ? 'sliding' : 'full', window);
}

/** Qwen's `max_window_layers` full layers come first (28 in every Qwen class); other configs give none, then all slide. */
function slidesFrom(reader: ConfigReader): (layer: number) => boolean {
  const first =
    reader.countFromZero('max_window_layers') ??
    (reader.config['use_sliding_window'] === true ? reader.assume('max_window_layers', 28) : 0);
  return (layer) => layer >= first;
}

/** The window; null where it is null on purpose, or where neither config nor class has one and it is not needed. */
function readWindow(reader: ConfigReader, rule: SlidingRule, needed: boolean): number | null {
  const given = reader.count(WINDOW);
  if (given !== null) return given;
  if (WINDOW.names.some((name) => reader.config[name] === null)) return null;
  if (rule.window !== undefined) return reader.assume(WINDOW, rule.window);
  if (needed) throw reader.missing('sliding_window');
  return null;
}

/** Every n-th layer is full, the others slide; n by `sliding_window_pattern` where config.json has it. */
export function everyNth(classPattern: number): SlidingRule['slides'] {
  return (reader, layers) => {
    const name = ['sliding_window_pattern', '_sliding_window_pattern'].find(
      (candidate) => reader.config[candidate] !== undefined,
    );
    if (name === undefined) {
      const pattern = reader.assume('sliding_window_pattern', classPattern);
      return (layer) => (layer + 1) % pattern !== 0;
    }
    if (typeof reader.config[name] === 'string') return lettered(reader, name, layers);
    // Null and 0 switch the pattern off (EXAONE 4.0 1.2B).
    const pattern = reader.countFromZero(name) ?? 0;
    return pattern === 0 ? () => false : (layer) => (layer + 1) % pattern !== 0;
  };
}

/** EXAONE 4 writes "LLLG": local and global by turns, the last layer global whatever the turn (its configuration file). */
function lettered(reader: ConfigReader, name: string, layers: number): (layer: number) => boolean {
  const pattern = reader.text(name) ?? '';
  if (!/^[LG]{1,100}$/.test(pattern)) throw reader.bad(name, 'a whole number, or letters L and G');
  return (layer) => layer !== layers - 1 && pattern[layer % pattern.length] === 'L';
}
