/** How many tokens vLLM would say that its cache holds. */
import type { Geometry } from '../geometry';
import type { EngineOptions } from './engine';
import { blocksPerSequence } from './vllm-pages';
import { vllmLayout } from './vllm';

export interface VllmCapacity {
  /** Blocks in the pool. */
  blocks: number;
  /** Bytes of one block on one GPU, over the layers that share it. */
  blockBytes: number;
  /** Groups of layers with block tables of their own: a token of each needs a block. */
  groups: number;
  /** Tokens of the shortest block. */
  blockTokens: number;
  /** "GPU KV cache size" of older logs: blocks / groups x tokens of a block, windows or not. */
  logTokens: number;
  /** The same of newer logs: concurrency x `max_model_len`; null without that length. */
  logTokensNew: number | null;
  /** Sequences of `max_model_len` tokens that fit, with a fraction; null without that length. */
  concurrency: number | null;
}

/**
 * vLLM core/kv_cache_utils.py, `get_num_blocks`, `_report_kv_cache_config` and `get_max_concurrency_for_kv_cache_config`.
 * @param input.budgetBytes what one GPU has for the cache.
 * @returns null where the rule knows no pool: a model without a growing cache, or DeepSeek V4's compressed one.
 */
export function vllmCapacity(
  geometry: Geometry,
  input: Omit<EngineOptions, 'tokens' | 'batch'> & { budgetBytes: number; maxModelLen?: number | undefined },
): VllmCapacity | null {
  const { budgetBytes, maxModelLen, ...options } = input;
  const { layout, batchedTokens } = vllmLayout(geometry, { ...options, tokens: maxModelLen ?? 0, batch: 1 });
  const tokensOfBlocks = layout.groups.flatMap(({ spec }) =>
    spec.type === 'mamba' ? [] : [spec.blockTokens],
  );
  if (layout.blockBytes === 0 || tokensOfBlocks.length === 0) return null;
  const groups = layout.groups.length;
  const blocks = Math.max(0, Math.floor(budgetBytes / layout.blockBytes));
  const blockTokens = Math.min(...tokensOfBlocks);
  const concurrency =
    maxModelLen === undefined ? null : blocks / blocksPerSequence(layout, maxModelLen, batchedTokens);
  return {
    blocks,
    blockBytes: layout.blockBytes,
    groups,
    blockTokens,
    logTokens: Math.floor(blocks / groups) * blockTokens,
    logTokensNew:
      concurrency === null || maxModelLen === undefined ? null : Math.trunc(concurrency * maxModelLen),
    concurrency,
  };
}
