/** Process bytes: what the browser reports for the memory of the whole page. */

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
