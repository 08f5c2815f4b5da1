/** What an experiment asks about models. The page answers from its catalog and from what was downloaded or opened. */
import type { Geometry } from '../geometry/geometry';
import type { Fault } from '../protocol/faults';
import type { Dtype } from '../protocol/recipe';

export interface Models {
  /** @throws LabError recipe-unknown-model. */
  geometryOf(id: string): Geometry;
  /** Bytes of one cache element of that variant: as its graph has it where it was read, else as its name says. */
  itemSizeOf(id: string, dtype: Dtype): number;
  /** Why that variant cannot be run at all, wherever; null when it can be tried. */
  variantFault(id: string, dtype: Dtype): Fault | null;
  /** The twin with as many KV heads as attention heads; null when the model is that already, or is no twin. */
  counterfactualOf(id: string): string | null;
  /** Tokens of a growth's prompt under that model's tokenizer, as far as it is known before loading. */
  promptTokensOf(id: string, prompt: string): number;
}

/** What the machine allows, as far as it is known before a run. */
export interface Host {
  /** Limits of one GPU buffer; null where they are not known or the recipe does not run on a GPU. */
  limits: { maxBufferSize: number; maxStorageBufferBindingSize: number } | null;
  /** Whether the GPU computes in float16. Null when it is not known: the run will tell. */
  shaderF16: boolean | null;
  /** Whether the browser offers a figure for the whole page's memory. */
  processBytes: boolean;
}

export const UNKNOWN_HOST: Host = { limits: null, shaderF16: null, processBytes: false };
