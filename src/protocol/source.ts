/** Models that the page hands to the worker: files from outside (hub or local folder; Blobs, they may be large), or what a twin is built from. */
import type { Geometry } from '../geometry/geometry';
import type { GraphCacheEntry, Scaled } from './record';

/** What a model file says about itself in its header, read without loading its weights. */
export interface OnnxHeader {
  /** All graph inputs that are no initializers, with ONNX Runtime's type names (`float32`, `int64`, …). */
  inputs: GraphCacheEntry[];
  outputs: GraphCacheEntry[];
  /** Operators that occur, each once, for instance `GroupQueryAttention`. */
  ops: ReadonlySet<string>;
  /** Names of external data files that initializers refer to, relative to the model file, each once, sorted. */
  externalFiles: string[];
  /** Elements of all floating-point initializers; null when weights are quantised, so that elements are no parameters. */
  parameters: number | null;
}

export interface ModelSource {
  /** As in the recipe: `owner/name[@revision]` or `local:<folder>`. */
  id: string;
  name: string;
  kind: 'hub' | 'local';
  /** The commit that the files are of; `local` for a folder. */
  revision: string;
  /** transformers.js' name of the weights' variant: fp32, fp16, q4, q4f16, q8, … */
  dtype: string;
  /** By path inside the repository, as transformers.js asks for them: config.json, onnx/model_q4.onnx, … */
  files: ReadonlyMap<string, Blob>;
  /** Bytes of the model files alone (ONNX and external data): the weights as they are loaded. */
  weightBytes: number;
  /** Parameters of the model where the hub or the graph tells; null when neither does. */
  parameters: number | null;
  geometry: Geometry;
  /** `config`: config.json was read. `graph`: its family is not read from config.json, so the graph's cache inputs stand for it. */
  geometryFrom: 'config' | 'graph';
  /** Element type of the cache inputs, read from the graph. */
  cacheType: string;
  /** Size of the vocabulary, for random prompts; from config.json, else from the logits output. */
  vocabSize: number;
  /** Whether the graph has the input `num_logits_to_keep`. */
  keepsLogits: boolean;
  /** Whether a batch can be fed in chunks on top of a past: not with GroupQueryAttention. */
  chunksBatches: boolean;
  /** What a person should know about it, in English: fields that were assumed, files that were skipped. */
  notes: string[];
}

/** A cache twin that the worker builds from a config.json: of a published model, or of a config that a person gave. */
export interface TwinSource {
  /** As in the recipe, with the layers that are measured where they are not all: `twin:owner/name:layers=2`. */
  id: string;
  name: string;
  kind: 'twin';
  /** Commit at which config.json was read; `pasted` for a person's own, `unknown` where the catalogue has none. */
  revision: string;
  /** A variant of the weights, see `WEIGHT_DTYPES`. */
  dtype: string;
  /** Parameters of the real model; null when unknown. */
  parameters: number | null;
  /** What the graph keeps, of the layers that are measured. */
  geometry: Geometry;
  /** Element type that the cache will have. */
  cacheType: string;
  scaled: Scaled | null;
  /** What a person should know about it, in English. */
  notes: string[];
}

/** Whatever is opened before a run. */
export type OpenedSource = ModelSource | TwinSource;
