/** The models of the soak, small enough for a run of seconds, with their bytes by hand. */
import type { Device, Dtype } from '../../src/protocol/recipe';

/** Bytes of one token of one sequence in float32: layers x (keys + values) x KV heads x head dim x 4. */
const BYTES_PER_TOKEN: Readonly<Record<string, number>> = {
  // 4 x 2 x 2 x 32 x 4
  tiny: 2048,
  // Its counterfactual with 8 KV heads: 4 x 2 x 8 x 32 x 4
  'mha:tiny': 8192,
  // 2 x 2 x 3 x 64 x 4
  'twin:HuggingFaceTB/SmolLM2-135M-Instruct:layers=2': 3072,
  // 1 x 2 x 12 x 64 x 4
  'twin:openai-community/gpt2:layers=1': 6144,
  // 2 x 2 x 2 x 64 x 4
  'twin:Qwen/Qwen2.5-0.5B-Instruct:layers=2': 2048,
  // One latent and one rotary key: (512 + 64) x 4
  'latent:deepseek-ai/DeepSeek-V3:layers=1': 2304,
  // Two convolutions, and 1 x 2 x 8 x 64 x 4
  'twin:LiquidAI/LFM2.5-VL-1.6B:layers=3': 4096,
};

/** Bytes of one sequence's states in float32, whatever its length. */
const STATE_BYTES: Readonly<Record<string, number>> = {
  // 2 x 2,048 x 3 x 4
  'twin:LiquidAI/LFM2.5-VL-1.6B:layers=3': 49_152,
};

/** Models whose attention joins old and new tokens, and models with states: no policy but `dynamic` takes them. */
export const NOT_GROUPED: readonly string[] = ['latent:deepseek-ai/DeepSeek-V3:layers=1'];
export const WITH_STATES: readonly string[] = ['twin:LiquidAI/LFM2.5-VL-1.6B:layers=3'];

/** Rows of a token: layers x 2 x KV heads; and elements of a row. */
const ROWS: Readonly<Record<string, readonly [rows: number, headDim: number]>> = {
  tiny: [16, 32],
  'twin:HuggingFaceTB/SmolLM2-135M-Instruct:layers=2': [12, 64],
  'twin:openai-community/gpt2:layers=1': [24, 64],
  'twin:Qwen/Qwen2.5-0.5B-Instruct:layers=2': [8, 64],
};

/**
 * Bytes of a quantised cache. A row has its elements' bits, on WebGPU behind a scale of 4 bytes.
 * @throws Error for a model that the table does not have.
 */
export function quantisedByHand(
  model: string,
  { bits, device }: { bits: number; device: Device },
  batch: number,
  tokens: number,
): number {
  const known = ROWS[model];
  if (known === undefined) throw new Error(`The soak has no quantised rows by hand for ${model}.`);
  const [rows, headDim] = known;
  return batch * tokens * rows * ((device === 'webgpu' ? 4 : 0) + (headDim * bits) / 8);
}

/** Models that a run takes; counterfactuals come with the experiment gqa. */
export const SUBJECTS = Object.keys(BYTES_PER_TOKEN).filter((id) => !id.startsWith('mha:'));

/** @throws Error for a model or variant that the table does not have. */
export function bytesByHand(model: string, dtype: Dtype, batch: number, tokens: number): number {
  const perToken = BYTES_PER_TOKEN[model];
  if (perToken === undefined || (dtype !== 'fp32' && dtype !== 'fp16'))
    throw new Error(`The soak has no bytes by hand for ${model} in ${dtype}.`);
  return (batch * (perToken * tokens + (STATE_BYTES[model] ?? 0))) / (dtype === 'fp16' ? 2 : 1);
}
