/** What the bench's cases give, and what its results file holds. */
import type { Page } from 'playwright';

/** One thing that was measured, the same way each time. */
export interface Row {
  case: string;
  what: string;
  /** Median of `runs`. */
  value: number;
  unit: 's' | 'ms' | 'bytes' | 'tokens/s' | '';
  /** Every run's value, in the order of the runs. */
  runs: number[];
}

/** Two rows of one run of the bench, divided: the only kind of number that is quoted. */
export interface Ratio {
  name: string;
  value: number;
  /** What is divided by what, in words. */
  meaning: string;
}

/** What a number should be. A goal that is missed is shown; it fails nothing. */
export interface Goal {
  what: string;
  goal: string;
  met: boolean;
}

/** What must hold, or the numbers mean nothing: a check that fails makes the bench exit with 1. */
export interface BenchCheck {
  name: string;
  pass: boolean;
  detail: string;
}

export interface CaseResult {
  rows: Omit<Row, 'case'>[];
  ratios: Ratio[];
  goals: Goal[];
  checks: BenchCheck[];
  /** What could not be measured on this machine, each with the reason. */
  notMeasured: { what: string; why: string }[];
  /** How it was measured, and what to know before a number is believed. */
  notes: string[];
}

export interface BenchCase {
  /** What `--only` takes. */
  id: string;
  title: string;
  /** @throws Error with one sentence where the case cannot run here: it is reported as not measured. */
  run: (context: BenchContext) => Promise<CaseResult>;
}

/** What a case may use. */
export interface BenchContext {
  /** A line of progress, on stderr. */
  log: (line: string) => void;
  /** A folder for data, served to the bench's page under `../data/`. */
  dataFolder: string;
  /** Whether the smallest sizes and one turn will do: to see that a case works, not for its numbers. */
  quick: boolean;
  /** Opens the bench's page (e2e/bench/page) in a browser of its own. */
  openPage: () => Promise<BenchPage>;
  /** Opens an empty page in a browser of its own that knows nothing yet, and serves the product's build to it. */
  openProduct: () => Promise<ProductPage>;
}

export interface BenchPage {
  page: Page;
  /** Of the page's process, its workers included: largest resident bytes so far, CPU seconds so far; null where /proc has none. */
  usage: () => { peakBytes: number; cpuSeconds: number } | null;
  close: () => Promise<void>;
}

/** What a browser asked the product's server for. */
export interface Served {
  /** Path below the product's folder, without a slash before it; the page itself is `index.html`. */
  path: string;
  /** HTTP status of the answer. */
  status: number;
}

export interface ProductPage {
  page: Page;
  /** The product's address, ending with a slash. */
  url: string;
  /** Folder of the build that is served. */
  folder: string;
  /** What the browser asked for so far, its workers included, each path once. */
  served: () => Served[];
  close: () => Promise<void>;
}

export interface Machine {
  cpu: string;
  cores: number;
  memoryBytes: number;
  os: string;
  node: string;
  chromium: string;
  /** The WebGPU adapter; null where the browser gives none. */
  adapter: string | null;
  python: string | null;
  /** Processes that wanted a core in the minute before (1-minute load average): on a busy machine times say little. */
  loadBefore: number;
}

export interface Results {
  machine: Machine;
  at: string;
  commit: string;
  ratios: Record<string, number>;
  rows: Row[];
  goals: (Goal & { case: string })[];
  checks: (BenchCheck & { case: string })[];
  notMeasured: { case: string; what: string; why: string }[];
  notes: { case: string; note: string }[];
  meanings: Record<string, string>;
}
