/** Tells, before a forward pass, whether a cache tensor would be larger than a buffer of this device may be. */
import { tensorBytes } from './ledger';
import type { PassContext } from './run-experiment';
import type { Fault } from '../protocol/faults';

const BUFFER_LIMITS = ['maxBufferSize', 'maxStorageBufferBindingSize'] as const;

/**
 * @param tokens Tokens per sequence that the cache is about to hold.
 * @returns The fault `buffer-too-large`, naming the first such tensor and the limit; null when all fit.
 */
export function bufferFault(
  { pass, model, gpu }: Pick<PassContext, 'pass' | 'model' | 'gpu'>,
  tokens: number,
): Fault | null {
  const limits = gpu.device?.limits;
  if (pass.device !== 'webgpu' || !limits) return null;
  for (const { name, type, dims } of model.graphCache) {
    // By the graph's own shape; the symbolic dimensions are the batch and the tokens.
    const shape = dims.map((dim) =>
      typeof dim === 'number' ? dim : /batch/.test(dim) ? pass.batch : tokens,
    );
    const bytes = tensorBytes([{ type, dims: shape }]);
    for (const limit of BUFFER_LIMITS) {
      const allowed = limits[limit];
      if (bytes > allowed)
        return { code: 'buffer-too-large', params: { bytes, limit, allowed, tensor: name } };
    }
  }
  return null;
}
