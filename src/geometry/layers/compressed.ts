/** Layer caches of DeepSeek V4: a short window of tokens, entries that stand for several tokens each, and keys to choose among them. */
import type { LayerCache } from '../geometry';
import { fullCache } from './full';
import { indexerCache } from './indexer';
import { slidingCache } from './sliding';

export interface CompressedShape {
  /** `head_dim`: the one vector of a token that is key and value at once (`num_key_value_heads` is 1). */
  headDim: number;
  /** `sliding_window`: tokens that are kept uncompressed. */
  window: number;
  /** `index_head_dim`. */
  indexDim: number;
}

/**
 * Entries of one layer: min(S, window) x head dim; where it compresses, floor(S / ratio) x head dim; where its queries also
 * choose among the entries, floor(S / ratio) x index dim
 * (transformers modeling_deepseek_v4.py and configuration_deepseek_v4.py; aiconfigurator deepseek_v4.py).
 * @param ratio tokens of one compressed entry; 0 for a layer with the window only.
 */
export function compressedCaches(
  layer: number,
  ratio: number,
  indexed: boolean,
  { headDim, window, indexDim }: CompressedShape,
): LayerCache[] {
  const shape = { kvHeads: 1, keyDim: headDim, valueDim: 0 };
  const windowed = slidingCache(layer, shape, window);
  if (ratio === 0) return [windowed];
  const compressed: LayerCache = { ...fullCache(layer, shape), kind: 'compressed', tokensPerEntry: ratio };
  return [windowed, compressed, ...(indexed ? [indexerCache(layer, indexDim, ratio)] : [])];
}
