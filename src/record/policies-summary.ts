/** The experiment `policies` in one table: what each cache policy under each allocator mode took and cost at its longest context. Pure. */
import type { Fault } from '../protocol/faults';
import type { Allocator, Device, Policy } from '../protocol/recipe';
import type { Cell, Growth, LabRecord, MaybeBytes, Step } from '../protocol/record';

/** One cache policy under one allocator mode and batch. */
export interface PolicySummary {
  policy: Policy;
  allocator: Allocator;
  device: Device;
  batch: number;
  /** The longest context that was measured, tokens per sequence; null where none was, and then every number below is null too. */
  tokens: number | null;
  /** Bytes at that context. Formula: what its tokens come to, of `quantised` at its bits. */
  formulaBytes: MaybeBytes;
  tensorBytes: MaybeBytes;
  /** Only of a preallocated cache: what holds tokens. Null for one that grows, all of whose tensor bytes do. */
  usedBytes: MaybeBytes;
  residentBytes: MaybeBytes;
  /** Device bytes after that context's prefill. */
  deviceBytes: MaybeBytes;
  /** The highest device bytes of its prefill and of the decode steps behind it. */
  peakDeviceBytes: MaybeBytes;
  /** Median ms of the decode steps behind it in which no GPU pipeline was built; null without such a step. */
  stepMs: number | null;
  /** Steps that the median is of. */
  steps: number;
  /** Median bytes of keys and values of earlier tokens that a step put into other memory; null where they were not counted. */
  copiedBytes: MaybeBytes;
  /** The largest device bytes / formula bytes of all that was measured, at any context; null without device bytes. */
  largestRatio: number | null;
  /** Contexts that were measured, and that were asked for. */
  measured: number;
  planned: number;
  /** Why something is missing: of the first context or step that was not measured; null when nothing is. */
  fault: Fault | null;
}

/** One row a policy, allocator mode and batch, in the record's order. Of repeats: bytes of the first, peaks and steps of all. */
export function policiesSummary(record: Pick<LabRecord, 'cells' | 'growth'>): PolicySummary[] {
  const groups = new Map<string, { cells: Cell[]; growths: Growth[] }>();
  const groupOf = ({ policy, allocator, device, batch }: Cell | Growth) => {
    const key = JSON.stringify([policy, allocator, device, batch]);
    const group = groups.get(key) ?? { cells: [], growths: [] };
    groups.set(key, group);
    return group;
  };
  for (const cell of record.cells) groupOf(cell).cells.push(cell);
  for (const growth of record.growth) groupOf(growth).growths.push(growth);
  return [...groups.values()].flatMap(({ cells, growths }) => {
    const [first] = cells;
    return first === undefined ? [] : [summaryOf(first, cells, growths)];
  });
}

function summaryOf(
  { policy, allocator, device, batch }: Cell,
  cells: readonly Cell[],
  growths: readonly Growth[],
): PolicySummary {
  const measured = cells.filter(({ tensorBytes }) => tensorBytes !== null);
  const tokens = measured.length === 0 ? null : Math.max(...measured.map((cell) => cell.tokens));
  const last = measured.filter((cell) => cell.tokens === tokens);
  const [at] = last;
  const steps = growths
    .filter(({ promptTokens }) => promptTokens === tokens)
    .flatMap((growth) => growth.steps);
  // Steps in which a pipeline was built are of a warm-up; where pipelines are not counted, as on WASM, none is built.
  const timed = steps.filter(({ compiled = 0 }) => compiled === 0).map(({ ms }) => ms);
  const copied = steps.map(({ copiedBytes }) => copiedBytes ?? null).filter((bytes) => bytes !== null);
  const fault = cells.find((cell) => cell.fault !== null)?.fault ?? growths.find(isCut)?.fault ?? null;
  return {
    ...{ policy, allocator, device, batch, tokens },
    formulaBytes: at?.formulaBytes ?? null,
    tensorBytes: at?.tensorBytes ?? null,
    usedBytes: at?.usedBytes ?? null,
    residentBytes: at?.residentBytes ?? null,
    deviceBytes: at?.deviceBytes.after ?? null,
    peakDeviceBytes: largest([...last.map(({ deviceBytes }) => deviceBytes.peak), ...steps.map(peakOf)]),
    stepMs: median(timed),
    steps: timed.length,
    copiedBytes: median(copied),
    largestRatio: largest([
      ...measured.map(({ deviceBytes, formulaBytes }) => quotient(deviceBytes.after, formulaBytes)),
      ...growths
        .flatMap((growth) => growth.steps)
        .map(({ deviceBytes, formulaBytes }) => quotient(deviceBytes, formulaBytes)),
    ]),
    measured: new Set(measured.map((cell) => cell.tokens)).size,
    planned: new Set(cells.map((cell) => cell.tokens)).size,
    fault,
  };
}

function isCut({ fault }: Growth): boolean {
  return fault !== null;
}

/** The peak during a step, or what the device held after it where no peak was taken. */
function peakOf({ peakDeviceBytes, deviceBytes }: Step): MaybeBytes {
  return peakDeviceBytes ?? deviceBytes;
}

/** The largest value that is known; null when none is. */
function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  const upper = sorted[Math.ceil((sorted.length - 1) / 2)];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

function quotient(part: MaybeBytes, whole: number): number | null {
  return part === null || whole === 0 ? null : part / whole;
}
