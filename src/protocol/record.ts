/** The record: a recipe with all that was measured and the environment. What a file carries. Schema `kvlab.record/1`. */
import type { Geometry } from '../geometry/geometry';
import type { CapacityResult } from './capacity';
import type { CheckPhrases } from './checks';
import type { Fault } from './faults';
import type { PoliciesResult } from './policies';
import type { RedundancyResult } from './redundancy';
import type { Allocator, CacheBits, Device, Dtype, Policy, Recipe } from './recipe';
import type { ServingResult } from './serving';

export const RECORD_SCHEMA = 'kvlab.record/1';

/** Bytes that were measured, or null with the reason in the record's `notMeasured`. */
export type MaybeBytes = number | null;

export interface AdapterInfo {
  vendor: string;
  architecture: string;
  device: string;
  description: string;
  /** True for a software adapter (its own flag, or a known software architecture such as swiftshader). */
  fallback: boolean;
  /** Invocations of a subgroup, where the browser tells: they differ between GPUs that have the same name otherwise. */
  subgroupMinSize?: number | undefined;
  subgroupMaxSize?: number | undefined;
}

/**
 * Builds of ONNX Runtime's WebAssembly with WebGPU: `jspi` is suspended by the browser while it waits for the GPU (JavaScript Promise
 * Integration), `asyncify` by code of its own, for browsers that cannot do that.
 */
export const RUNTIME_BUILDS = ['jspi', 'asyncify'] as const;
export type RuntimeBuild = (typeof RUNTIME_BUILDS)[number];

export interface Environment {
  /** This app's version, and the commit it was built from ("unknown" outside a checkout). */
  app: string;
  commit: string;
  transformers: string;
  onnxruntime: string;
  browser: string;
  os: string;
  /** The backend that really ran. */
  backend: Device;
  adapter: AdapterInfo | null;
  features: string[];
  /** Limits of the device that ran (what applies), by WebGPU name. */
  limits: Record<string, number>;
  /** The same limits as the adapter offers them. */
  adapterLimits: Record<string, number>;
  allocator: Allocator;
  crossOriginIsolated: boolean;
  threads: number;
  /** Logical processors of the machine, of which WASM uses `threads`. */
  logicalProcessors?: number | undefined;
  /** Memory of the machine as the browser rounds it (a power of two of GiB, capped); only Chromium tells. */
  deviceMemoryGiB?: number | undefined;
  /** System, its version, architecture and bits by User-Agent Client Hints, since `os` is frozen; only Chromium tells. */
  platform?: string | undefined;
  /** Absent in records of versions that had one build. */
  runtimeBuild?: RuntimeBuild | undefined;
}

/** One cache input of the loaded graph, from the session's own `inputMetadata`. */
export interface GraphCacheEntry {
  name: string;
  type: string;
  dims: (number | string)[];
}

/** A twin of some of a model's layers: what was measured is theirs, and the whole model's bytes are the formula alone. */
export interface Scaled {
  layersMeasured: number;
  layersOf: number;
  /** All layers. */
  whole: Geometry;
  /** The whole model’s formula bytes at the sizes of the record, in exports: scaled, not measured. */
  wholeFormulaBytes?: { batch: number; tokens: number; formulaBytes: number }[] | undefined;
}

