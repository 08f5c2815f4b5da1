/** What the person sets for a config's numbers: context, batch and the cache's element type. Pure. */
import { KV_DTYPES, kvDtype, type KvDtype } from '../../geometry/engines/kv-dtype';
import type { Geometry } from '../../geometry/geometry';

/** Most tokens that can be asked for: far above any model, far below what would not be exact. */
export const MAX_TOKENS = 1_000_000_000;
export const BATCHES = [1, 2, 4, 8, 16, 32, 64];
const USUAL_TOKENS = 32_768;

/** The context that is shown first: 32,768 tokens, or as many as the model was made for. */
export function usualTokens({ maxPositions }: Geometry): number {
  return Math.min(USUAL_TOKENS, maxPositions ?? USUAL_TOKENS);
}

/** The cache's type by config.json where that is a float type of a cache, else bf16. */
export function usualDtype({ dtype }: Geometry): string {
  const named = dtype?.replace(/^torch\./, '') ?? '';
  const found = ['float32', 'bfloat16', 'float16', 'fp32', 'bf16', 'fp16'].includes(named) ? named : 'bf16';
  return kvDtype(found).id;
}

/** A typed count of tokens, thousands separated or not; null when it is none. */
export function parseTokens(text: string): number | null {
  const plain = text.trim().replace(/(?<=\d)[,_ ](?=\d{3}\b)/g, '');
  const value = /^\d+$/.test(plain) ? Number(plain) : 0;
  return value >= 1 && value <= MAX_TOKENS ? value : null;
}

/** Typed bits per element as a type; null when they are none. */
export function parseBits(text: string): KvDtype | null {
  try {
    return kvDtype(`${text.trim().replace(',', '.')}bit`);
  } catch {
    return null;
  }
}

/** The types to choose from, by id and name. */
export const DTYPE_CHOICES = KV_DTYPES.map(({ id, name }) => ({ id, name }));
