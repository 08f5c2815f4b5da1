/** Where a run stands, as the page shows it. */
import type { Fault } from '../protocol/faults';
import type { Phase } from '../protocol/messages';
import type { LabRecord } from '../protocol/record';
import type { DownloadNeed, DownloadProgress } from './opening';

export interface RunState {
  /** `waiting`: another tab measures. `asking`: a download needs the person's word. */
  status:
    | 'idle'
    | 'waiting'
    | 'asking'
    | 'downloading'
    | 'running'
    | 'done'
    | 'failed'
    | 'cancelled'
    | 'interrupted';
  phase: Phase | null;
  /** Id of the model at work; null before the first. */
  model: string | null;
  /** How far the phase is, in its own units. */
  phaseDone: number;
  phaseTotal: number;
  /** 0 to 1, by the plan's work units. */
  progress: number;
  /** ms that are probably left; null while there is nothing to go by. */
  etaMs: number | null;
  /** ms since the start, waiting for another tab not counted. */
  elapsedMs: number;
  /** What a download needs, while it is asked for; null otherwise. */
  need: DownloadNeed | null;
  /** How far the download is; null when none is going on. */
  download: DownloadProgress | null;
  /** Why the run failed or was cut short; null otherwise. */
  fault: Fault | null;
}

export const IDLE: RunState = {
  status: 'idle',
  phase: null,
  model: null,
  phaseDone: 0,
  phaseTotal: 0,
  progress: 0,
  etaMs: null,
  elapsedMs: 0,
  need: null,
  download: null,
  fault: null,
};

/** True while a run holds the measuring worker or queues for it. */
export function isActive(state: RunState): boolean {
  return ['waiting', 'asking', 'downloading', 'running'].includes(state.status);
}

/** The state that a record from before a reload brings back. */
export function restoredState(record: LabRecord): RunState {
  const { status } = record;
  const cut = status === 'cancelled' || status === 'interrupted';
  return {
    ...IDLE,
    status: status === 'running' ? 'interrupted' : status,
    progress: status === 'done' ? 1 : 0,
    fault: cut ? { code: status, params: {} } : (record.faults[0] ?? null),
  };
}

/** Whether a record has a single measured number; of a redundancy, whose size is only by the way, a single pair. */
export function hasMeasurements(record: LabRecord): boolean {
  if (record.recipe.experiment === 'redundancy') return (record.redundancy?.pairs.length ?? 0) > 0;
  if (record.recipe.experiment === 'serving') return (record.serving?.runs.length ?? 0) > 0;
  return record.growth.length > 0 || record.cells.some((cell) => cell.tensorBytes !== null);
}
