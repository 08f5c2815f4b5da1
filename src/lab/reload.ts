/** Parts of the page that cannot be fetched: why, and the one reload that an outdated page may do by itself. */
import type { Fault } from '../protocol/faults';
import type { Page } from './page';
import type { RunResult } from './run';
import { hasMeasurements } from './run-state';
import type { ReloadGuard } from './session';

/** ms after which a reload that did not happen is given up, and the run's failure shown. */
const RELOAD_WAIT_MS = 5000;

/**
 * Reloads the page when the run failed because a newer page was published: once, when nothing was measured that could be
 * lost, and when the server answers. The next page starts the run again; the URL keeps the recipe.
 */
export async function reloadOnce(
  page: Page,
  guard: ReloadGuard,
  { record, state }: RunResult,
): Promise<void> {
  if (state.fault?.code !== 'page-outdated' || hasMeasurements(record)) return;
  if (!(await page.isReachable()) || !guard.take()) return;
  page.reload();
  await new Promise((resolve) => setTimeout(resolve, RELOAD_WAIT_MS));
}

/** A part of the page that cannot be fetched is no newer version's fault while nothing can be fetched at all. */
export async function unlessOffline(page: Page, fault: Fault): Promise<Fault> {
  if (fault.code !== 'page-outdated' || (await page.isReachable())) return fault;
  return { code: 'page-offline', params: {} };
}