export interface ModelRecord {
  id: string;
  /** Commit of the real model whose config.json the geometry was read from; "built-in" for `tiny`. */
  revision: string;
  source: 'twin' | 'built-in' | 'hub' | 'local';
  dtype: Dtype;
  geometry: Geometry;
  /** Where the geometry was read: config.json, or the graph's own cache inputs for a family that is not read from its config. */
  geometryFrom: 'config' | 'graph';
  /** Element type of the cache as the loaded graph has it, such as `float32`. */
  cacheType: string;
  graphCache: GraphCacheEntry[];
  /** Query heads of the graph that ran (a twin's are reduced to the KV heads). */
  graphAttentionHeads: number;
  /** Parameters of the real model; null when unknown. */
  parameters: number | null;
  /** Weight bytes of the real model at this dtype, or of the model files that were loaded; null when unknown. Never the twin's own. */
  weightBytes: number | null;
  /** Bytes of the ONNX file that was loaded. */
  graphBytes: number;
  /** Formula bytes of one token of one sequence, with the cache's element type. */
  bytesPerToken: number;
  /** Where the cache tensors live after the first forward pass, for instance `{ "gpu-buffer": 48 }`. */
  cacheLocations: Record<string, number>;
  /** Device bytes before the model was loaded, the most while it was loading, after it, and after its release. */
  deviceBytes: {
    beforeLoad: MaybeBytes;
    /** Absent in records from before it was measured. */
    loadPeak?: MaybeBytes | undefined;
    loaded: MaybeBytes;
    released: MaybeBytes;
  };
  loadMs: number;
  notes: string[];
  /** Present where the graph's cache is quantised: `graphCache`, `cacheType` and `bytesPerToken` are then of that cache. */
  quantised?: QuantisedFacts | undefined;
  /** Present where only some of the model's layers were measured; `geometry` is theirs. */
  scaled?: Scaled | undefined;
}

/** Of a graph built for policy `quantised`. Such a model has an entry of its own beside the one of its floats, where a record has both. */
export interface QuantisedFacts {
  bits: CacheBits;
  /** Bytes of scales that are no part of the cache (WASM: constants of the graph); 0 where each row has its own. */
  scaleBytesBeside: number;
}

/**
 * What a point of a preallocated cache (policies `static` and `paged`) has besides: its `tensorBytes` are what it could hold, the capacity.
 * All absent where the cache grows, whose tensors hold tokens and nothing else.
 */
export interface Preallocated {
  /** Bytes of the rows of keys and values that hold a token, found by reading the buffers. */
  usedBytes?: number | undefined;
  /** Tokens per sequence that the buffers have room for. */
  roomTokens?: number | undefined;
  /** Formula bytes at the room. */
  roomFormulaBytes?: number | undefined;
  /** How often the cache has been moved to larger buffers so far. */
  moves?: number | undefined;
  /** Paged: bytes of the blocks that the sequences hold; those of the last ones that hold no token are lost inside. */
  blockBytes?: number | undefined;
}

export interface Cell extends Preallocated {
  model: string;
  dtype: Dtype;
  batch: number;
  /** Tokens per sequence in the cache. */
  tokens: number;
  policy: Policy;
  allocator: Allocator;
  device: Device;
  /** 0-based. */
  repeat: number;
  formulaBytes: number;
  /** Sum over live cache tensors of dims x itemsize; null when skipped. */
  tensorBytes: MaybeBytes;
  /** Sum of the sizes of the GPU buffers behind those tensors; null when not measured. */
  residentBytes: MaybeBytes;
  /** All live GPU buffers of the device: before this cell's prefill, after it, and the peak between. */
  deviceBytes: { before: MaybeBytes; after: MaybeBytes; peak: MaybeBytes };
  /** What the browser reports for the whole page before this cell's prefill and with its cache; null when not taken. */
  processBytesBefore: MaybeBytes;
  processBytes: MaybeBytes;
  /** Bytes of the largest logits tensor of the prefill, which are no part of the cache. */
  logitsBytes: MaybeBytes;
  /** Bytes that hold tokens (`contentBytes`) / formulaBytes; 1 only when the integers are equal; null when skipped. */
  ratio: number | null;
  /** ms of prefill since the stop before this one. */
  prefillMs: number | null;
  /** GPU pipelines that were built meanwhile: a time with some in it is of a warm-up. Absent where they are not counted. */
  compiled?: number | undefined;
  /** The English reason when the cell was not measured, else null. */
  skipped: string | null;
  /** The same reason as data, for translation. */
  fault: Fault | null;
  /** True when the tab was in the background while this was measured: its times cannot be trusted. */
  background: boolean;
}

