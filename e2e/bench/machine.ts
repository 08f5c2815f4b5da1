/** The machine that a bench ran on, in the few words that a ratio needs beside it. */
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { findNumpy } from './python';
import type { BenchPage, Machine } from './types';

/** @param bench Asked for the browser's version and its adapter. */
export async function describeMachine({ page }: BenchPage): Promise<Machine> {
  const [loadBefore = 0] = loadavg();
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    os: `${type()} ${release()}`,
    node: process.version,
    chromium: page.context().browser()?.version() ?? 'unknown',
    adapter: await page.evaluate(() => window.bench.adapter()),
    python: findNumpy().version,
    loadBefore,
  };
}
