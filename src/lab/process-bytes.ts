/** Process bytes: what the browser reports for the memory of the whole page. */

import type { Recipe } from '../protocol/recipe';

/** What is used of the Performance interface; TypeScript's DOM library does not have it yet. */
interface MeasuringPerformance {
  measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }>;
}

/**
 * The browser's own meter (WICG performance-measure-memory), or null where there is none: it exists in Chromium, for
 * cross-origin isolated pages, in windows only. It may take 20 seconds, since it waits for a garbage collection.
 */
export function processMeter(
  scope: { crossOriginIsolated?: boolean; performance: Performance } = globalThis,
): (() => Promise<number>) | null {
  const meter = scope.performance as Performance & MeasuringPerformance;
  if (scope.crossOriginIsolated !== true || meter.measureUserAgentSpecificMemory === undefined) return null;
  const measure = meter.measureUserAgentSpecificMemory.bind(meter);
  return async () => (await measure()).bytes;
}

/** Why process bytes are null, in a record's words; null when they are taken. */
export function processReason(meter: (() => Promise<number>) | null, { experiment }: Recipe): string | null {
  if (experiment !== 'batch')
    return 'the browser’s figure for the whole page is not taken in this experiment';
  return meter === null
    ? 'this browser has no performance.measureUserAgentSpecificMemory, or the page is not cross-origin isolated'
    : null;
}
