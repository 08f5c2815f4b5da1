/** Which variants of the weights the page can build. Apart from the builder, so that the first paint needs none of that. */

/** Variants of the weights that the page can build, by transformers.js' names. */
export const WEIGHT_DTYPES = ['fp32', 'fp16', 'q4', 'q4f16', 'q8'] as const;
export type WeightDtype = (typeof WEIGHT_DTYPES)[number];

/** Whether the page can build a model of that variant; the hub knows more of them. */
export function isWeightDtype(dtype: string): dtype is WeightDtype {
  return (WEIGHT_DTYPES as readonly string[]).includes(dtype);
}
