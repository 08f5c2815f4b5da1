/** Families in which every layer keeps keys and values of every token, whatever the names of their fields. */
import type { Body, Family } from './family';
import { fullAttentionCaches } from '../layers/full';
import type { ConfigReader } from '../reader';
import { readShape } from '../shape';

export const ATTENTION: readonly Family[] = [{ types: [], read: readFullAttention }];

/** All layers alike, keys and values of every token. */
export function readFullAttention(reader: ConfigReader): Body {
  const shape = readShape(reader);
  return { ...shape, caches: fullAttentionCaches(shape.layers, shape.kvHeads, shape.headDim) };
}
