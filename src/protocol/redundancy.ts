/** The experiment `redundancy`: what is asked (a part of the recipe) and what was found (a part of the record). */
import type { Kind, PairResult, Split } from '../redundancy/types';
import type { Dtype } from './recipe';

/** Texts that the page brings: a file `public/texts/<name>.txt` each. */
export const BUILT_IN_DOCUMENTS = ['korean-report', 'model-card', 'python-code', 'korean-changelog'] as const;
export type BuiltInDocument = (typeof BUILT_IN_DOCUMENTS)[number];

export const KINDS: readonly Kind[] = ['K', 'V'];
export const SPLITS: readonly Split[] = ['documents', 'halves'];
/** Pairs of layers: each with the next and the first with the last, or every one with every other. */
export const PAIR_CHOICES = ['adjacent', 'all'] as const;
export type PairChoice = (typeof PAIR_CHOICES)[number];

/** Candidates of the ridge's strength, relative to the mean of the Gram matrix's diagonal. */
export const LAMBDAS: readonly number[] = [0.001, 0.01, 0.1, 1, 10, 100];
/** To choose a candidate, one more document is left out of those that are trained on. */
export const FEWEST_DOCUMENTS = 3;
/** Tokens of each document that have to be used at least. */
export const FEWEST_KEPT = 16;

export interface RedundancyState {
  /** Names of built-in texts, and `own:<name>` for a text of the person's own, which no link carries. */
  documents: string[];
  /** Tokens at the start of each document that are fed and not used. */
  skip: number;
  /** Tokens of each document that are used. */
  keep: number;
  split: Split;
  pairs: PairChoice;
  /** Tokens of context for which the savings are worked out. */
  context: number;
  /** Bytes of the model's weights, where the person knows them; 0: as far as the lab knows them. */
  weights: number;
}

/** The third article's set-up. */
export function defaultRedundancy(): RedundancyState {
  return {
    documents: [...BUILT_IN_DOCUMENTS],
    skip: 200,
    keep: 1536,
    split: 'documents',
    pairs: 'adjacent',
    context: 32_768,
    weights: 0,
  };
}

/** A document as it is handed to the worker. */
export interface DocumentText {
  /** As in the recipe. */
  name: string;
  text: string;
  /** Of the text's UTF-8 bytes, in hexadecimal, for the record; null where the browser computes none. */
  sha256: string | null;
}

/** A document as it was measured. */
export interface MeasuredDocument {
  name: string;
  /** All its tokens under the model's tokenizer, of which `skip` + `keep` were fed. */
  tokens: number;
  /** Of its UTF-8 bytes, in hexadecimal; null where the browser computes none. */
  sha256: string | null;
}

/** What the measuring worker finds: no formula, no weights. The page joins the savings. */
export interface MeasuredRedundancy {
  documents: MeasuredDocument[];
  /** True numbers of the layers that were read, ascending: those with a full KV cache. */
  layers: number[];
  /** Channels (KV heads x head dim) of each of them. */
  channels: { K: number; V: number }[];
  lambdas: number[];
  pairs: PairResult[];
  /** Largest absolute difference of the first document's keys and values when it is run twice; null until it was. */
  noiseFloor: number | null;
}

/** What the redundancy is worth at `context` tokens of one sequence. */
export interface Savings {
  context: number;
  /** Mean over the adjacent pairs, K and V, of the ideal bits per element. */
  savedBits: number;
  /** savedBits / 16 and savedBits / 4: shares of a cache in float16 and in 4 bits. */
  shareF16: number;
  share4Bit: number;
  /** Formula bytes of the layers that were read (keys and values alone), in float16 and in 4 bits. */
  bytesPerTokenF16: number;
  cacheBytesF16: number;
  cacheBytes4Bit: number;
  /** Bytes that the bound would save, the same at either width. */
  savedBytes: number;
  /** Bytes of the real model's weights in the variant that ran, or as they were typed; null when unknown. */
  weightBytes: number | null;
  /** Whether the bytes of the weights are those that the lab knows (or does not), or a person's. */
  weightsFrom: 'known' | 'typed';
}

export interface RedundancyResult extends MeasuredRedundancy {
  model: string;
  dtype: Dtype;
  skip: number;
  keep: number;
  split: Split;
  /** Null while no adjacent pair is there. */
  savings: Savings | null;
  /** Whether a shuffled control was above 0: nothing here must be believed then. */
  leak: boolean;
}
