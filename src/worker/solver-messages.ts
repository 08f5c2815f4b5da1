/** What the measuring worker and its solver workers say to each other. */
import type { PairResult, SourceJob } from '../redundancy/types';

export interface SolverTask {
  /** The job's place in the list. */
  id: number;
  job: SourceJob;
}

export type SolverReply =
  /** ONNX Runtime runs here, or does not. */
  | { type: 'ready' }
  | { type: 'cannot-start'; detail: string }
  | { type: 'step'; id: number; done: number }
  | { type: 'solved'; id: number; pairs: PairResult[] }
  | { type: 'failed'; id: number; detail: string };
