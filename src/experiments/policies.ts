/** What the experiment `policies` adds to a record: what was found by trying, and which way to keep the cache holds most. Pure. */
import type { Probe, PolicyHold, PoliciesResult, Recommendation } from '../protocol/policies';
import type { Cell, Growth, LabRecord } from '../protocol/record';
import { samePoint } from './cells';

type Points = Pick<LabRecord, 'cells' | 'growth'>;

/** One measured size of a cache under one policy and mode. */
interface Peak {
  keeping: Pick<Cell, 'policy' | 'allocator'>;
  /** Tokens per sequence. */
  tokens: number;
  /** Highest device bytes while it came to that. */
  bytes: number;
}

/** The record with one more thing that was tried; the same thing tried again, in a fresh worker, replaces what it said. */
export function withProbe(record: LabRecord, probe: Probe): LabRecord {
  const { probes, recommendation } = record.policies ?? { probes: [], recommendation: null };
  const others = probes.filter(({ name, backend }) => name !== probe.name || backend !== probe.backend);
  return { ...record, policies: { probes: [...others, probe], recommendation } };
}

/** The record's own part made anew from all that it has; other experiments have none. */
export function withRecommendation(record: LabRecord): LabRecord {
  if (record.recipe.experiment !== 'policies') return record;
  const probes = record.policies?.probes ?? [];
  return { ...record, policies: { probes, recommendation: recommend(record) } };
}

/** The probes of several records, each once; the first word stands. Null where no record has any part of this kind. */
export function unionOfProbes(records: readonly LabRecord[]): PoliciesResult | null {
  const results = records.flatMap(({ policies }) => policies ?? []);
  if (results.length === 0) return null;
  const all = results.flatMap(({ probes }) => probes);
  const probes = all.filter(
    ({ name, backend }, place) =>
      all.findIndex((other) => other.name === name && other.backend === backend) === place,
  );
  return { probes, recommendation: null };
}

/**
 * How many tokens each policy and mode held within the same device bytes: the smallest peak at the longest context that any of
 * them was measured at. From measured peaks alone, of the smallest batch; nothing is extrapolated. Null without two of them
 * to compare, and without device bytes (WASM).
 */
export function recommend({ cells, growth }: Points): Recommendation | null {
  const known = cells.filter(({ deviceBytes }) => deviceBytes.peak !== null);
  const batch = Math.min(...known.map((cell) => cell.batch));
  const compared = known.filter((cell) => cell.batch === batch);
  const longest = Math.max(...compared.map(({ tokens }) => tokens));
  const groups = new Map<string, Peak[]>();
  for (const cell of compared) {
    const key = JSON.stringify([cell.policy, cell.allocator]);
    groups.set(key, [...(groups.get(key) ?? []), ...peaksFrom(cell, growth)]);
  }
  if (groups.size < 2) return null;
  const budgetBytes = Math.min(
    ...compared
      .filter(({ tokens }) => tokens === longest)
      .map(({ deviceBytes }) => deviceBytes.peak ?? Infinity),
  );
  const holds = [...groups.values()].map((group) => holdOf(group, budgetBytes));
  return { budgetBytes, holds: holds.sort(mostFirst) };
}

/** The peak of a cell, and of each decode step behind it: no step is reached without what came before it. */
function peaksFrom(cell: Cell, growth: readonly Growth[]): Peak[] {
  const { policy, allocator, tokens, deviceBytes } = cell;
  const keeping = { policy, allocator };
  let bytes = deviceBytes.peak ?? 0;
  const behind = growth.find((series) => samePoint(series, cell) && series.promptTokens === tokens);
  const steps = (behind?.steps ?? []).map((step): Peak => {
    bytes = Math.max(bytes, step.peakDeviceBytes ?? step.deviceBytes ?? 0);
    return { keeping, tokens: step.tokens, bytes };
  });
  return [{ keeping, tokens, bytes: deviceBytes.peak ?? 0 }, ...steps];
}

/** The most tokens whose peak fits. What fits only once cannot be relied on: of repeats the largest peak counts. */
function holdOf(peaks: readonly Peak[], budget: number): PolicyHold {
  const largest = new Map<number, number>();
  for (const { tokens, bytes } of peaks) largest.set(tokens, Math.max(bytes, largest.get(tokens) ?? 0));
  const fitting = [...largest].filter(([, bytes]) => bytes <= budget);
  const [tokens, peakBytes] = fitting.reduce<[number, number | null]>(
    (best, [at, bytes]) => (at > best[0] ? [at, bytes] : best),
    [0, null],
  );
  const { policy, allocator } = peaks[0]?.keeping ?? { policy: 'dynamic', allocator: 'bucket' };
  return { policy, allocator, tokens, peakBytes };
}

/** Most tokens first; of the same the one that took fewer bytes, and then as they were measured. */
function mostFirst(a: PolicyHold, b: PolicyHold): number {
  return b.tokens - a.tokens || (a.peakBytes ?? 0) - (b.peakBytes ?? 0);
}
