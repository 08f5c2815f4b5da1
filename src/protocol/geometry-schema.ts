/** A geometry inside a record from outside. */
import * as v from 'valibot';
import { ASSUMPTION_CODES, LAYER_CACHE_KINDS } from '../geometry/geometry';
import { count, list, name } from './schema-parts';

/** A value of config.json. */
const plain = v.union([name, v.number(), v.boolean()]);

export const geometry = v.object({
  modelType: name,
  layers: count,
  attentionHeads: count,
  kvHeads: count,
  headDim: count,
  hiddenSize: count,
  maxPositions: v.nullable(count),
  caches: list(
    v.object({
      layer: count,
      kind: v.picklist(LAYER_CACHE_KINDS),
      kvHeads: count,
      keyDim: count,
      valueDim: count,
      elementsPerToken: count,
      capTokens: v.nullable(count),
      fixedElements: count,
      tokensPerEntry: v.optional(count),
      elementBytes: v.optional(count),
      expanded: v.optional(v.object({ kvHeads: count, keyDim: count, valueDim: count })),
      conv: v.optional(v.object({ channels: count, kernel: count })),
      stateDims: v.optional(list(count)),
      sharedWith: v.optional(count),
      encoderTokens: v.optional(count),
    }),
  ),
  assumed: v.optional(
    list(
      v.object({
        field: name,
        value: plain,
        code: v.picklist(ASSUMPTION_CODES),
      }),
    ),
  ),
  fields: v.optional(list(v.object({ name, value: v.nullable(plain) }))),
  dtype: v.optional(v.nullable(name)),
});