export interface Step extends Preallocated {
  /** Tokens per sequence in the cache after this step. */
  tokens: number;
  formulaBytes: number;
  tensorBytes: number;
  residentBytes: MaybeBytes;
  deviceBytes: MaybeBytes;
  /** What the browser reports for the whole page after this step; null when not taken. */
  processBytes: MaybeBytes;
  deltaTensor: number;
  deltaResident: MaybeBytes;
  ms: number;
  /** As in a cell. */
  compiled?: number | undefined;
  /**
   * Bytes of keys and values that were put into other memory for this step: of each tensor that is a new one all that the old one
   * held, once; of blocks what was gathered and put back; of a move what it copied. 0 where they stayed where they were.
   */
  copiedBytes?: number | undefined;
  /** Highest device bytes during the step. */
  peakDeviceBytes?: MaybeBytes | undefined;
  background: boolean;
}

export interface Growth {
  model: string;
  dtype: Dtype;
  batch: number;
  policy: Policy;
  allocator: Allocator;
  device: Device;
  repeat: number;
  promptTokens: number;
  promptBytes: number;
  promptResidentBytes: MaybeBytes;
  /** Of a preallocated cache: bytes of the rows that hold the prompt. */
  promptUsedBytes?: number | undefined;
  promptProcessBytes: MaybeBytes;
  /** Steps that were asked for; `steps` has fewer when the run was cut short. */
  stepsPlanned: number;
  steps: Step[];
  /** Null when all steps were measured, else why not. */
  interrupted: string | null;
  fault: Fault | null;
}

export const CHECK_NAMES = [
  'ratio',
  'wrong-geometry',
  'graph-cache',
  'growth-delta',
  'cache-used',
  'prefix-unchanged',
  'released',
  'no-gpu-errors',
  'repeats-identical',
  'padded-batch',
  'static-capacity',
  'static-same-logits',
  'static-flat',
  'paged-same-logits',
  'quantised-logits',
  'serving-blocks',
  'merge-agrees',
  'shuffled-control',
  'noise-floor',
  'method',
  'backends-agree',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface Check {
  name: CheckName;
  /** The model it was made on; null for checks of the whole record. */
  model: string | null;
  pass: boolean;
  /** English, for files and terminals. */
  expected: string;
  measured: string;
  detail: string;
  /** Only of the experiment `policies`: the cache policy that it was made under, and of one that failed the allocator mode. */
  policy?: Policy | undefined;
  allocator?: Allocator | undefined;
  /** The same as data, for translation; optional in a file. */
  phrases?: CheckPhrases | undefined;
}

export interface LabRecord {
  schema: typeof RECORD_SCHEMA;
  /** ISO 8601. */
  createdAt: string;
  recipe: Recipe;
  /** The recipe link that reproduces this record. */
  url: string;
  status: 'running' | 'done' | 'cancelled' | 'failed' | 'interrupted';
  environment: Environment | null;
  models: ModelRecord[];
  cells: Cell[];
  growth: Growth[];
  checks: Check[];
  /** Faults that cut parts of the run short, in order. */
  faults: Fault[];
  /** Why a byte level is null, by level, for instance "wasm: ONNX Runtime keeps no GPU buffers". */
  notMeasured: { resident: string | null; device: string | null; process: string | null };
  /** The records that this one was merged from; absent unless it was. */
  parts?: RecordPart[] | undefined;
  /** Only of the experiment `redundancy`. */
  redundancy: RedundancyResult | null;
  /** Only of the planner's records, which measure nothing. */
  capacity: CapacityResult | null;
  /** Only of the experiment `policies`. */
  policies?: PoliciesResult | null | undefined;
  /** Only of the experiment `serving`. */
  serving?: ServingResult | null | undefined;
}

/** One record of a merged one: where and when it was measured, and which part of the plan it was. */
export interface RecordPart {
  createdAt: string;
  /** `2/4`, or empty for a record of the whole plan. */
  shard: string;
  environment: Environment | null;
  /** Cells and growths that came from it. */
  points: number;
}
