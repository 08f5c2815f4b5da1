/** What the serving report is made from: shares of the pools while requests wait, and whether the paper's stand beside them. Pure. */
import type { PoolShares } from '../../charts/serving-chart';
import type { Recipe } from '../../protocol/recipe';
import {
  SERVING_SYSTEMS,
  type ServingResult,
  type ServingRun,
  type ServingSystem,
} from '../../protocol/serving';

/** The paper's figures are of ShareGPT's lengths alone; beside others they would say nothing. */
export function besidePaper({ serving }: Pick<Recipe, 'serving'>): boolean {
  return serving?.lengths === 'sharegpt';
}

/** One system by its means over the samples that were taken while requests waited. */
export interface SystemMeans {
  system: ServingSystem;
  run: ServingRun;
  /** Of the pool's tokens; null without such a sample. */
  shares: PoolShares | null;
  /** Requests that ran at one time; null as well. */
  running: number | null;
  /** Samples that the means are of. */
  samples: number;
}

/** The systems in their order, without those that were not run. */
export function meansOf({
  runs,
  bytesPerToken,
}: Pick<ServingResult, 'runs' | 'bytesPerToken'>): SystemMeans[] {
  return SERVING_SYSTEMS.flatMap((system): SystemMeans[] => {
    const run = runs.find((one) => one.system === system);
    if (run === undefined) return [];
    const pool = run.poolBytes / bytesPerToken;
    const waited = run.samples.filter(({ waiting }) => waiting > 0);
    const mean = (of: (sample: (typeof waited)[number]) => number): number =>
      waited.reduce((sum, sample) => sum + of(sample), 0) / waited.length;
    if (waited.length === 0 || pool === 0) return [{ system, run, shares: null, running: null, samples: 0 }];
    const shares = {
      used: mean(({ usedBytes }) => usedBytes / run.poolBytes),
      reserved: mean(({ reservedTokens }) => reservedTokens / pool),
      wasted: mean(({ wastedTokens }) => wastedTokens / pool),
      free: mean(({ heldTokens }) => 1 - heldTokens / pool),
    };
    return [{ system, run, shares, running: mean(({ running }) => running), samples: waited.length }];
  });
}

/** A share as percent to one place, as the paper has it. */
export function percent(share: number): string {
  return (100 * share).toFixed(1);
}
