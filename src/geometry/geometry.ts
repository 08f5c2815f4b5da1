/** Geometry: what decides a cache's size, as a list of layer caches, and the bytes that follow from it. */

export type LayerCacheKind =
  | 'full'
  | 'sliding'
  | 'chunked'
  | 'latent'
  | 'indexer'
  | 'compressed'
  | 'recurrent'
  | 'conv'
  | 'cross'
  | 'shared'
  | 'none';

/** One layer's entry. Elements are per sequence, keys and values together. */
export interface LayerCache {
  /** 0-based layer index. */
  layer: number;
  kind: LayerCacheKind;
  /** KV heads of this layer; 0 for kinds that have none. */
  kvHeads: number;
  keyDim: number;
  valueDim: number;
  /** Elements that one more token adds. */
  elementsPerToken: number;
  /** Tokens after which the entry stops growing; null when it never does. */
  capTokens: number | null;
  /** Elements that are there whatever the length (state). */
  fixedElements: number;
}

export interface Geometry {
  modelType: string;
  layers: number;
  attentionHeads: number;
  kvHeads: number;
  headDim: number;
  /** Attention heads x head dim where the config gives only those. */
  hiddenSize: number;
  /** Highest number of positions the model was made for; null when its config does not say. */
  maxPositions: number | null;
  caches: LayerCache[];
}
