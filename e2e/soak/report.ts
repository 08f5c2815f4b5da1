/** The soak's tables and its closing sentence. */
import { markdownTable } from '../support/markdown-table';
import { SPAN, type Series, type SoakResult } from './run-soak';

const MIB = 2 ** 20;

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(2);
}

const WORDS: Record<Series['verdict'], string> = {
  flat: 'flat',
  grows: 'GROWS',
  undecided: 'too few samples to tell',
};

/** All problems, each with the number of its run. */
export function problemsOf({ rows, problems }: SoakResult): string[] {
  return [
    ...rows.flatMap(({ run, problems: own }) =>
      own.map((problem) => `Run ${run.number} (${run.kind}, ${run.query}): ${problem}`),
    ),
    ...problems,
  ];
}

export function soakTables({ rows, series }: SoakResult): string {
  const kinds = [...new Set(rows.map(({ run }) => run.kind))].sort();
  const byKind = kinds.map((kind) => {
    const own = rows.filter(({ run }) => run.kind === kind);
    const reached = own.filter(({ fired }) => fired).length;
    const planned = own.some(({ run }) => run.disturbance !== null);
    const wrong = own.filter(({ problems }) => problems.length > 0).length;
    return [kind, String(own.length), planned ? String(reached) : '', String(wrong)];
  });
  const memory = series.map(({ name, first, last, samples, slope, limit, verdict }) => [
    name,
    String(samples),
    mib(first),
    mib(last),
    slope === null ? 'not known' : `${mib(slope.slope * SPAN)} ± ${mib(slope.margin * SPAN)}`,
    mib(limit),
    WORDS[verdict],
  ]);
  return [
    markdownTable(['kind of run', 'runs', 'of them disturbed in time', 'with a problem'], byKind),
    markdownTable(
      ['MiB', 'samples', 'first', 'last', `growth in ${SPAN} runs (95 %)`, 'limit', 'verdict'],
      memory,
    ),
  ].join('\n\n');
}

/** What is taken home, in one sentence. */
export function closingSentence(result: SoakResult): string {
  const { rows, series } = result;
  const problems = problemsOf(result).length;
  if (problems > 0)
    return `${rows.length} runs in one page: ${problems} ${problems === 1 ? 'problem' : 'problems'}.`;
  const named = (verdict: Series['verdict']): string =>
    series
      .filter((one) => one.verdict === verdict)
      .map(({ name }) => name)
      .join(', ');
  const flat = named('flat');
  const open = named('undecided');
  return [
    `${rows.length} runs in one page without a reload: every number right to the byte, 0 device bytes after every release, no worker or chart left.`,
    flat === '' ? '' : `Flat: ${flat}.`,
    open === '' ? '' : `Too few samples to tell: ${open}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
