/** Geometry: what decides a cache's size, as a list of layer caches, and what was assumed on the way. */

export const LAYER_CACHE_KINDS = [
  'full',
  'sliding',
  'chunked',
  'latent',
  'indexer',
  'compressed',
  'recurrent',
  'conv',
  'cross',
  'shared',
  'none',
] as const;
export type LayerCacheKind = (typeof LAYER_CACHE_KINDS)[number];

/** Heads and widths of keys and values. */
export interface KeyValueShape {
  kvHeads: number;
  keyDim: number;
  /** 0 where one vector is both key and value (latent, compressed). */
  valueDim: number;
}

/**
 * One layer's entry under the ideal rule: the least that the architecture needs. Elements are per sequence, keys and values
 * together. A layer can have several entries (Falcon-H1: keys and values, a convolution and a state).
 */
export interface LayerCache extends KeyValueShape {
  /** 0-based layer index. A looped model's second pass over its layers goes on counting. */
  layer: number;
  /** `kvHeads`, `keyDim` and `valueDim` are 0 for kinds that keep no keys. */
  kind: LayerCacheKind;
  /** Elements that one more token adds, or, where `tokensPerEntry` is given, that many tokens more. */
  elementsPerToken: number;
  /** Tokens after which the entry stops growing; null when it never does. */
  capTokens: number | null;
  /** Elements that are there whatever the length: state, or keys and values of an encoder's output. */
  fixedElements: number;
  /** Tokens that share one stored entry (DeepSeek V4 stores one for every 4 or 128 tokens); 1 where absent. */
  tokensPerEntry?: number | undefined;
  /** Bytes of one element where the model fixes it whatever the cache's type (float32 states); the cache's where absent. */
  elementBytes?: number | undefined;
  /** `latent`: what an engine that decompresses keeps instead, per token. */
  expanded?: KeyValueShape | undefined;
  /** `conv`: the ideal is channels x (kernel - 1); engines may keep the whole kernel. */
  conv?: { channels: number; kernel: number } | undefined;
  /** `recurrent`: dims of the state of one sequence, such as [heads, key dim, value dim]; their product is `fixedElements`. */
  stateDims?: number[] | undefined;
  /** `shared`: the layer whose entry is read instead. */
  sharedWith?: number | undefined;
  /** `cross`: tokens of the encoder's output that `fixedElements` counts. */
  encoderTokens?: number | undefined;
}

/** Why a value that config.json does not give was taken. */
export const ASSUMPTION_CODES = [
  /** The class of that model_type has this value when config.json leaves it out. */
  'class-default',
  /** The model_type is not known here; it was read as keys and values of every token in every layer. */
  'unknown-family',
  /** The model_type is not known here; the family of its `architectures` was read, which is the value. */
  'by-architecture',
  /** A field that may change the cache, of a model_type that is not known here; it was not read. */
  'unread-field',
  /** No number of KV heads: as many as attention heads, which the class takes where it could have been told fewer. */
  'as-attention-heads',
  /** No head dim, of a model_type that is not known here: hidden size / attention heads. */
  'hidden-over-heads',
  /** The encoder's length, which decides the cross part, is the longest that the model takes. */
  'encoder-length',
  /** Given by hand, not read. */
  'by-hand',
] as const;
export type AssumptionCode = (typeof ASSUMPTION_CODES)[number];

export interface Assumption {
  /** The field's name in config.json. */
  field: string;
  value: string | number | boolean;
  code: AssumptionCode;
}

export interface Geometry {
  modelType: string;
  layers: number;
  /** 0 for a model without attention. */
  attentionHeads: number;
  /** Of the first layer that keeps keys and values; 0 when none does. */
  kvHeads: number;
  headDim: number;
  /** Attention heads x head dim where the config gives only those. */
  hiddenSize: number;
  /** Highest number of positions the model was made for; null when its config does not say. */
  maxPositions: number | null;
  /** Entries in the order of their layers. */
  caches: LayerCache[];
  /** Empty or absent when everything was read. */
  assumed?: Assumption[] | undefined;
  /** The fields that were read, in the order of reading: what the bytes come from. */
  fields?: { name: string; value: string | number | boolean | null }[] | undefined;
  /** Element type of the weights by config.json (`torch_dtype` or `dtype`, nested or not): what the cache has unless told otherwise. */
  dtype?: string | null | undefined;
}

/** An entry that holds nothing (a layer without a cache: MLP, mixture of experts, no-op). */
export function noCache(layer: number): LayerCache {
  return {
    layer,
    kind: 'none',
    kvHeads: 0,
    keyDim: 0,
    valueDim: 0,
    elementsPerToken: 0,
    capTokens: null,
    fixedElements: 0,
  };
}
