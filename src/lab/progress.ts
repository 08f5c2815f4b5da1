/** How far a run is and how long it will take, by the plan's work units. */
import type { Plan } from '../experiments/plan';
import { solvingUnits, unitsOf } from '../experiments/units';
import type { Pass, Phase, Report } from '../protocol/messages';
import type { RunState } from './run-state';

/** The fields of a run's state that move while it runs. */
export type ProgressState = Pick<
  RunState,
  'phase' | 'model' | 'phaseDone' | 'phaseTotal' | 'progress' | 'etaMs' | 'elapsedMs'
>;

export class RunProgress {
  private phase: { phase: Phase; done: number; total: number } | null = null;
  private model: string | null = null;
  /** Units done, by pass id. */
  private readonly units = new Map<number, number>();
  /** When the first tokens went through a model: loading is no measure of how fast that goes. */
  private measuringSince: number | null = null;
  private readonly startedAt: number;

  constructor(
    private readonly plan: Plan,
    private readonly now: () => number,
  ) {
    this.startedAt = now();
  }

  /** Takes a report into account. A prefill's `done` are tokens in the cache, or those of all documents so far. */
  report(pass: Pass, report: Report): void {
    switch (report.type) {
      case 'phase':
        this.phase = report;
        this.model = pass.model;
        if (report.phase === 'prefill') this.reach(pass, report.done);
        if (report.phase === 'solve') this.solve(pass, report);
        if (report.phase === 'serve') this.serve(pass, report);
        break;
      case 'cell':
        this.reach(pass, report.cell.tokens);
        break;
      case 'prompt':
        this.reach(pass, report.tokens);
        break;
      case 'step':
        this.reach(pass, report.step.tokens);
        break;
      case 'cell-skipped':
        this.reach(pass, report.tokens);
        break;
      case 'pass-done':
        this.reach(pass, Infinity);
        break;
      case 'environment':
      case 'model':
      case 'check':
      case 'note':
      case 'probe':
      case 'serving':
      case 'redundancy':
      case 'process-wanted':
      case 'pass-failed':
      case 'done':
    }
  }

  state(): ProgressState {
    const elapsedMs = this.now() - this.startedAt;
    const done = [...this.units.values()].reduce((sum, units) => sum + units, 0);
    const left = this.plan.totalUnits - done;
    const spentMs = this.measuringSince === null ? 0 : this.now() - this.measuringSince;
    return {
      phase: this.phase?.phase ?? null,
      model: this.model,
      phaseDone: this.phase?.done ?? 0,
      phaseTotal: this.phase?.total ?? 0,
      progress: this.plan.totalUnits === 0 ? 1 : Math.min(1, done / this.plan.totalUnits),
      etaMs: done > 0 && spentMs > 0 ? Math.max(0, (spentMs / done) * left) : null,
      elapsedMs,
    };
  }

  private reach(pass: Pass, tokens: number): void {
    this.advance(pass, unitsOf(pass, tokens));
  }

  private solve(pass: Pass, { done, total }: { done: number; total: number }): void {
    if (pass.work.kind !== 'redundancy') return;
    this.advance(pass, solvingUnits(pass.work.state, total === 0 ? 0 : Math.min(1, done / total)));
  }

  /** Steps of all systems; a run counts its requests. */
  private serve(pass: Pass, { done, total }: { done: number; total: number }): void {
    if (pass.work.kind === 'serving' && done > 0) this.reach(pass, (pass.work.state.requests * done) / total);
  }

  private advance(pass: Pass, units: number): void {
    this.measuringSince ??= this.now();
    // A stop that is measured again in a fresh worker starts from the beginning; progress never goes back.
    this.units.set(pass.id, Math.max(this.units.get(pass.id) ?? 0, units));
  }
}
