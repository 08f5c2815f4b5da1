/** The length of an encoder's output, where the one that was read or assumed is not the one that is meant. */
import type { Geometry } from './geometry';

/**
 * The geometry with cross parts for `encoderTokens` tokens of the encoder's output; unchanged where there is none.
 * A cross part is proportional to that length (vLLM `CrossAttentionSpec`).
 */
export function withEncoderTokens(geometry: Geometry, encoderTokens: number): Geometry {
  const caches = geometry.caches.map((cache) =>
    cache.kind === 'cross' && cache.encoderTokens !== undefined && cache.encoderTokens > 0
      ? {
          ...cache,
          fixedElements: (cache.fixedElements / cache.encoderTokens) * encoderTokens,
          encoderTokens,
        }
      : cache,
  );
  const assumed = geometry.assumed?.filter(({ code }) => code !== 'encoder-length');
  return { ...geometry, caches, assumed };
}
