/** What the page and the worker say to each other. Every message carries the run's id; stale ids are dropped. */
import type { Fault } from './faults';
import type { DocumentText, MeasuredRedundancy, RedundancyState } from './redundancy';
import type { Probe } from './policies';
import type { Allocator, CacheBits, Device, Dtype, Overflow, Policy } from './recipe';
import type {
  Cell,
  Check,
  Environment,
  LabRecord,
  MaybeBytes,
  ModelRecord,
  Preallocated,
  Step,
} from './record';
import type { ServingRun, ServingState } from './serving';
import type { OpenedSource } from './source';

/** One model, loaded once, measured at ascending stops or step by step. The unit that is retried in a fresh worker. */
export interface Pass {
  /** Index in the plan. */
  id: number;
  model: string;
  dtype: Dtype;
  batch: number;
  policy: Policy;
  /** Static: tokens per sequence that the buffers are made for at first; 0 makes them for as many as the pass needs. */
  room: number;
  overflow: Overflow;
  /** Quantised: bits of an element. */
  bits: CacheBits;
  /** Paged: tokens per block. */
  block: number;
  device: Device;
  allocator: Allocator;
  chunk: number;
  seed: number;
  repeat: number;
  /** Whether the browser's figure for the whole page is taken at each point. It takes seconds, always outside the timed part. */
  processBytes: boolean;
  work:
    /** `steps` decode steps follow the last stop, measured as a growth. */
    | { kind: 'length'; stops: number[]; steps: number }
    | { kind: 'growth'; prompt: string; promptTokens: number; steps: number }
    | { kind: 'redundancy'; state: RedundancyState }
    /** A cell at each stop, and after it a growth of `steps` decode steps. `probes`: what is tried besides, by a last pass without stops. */
    | { kind: 'contexts'; stops: number[]; steps: number; probes: boolean }
    /** Needs no model, only its bytes per token. */
    | { kind: 'serving'; state: ServingState; bytesPerToken: number };
}

export type Command =
  /** `sources` are the models of the passes that the page does not build: one a model and dtype; `documents` the texts of a redundancy. */
  | { type: 'run'; runId: number; passes: Pass[]; sources: OpenedSource[]; documents: DocumentText[] }
  | { type: 'cancel'; runId: number }
  /** The answer to `process-wanted`; null where the browser gave none. */
  | { type: 'process-bytes'; runId: number; bytes: MaybeBytes };

export type Phase =
  | 'load-runtime'
  | 'build-model'
  | 'load-model'
  | 'prefill'
  | 'decode'
  | 'solve'
  | 'serve'
  | 'check'
  | 'release';

/** A cell as the worker measures it: no formula, no ratio. The page joins it with the formula. */
export type MeasuredCell = Pick<
  Cell,
  | 'tokens'
  | 'residentBytes'
  | 'deviceBytes'
  | 'processBytesBefore'
  | 'processBytes'
  | 'logitsBytes'
  | 'prefillMs'
  | 'compiled'
> &
  MeasuredPreallocated & {
    tensorBytes: number;
  };

/** Of a static cache only. */
type MeasuredPreallocated = Omit<Preallocated, 'roomFormulaBytes'>;

export type MeasuredStep = Pick<
  Step,
  'tokens' | 'residentBytes' | 'deviceBytes' | 'processBytes' | 'ms' | 'compiled'
> &
  MeasuredPreallocated &
  Pick<Step, 'copiedBytes' | 'peakDeviceBytes'> & {
    tensorBytes: number;
  };

export type Report =
  | { type: 'environment'; environment: Environment; notMeasured: LabRecord['notMeasured'] }
  | { type: 'phase'; passId: number; phase: Phase; done: number; total: number }
  | { type: 'model'; passId: number; model: ModelRecord }
  | { type: 'cell'; passId: number; cell: MeasuredCell }
  | { type: 'cell-skipped'; passId: number; tokens: number; fault: Fault }
  | {
      type: 'prompt';
      passId: number;
      tokens: number;
      tensorBytes: number;
      residentBytes: MaybeBytes;
      processBytes: MaybeBytes;
      /** Of a static cache only. */
      usedBytes?: number | undefined;
    }
  | { type: 'step'; passId: number; step: MeasuredStep }
  /** All that is known so far: it replaces what was reported before. */
  | { type: 'redundancy'; passId: number; found: MeasuredRedundancy }
  | { type: 'probe'; passId: number; probe: Probe }
  /** One system of a serving; a second report of the same system replaces the first. */
  | { type: 'serving'; passId: number; run: ServingRun; promptMean: number; outputMean: number }
  | { type: 'check'; passId: number; check: Check }
  | { type: 'note'; passId: number; note: string }
  /** The worker stands still until the page has answered with `process-bytes`: only a window can measure them. */
  | { type: 'process-wanted' }
  | { type: 'pass-done'; passId: number }
  /** The pass cannot go on. The worker must not be used again: the page starts a fresh one for what is left. */
  | { type: 'pass-failed'; passId: number; fault: Fault }
  | { type: 'done'; cancelled: boolean };

export type ReportMessage = Report & { runId: number };
