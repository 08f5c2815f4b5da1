/** Gemma 3n and Gemma 4: sliding and full layers of different widths, the last layers sharing the keys of earlier ones. */
import { defaultsOf, layerCaches, shareLast } from './attention';
import type { Body, Family } from './family';
import { everyNth, readPlan, type SlidingRule } from './layer-plan';
import { noteUnread } from './unknown';
import type { ConfigReader } from '../reader';
import { readShape } from '../shape';

/** Rules and class values: transformers 5.18.0, configuration_gemma3n.py, configuration_gemma4.py, configuration_gemma4_unified.py. */
const GEMMA3N: SlidingRule = { window: 512, slides: everyNth(5) };
const GEMMA4: SlidingRule = { window: 512, slides: lastFull(6), lastIsFull: true };

export const GEMMA: readonly Family[] = [
  { types: ['gemma3n_text'], read: (reader) => readGemma(reader, GEMMA3N, 15) },
  { types: ['gemma4_text', 'diffusion_gemma_text'], read: (reader) => readGemma4(reader, GEMMA4) },
  { types: ['gemma4_unified_text'], read: (reader) => readGemma4(reader, { ...GEMMA4, window: 1024 }) },
];

function lastFull(pattern: number): SlidingRule['slides'] {
  const slides = everyNth(pattern);
  return (reader, layers) => {
    const inner = slides?.(reader, layers);
    return (layer) => layer !== layers - 1 && inner?.(layer) === true;
  };
}

function readGemma(reader: ConfigReader, rule: SlidingRule, sharedByClass: number): Body {
  const shape = readShape(reader, defaultsOf(reader));
  const plan = readPlan(reader, shape.layers, rule);
  const widths = { kvHeads: shape.kvHeads, keyDim: shape.headDim, valueDim: shape.headDim };
  const caches = layerCaches(plan, () => widths);
  const shared = readShared(reader, sharedByClass);
  noteUnread(reader);
  return { ...shape, caches: shareLast(reader, caches, shared) };
}

/**
 * Full layers have a head dim of their own (`global_head_dim`), and KV heads of their own only where `attention_k_eq_v` is
 * true. Keys and values are both stored even then (modeling_gemma4.py: the key is normalised, the value is not rotated).
 */
function readGemma4(reader: ConfigReader, rule: SlidingRule): Body {
  const shape = readShape(reader, defaultsOf(reader));
  const plan = readPlan(reader, shape.layers, rule);
  const sliding = { kvHeads: shape.kvHeads, keyDim: shape.headDim, valueDim: shape.headDim };
  const globalDim = reader.countOr('global_head_dim', 512);
  const kEqualsV = reader.flag('attention_k_eq_v') ?? false;
  const globalHeads = (kEqualsV ? reader.count('num_global_key_value_heads') : null) ?? shape.kvHeads;
  const full = { kvHeads: globalHeads, keyDim: globalDim, valueDim: globalDim };
  const caches = layerCaches(plan, (layer) => (plan[layer]?.reach === 'sliding' ? sliding : full));
  const shared = readShared(reader, 0);
  noteUnread(reader, kEqualsV ? [] : ['num_global_key_value_heads']);
  return { ...shape, caches: shareLast(reader, caches, shared) };
}

function readShared(reader: ConfigReader, classValue: number): number {
  if (reader.config['num_kv_shared_layers'] === null) return 0;
  return reader.countFromZero('num_kv_shared_layers') ?? reader.assume('num_kv_shared_layers', classValue);
}
