/** What the tests of a redundancy share: documents, a pass, keys and values that follow a rule, and a run with all its reports. */
import { collect, fakeRuntime, pass, type FakeOptions } from './testing.fixture';
import type { Dependencies } from './run-experiment';
import type { SolverEvent } from './solver-pool';
import type { Pass, Report } from '../protocol/messages';
import { defaultRedundancy, type MeasuredRedundancy, type RedundancyState } from '../protocol/redundancy';

export const NAMES = ['korean-report', 'model-card', 'python-code'];
/** 120 bytes, so 120 tokens of the fake tokenizer; different in each document. */
export const DOCUMENTS = NAMES.map((name, at) => ({
  name,
  sha256: 'ab12',
  text: Array.from({ length: 120 }, (_, i) => String.fromCharCode(97 + ((i * i + at * 7 + i) % 26))).join(''),
}));

export function redundancy(patch: Partial<RedundancyState> = {}, more: Partial<Pass> = {}): Pass {
  const state = { ...defaultRedundancy(), documents: NAMES, skip: 20, keep: 90, ...patch };
  return pass({ kind: 'redundancy', state }, more);
}

/** Noise of layer 0, and every later layer the one before in other channels: predicted without a rest. */
export const chained = (name: string, token: number, id: number, channel: number): number => {
  const layer = Number(/\d+/.exec(name)?.[0]);
  const from = (channel + 5 * layer) % 64;
  return Math.sin((token + 1) * (from + 1) * 1.7 + id * (from + 3)) * 2;
};

export async function run(
  options: FakeOptions,
  work = redundancy(),
  more: Partial<Dependencies> = {},
): Promise<{
  reports: Report[];
  found: MeasuredRedundancy | undefined;
  log: ReturnType<typeof fakeRuntime>['log'];
}> {
  const { runtime, log } = fakeRuntime(options);
  const reports = await collect([work], runtime, { documents: DOCUMENTS, ...more });
  const found = reports.flatMap((report) => (report.type === 'redundancy' ? [report.found] : [])).at(-1);
  return { reports, found, log };
}

/** For what does not depend on the answer. */
// eslint-disable-next-line @typescript-eslint/require-await -- solves nothing
export async function* unsolved(): AsyncGenerator<SolverEvent> {
  yield { type: 'note', note: 'not solved' };
}

export const faultOf = (reports: Report[]) =>
  reports.flatMap((report) => (report.type === 'pass-failed' ? [report.fault] : [])).at(0);
