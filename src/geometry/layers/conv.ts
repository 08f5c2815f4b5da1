/** Layer cache of kind `conv`: the last inputs of a short causal convolution. */
import { noCache, type LayerCache } from '../geometry';

/**
 * A kernel of k taps needs the k - 1 inputs before the newest one: channels x (kernel - 1) elements
 * (vLLM mamba_utils.py, all `*_state_shape`; llama.cpp). Hugging Face pads its state to the whole kernel.
 */
export function convCache(layer: number, channels: number, kernel: number): LayerCache {
  return {
    ...noCache(layer),
    kind: 'conv',
    fixedElements: channels * (kernel - 1),
    conv: { channels, kernel },
  };
}
