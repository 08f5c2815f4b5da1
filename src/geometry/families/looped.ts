/** Looped models: the same layers run several times, and every pass keeps keys and values of its own. */
import { readDecoder } from './attention';
import type { Body, Family } from './family';
import { noteUnread } from './unknown';
import { FIELDS } from '../fields';
import { readKvHeads } from '../kv-heads';
import { fullAttentionCaches } from '../layers/full';
import { slidingCache } from '../layers/sliding';
import type { ConfigReader } from '../reader';
import { readHeadDim } from '../shape';

/** Most entries that a looped model may have; Huginn has 132. */
const MOST_ENTRIES = 100_000;

export const LOOPED: readonly Family[] = [
  { types: ['ouro'], read: readOuro },
  { types: ['huginn_raven'], read: readHuginn },
  { types: ['hrm_text'], read: readHrm },
  { types: ['iquestloopcoder'], read: readIQuestLoop },
];

/** Ouro: `total_ut_steps` (4) passes over all layers; pass p of layer l has cache p x layers + l (vLLM ouro.py). */
function readOuro(reader: ConfigReader): Body {
  const passes = reader.countOr({ names: ['total_ut_steps'], max: 10_000 }, 4);
  const body = readDecoder(reader, { onlyWhenAsked: true });
  checkEntries(reader, 'total_ut_steps', passes * body.layers);
  const caches = Array.from({ length: passes }, (_, pass) =>
    body.caches.map((cache) => ({ ...cache, layer: pass * body.layers + cache.layer })),
  ).flat();
  return { ...body, caches };
}

/**
 * Huginn: layers before the loop, `mean_recurrence` (32) passes over the looped ones, layers after it; the cache is kept by
 * step (raven_modeling_minimal.py, `HuginnDynamicCache`). Keys and values have all heads; defaults of raven_config_minimal.py.
 */
function readHuginn(reader: ConfigReader): Body {
  const before = reader.countOr({ names: ['n_layers_in_prelude'], max: 10_000 }, 2);
  const looped = reader.countOr({ names: ['n_layers_in_recurrent_block'], max: 10_000 }, 4);
  const after = reader.countOr({ names: ['n_layers_in_coda'], max: 10_000 }, 2);
  const passes = reader.countOr({ names: ['mean_recurrence'], max: 10_000 }, 32);
  const entries = before + looped * passes + after;
  checkEntries(reader, 'mean_recurrence', entries);
  const attentionHeads = reader.required({
    ...FIELDS.attentionHeads,
    names: ['num_attention_heads', 'n_heads'],
  });
  const hiddenSize = reader.required(FIELDS.hiddenSize);
  const headDim = readHeadDim(reader) ?? hiddenSize / attentionHeads;
  if (!Number.isInteger(headDim))
    throw reader.bad(reader.nameOf(FIELDS.hiddenSize), `a multiple of the ${attentionHeads} attention heads`);
  const kvHeads = readKvHeads(reader, attentionHeads);
  noteUnread(reader);
  const caches = fullAttentionCaches(entries, kvHeads, headDim);
  return { layers: before + looped + after, attentionHeads, kvHeads, headDim, hiddenSize, caches };
}

/**
 * HRM-Text: two stacks, the low one `L_cycles` (3) times and the high one once, `H_cycles` (2) times over; a cache for every
 * run of a layer. `num_hidden_layers` already counts all runs where `num_layers_per_stack` is given (configuration_hrm_text.py).
 */
function readHrm(reader: ConfigReader): Body {
  const body = readDecoder(reader);
  if (reader.count('num_layers_per_stack') !== null) return body;
  const runs = reader.countOr('H_cycles', 2) * (reader.countOr('L_cycles', 3) + 1);
  checkEntries(reader, 'H_cycles', runs * body.layers);
  return { ...body, caches: fullAttentionCaches(runs * body.layers, body.kvHeads, body.headDim) };
}

/**
 * IQuest-Coder-V1 Loop: `loop_num` (2) passes over all layers; the first keeps every token, the later ones a window of
 * `loop_window_size` (64) each (vLLM iquest_loopcoder.py: one attention a pass, `loop_idx > 0` with that window).
 */
function readIQuestLoop(reader: ConfigReader): Body {
  const passes = reader.countOr({ names: ['loop_num'], max: 10_000 }, 2);
  const window = reader.countOr('loop_window_size', 64);
  const body = readDecoder(reader);
  checkEntries(reader, 'loop_num', passes * body.layers);
  const shape = { kvHeads: body.kvHeads, keyDim: body.headDim, valueDim: body.headDim };
  const later = Array.from({ length: (passes - 1) * body.layers }, (_, index) =>
    slidingCache(body.layers + index, shape, window),
  );
  return { ...body, caches: [...body.caches, ...later] };
}

function checkEntries(reader: ConfigReader, name: string, entries: number): void {
  if (entries <= MOST_ENTRIES) return;
  throw reader.bad(
    name,
    `so small that at most ${MOST_ENTRIES.toLocaleString('en-US')} layers keep a cache`,
    String(reader.config[name]),
  );
}
