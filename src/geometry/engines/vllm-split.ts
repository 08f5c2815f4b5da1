/** Tensor parallelism of vLLM: what one of several GPUs keeps of a layer. */
import type { LayerCache } from '../geometry';

/**
 * KV heads on each GPU: H / tp, or one, replicated, when there are more GPUs than heads
 * (vLLM config/model.py, `get_num_kv_heads`; the models assert that one divides the other).
 * @throws RangeError when neither divides the other.
 */
export function headsPerGpu(kvHeads: number, gpus: number): number {
  if (kvHeads % gpus !== 0 && gpus % kvHeads !== 0)
    throw new RangeError(
      `${kvHeads} KV heads cannot be split over ${gpus} GPUs: one of the two numbers has to divide the other.`,
    );
  return Math.max(1, Math.floor(kvHeads / gpus));
}

/** @throws RangeError when the attention heads do not split evenly (vLLM `verify_with_parallel_config`). */
export function checkAttentionHeads(attentionHeads: number, gpus: number): void {
  if (attentionHeads % gpus !== 0)
    throw new RangeError(
      `${attentionHeads} attention heads cannot be split over ${gpus} GPUs: vLLM needs a number that divides them.`,
    );
}

/**
 * A state-space layer's entries with the elements that one GPU keeps: heads and channels are split; groups that do not
 * divide are extended to one for each GPU, which widens the convolution (vLLM mamba_utils.py, `mamba2_state_shape` and
 * `extra_groups_for_head_shards`).
 * @throws RangeError when heads or channels do not split evenly.
 */
export function statePerGpu(caches: readonly LayerCache[], gpus: number): LayerCache[] {
  if (gpus === 1) return [...caches];
  const dims = caches.find(({ kind }) => kind === 'recurrent')?.stateDims;
  return caches.map((cache) => {
    if (cache.kind === 'conv' && cache.conv) {
      const channels = divide(extendedChannels(cache.conv.channels, dims, gpus), gpus, 'channels');
      return { ...cache, fixedElements: channels * (cache.conv.kernel - 1) };
    }
    const [heads] = cache.stateDims ?? [];
    if (heads !== undefined) divide(heads, gpus, 'state heads');
    return { ...cache, fixedElements: divide(cache.fixedElements, gpus, 'elements of a state') };
  });
}

/** Channels are heads x head dim + 2 x groups x state size; groups become at least one for each GPU. */
function extendedChannels(channels: number, dims: number[] | undefined, gpus: number): number {
  const [heads, headDim, stateSize] = dims ?? [];
  if (heads === undefined || headDim === undefined || stateSize === undefined) return channels;
  const groups = (channels - heads * headDim) / (2 * stateSize);
  if (!Number.isInteger(groups) || groups < 1 || groups % gpus === 0 || groups > gpus) return channels;
  return channels + 2 * (gpus - groups) * stateSize;
}

function divide(count: number, gpus: number, what: string): number {
  if (count % gpus !== 0) throw new RangeError(`${count} ${what} cannot be split evenly over ${gpus} GPUs.`);
  return count / gpus;
}
