/** What cases do with the bench's page. */
import type { Page } from 'playwright';
import type { DecodeResult, DecodeTask, Side } from './page/loops';
import type {} from './page/main';
import type { BenchContext } from './types';

/** Opens the bench's page in a browser of its own for `work`, and closes it afterwards. */
export async function withPage<Result>(
  { openPage }: Pick<BenchContext, 'openPage'>,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const bench = await openPage();
  try {
    return await work(bench.page);
  } finally {
    await bench.close();
  }
}

/** @throws Error with one sentence where the browser has no WebGPU adapter. */
export async function needAdapter(page: Page): Promise<void> {
  const adapter = await page.evaluate(() => window.bench.adapter());
  if (adapter === null) throw new Error('the browser has no WebGPU adapter');
}

/** A side that decodes the task once for each call, in the page's worker of that side. */
export function decodeIn(page: Page, task: DecodeTask, side: Side): () => Promise<DecodeResult> {
  return () =>
    page.evaluate(([by, what]) => window.bench.decode(by, what), [side, task] satisfies [Side, DecodeTask]);
}

/** Ends the workers of all sides, so that what they hold disturbs nothing that is measured next. */
export function endWorkers(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.bench.endWorkers();
  });
}
