/** Runs a plan in one page, and judges every run and all of them together. */
import type { Browser, Page } from 'playwright';
import { judgeRun } from './judge-run';
import { MemoryMeter, type Sample } from './memory';
import type { SoakRun } from './plan';
import { SoakSession, type Observed } from './session';
import { judgeSlope, slopeOf, type Slope, type SlopeVerdict } from './slope';

/** One run with what was seen. */
export interface SoakRow {
  run: SoakRun;
  status: string;
  faults: string[];
  fired: boolean;
  ms: number;
  problems: string[];
  /** Taken after controls, when the page shows the same each time. */
  sample: Sample | null;
}

export interface Series {
  name: keyof Sample;
  /** After the first controls that count, and after the last. */
  first: number;
  last: number;
  samples: number;
  /** Bytes per run. */
  slope: Slope | null;
  /** Bytes in {@link SPAN} runs that are not accepted. */
  limit: number;
  verdict: SlopeVerdict;
}

export interface SoakResult {
  rows: SoakRow[];
  series: Series[];
  /** Problems of all runs together. */
  problems: string[];
}

/** Runs for which growth is told. */
export const SPAN = 200;
const MIB = 2 ** 20;
/**
 * Growth in {@link SPAN} runs. A page: field report E12. A process: a worker that stays behind holds its WASM memory, over
 * 16 MiB each time; one MiB a run is far less, and more than what an allocator scatters.
 */
const LIMITS: readonly [name: 'heapBytes' | 'pageBytes' | 'rendererBytes' | 'gpuBytes', limit: number][] = [
  ['heapBytes', 20 * MIB],
  ['pageBytes', 20 * MIB],
  ['rendererBytes', SPAN * MIB],
  ['gpuBytes', SPAN * MIB],
];
/** Share of the runs at the start that no line is laid through: caches of code and shaders fill then. */
const WARM_UP = 0.15;

/**
 * @param until Time of day, in ms, after which no more runs are begun once a control has ended. A run that hangs ends the soak too.
 */
export async function runSoak(
  { browser, page, url }: { browser: Browser; page: Page; url: string },
  plan: readonly SoakRun[],
  { log, until = Infinity }: { log: (line: string) => void; until?: number },
): Promise<SoakResult> {
  const session = await SoakSession.open(page, url);
  const meter = await MemoryMeter.open(page, browser);
  const rows: SoakRow[] = [];
  for (const run of plan) {
    const observed = await session.run(run);
    const problems = judgeRun(run, observed);
    const stuck = !observed.ended || observed.reloaded;
    const sample = run.kind === 'control' && !stuck ? await meter.sample() : null;
    if (sample !== null && sample.charts !== null && sample.charts !== sample.canvases)
      problems.push(`${sample.charts} charts are alive, and ${sample.canvases} canvases are on the page`);
    rows.push(rowOf(run, observed, problems, sample));
    log(lineOf(rows.at(-1)));
    if (stuck || (run.kind === 'control' && Date.now() > until)) break;
  }
  const series = seriesOf(rows);
  return { rows, series, problems: together(rows, series) };
}

function rowOf(run: SoakRun, observed: Observed, problems: string[], sample: Sample | null): SoakRow {
  const { record, fired, ms } = observed;
  const faults = record?.faults.map(({ code }) => code) ?? [];
  return { run, status: record?.status ?? 'refused', faults, fired, ms, problems, sample };
}

/** How a run ended, on one line. */
function lineOf(row: SoakRow | undefined): string {
  if (row === undefined) return '';
  const { run, status, fired, faults, ms, problems } = row;
  const when = run.disturbance !== null && 'at' in run.disturbance ? ` in ${run.disturbance.at.phase}` : '';
  const what = `${run.kind}${when}${run.disturbance !== null && !fired ? ' (came too late)' : ''}`;
  const ends = [status, ...faults].join(', ');
  const bad = problems.map((problem) => `\n    ${problem}`).join('');
  return `${run.number}. ${what}: ${ends}, ${(ms / 1000).toFixed(1)} s  ${run.query}${bad}`;
}

/** The lines through the samples of the controls, without those of the warm-up. */
function seriesOf(rows: readonly SoakRow[]): Series[] {
  const from = Math.floor(rows.length * WARM_UP);
  return LIMITS.flatMap(([name, limit]) => {
    const points = rows.slice(from).flatMap(({ run, sample }) => {
      const y = sample?.[name] ?? null;
      return y === null ? [] : [{ x: run.number, y }];
    });
    const [first] = points;
    const last = points.at(-1);
    if (first === undefined || last === undefined) return [];
    const slope = slopeOf(points);
    const verdict = judgeSlope(slope, { limit, span: SPAN });
    return [{ name, first: first.y, last: last.y, samples: points.length, slope, limit, verdict }];
  });
}

function together(rows: readonly SoakRow[], series: readonly Series[]): string[] {
  const counts = new Set(rows.flatMap(({ sample }) => (sample?.charts == null ? [] : [sample.charts])));
  return [
    ...(counts.size > 1
      ? [`The number of live charts varies after the same run: ${[...counts].join(', ')}.`]
      : []),
    ...series
      .filter(({ verdict }) => verdict === 'grows')
      .map(({ name, limit }) => `${name} grows by more than ${limit / MIB} MiB in ${SPAN} runs.`),
  ];
}
