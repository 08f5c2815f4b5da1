/** The name of a GPU adapter. */
import type { AdapterInfo } from '../protocol/record';

/** The adapter's own words for itself, without repetitions. */
export function adapterName(adapter: AdapterInfo | null, unnamed: string, none: string): string {
  if (adapter === null) return none;
  const words = [adapter.vendor, adapter.architecture, adapter.device, adapter.description].filter(Boolean);
  return words.length === 0 ? unnamed : [...new Set(words)].join(' ');
}
