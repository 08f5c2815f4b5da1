/** The bench's results as Markdown. */
import { markdownTable } from '../support/markdown-table';
import type { Machine, Results, Row } from './types';

/** Above it something else was running. NumPy's threads, which wait in turns for a core, lose far more by that than ours do. */
const BUSY_LOAD = 0.7;

/** Seconds and the like with three significant digits; bytes as whole numbers. */
function show(value: number, unit: Row['unit']): string {
  return unit === 'bytes' ? value.toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}

function describe(machine: Machine): string {
  const gib = (machine.memoryBytes / 2 ** 30).toFixed(1);
  return [
    `${machine.cpu}, ${machine.cores} cores, ${gib} GiB`,
    machine.os,
    `Node ${machine.node}`,
    `Chromium ${machine.chromium}`,
    `WebGPU adapter: ${machine.adapter ?? 'none'}`,
    machine.python ?? 'no NumPy',
    `load average before: ${machine.loadBefore.toFixed(2)}`,
  ].join('; ');
}

/** The commit's first 12 digits, and the `+` of a checkout with changes. */
function shortCommit(commit: string): string {
  return commit.replace(/^([0-9a-f]{12})[0-9a-f]*/, '$1');
}

/** A section with a heading, or nothing where there is nothing in it. */
function section(heading: string, body: string[], filled: boolean): string[] {
  return filled ? [`## ${heading}`, ...body] : [];
}

export function markdown(results: Results): string {
  const { ratios, meanings, rows, goals, checks, notMeasured, notes } = results;
  return [
    '# Bench',
    `Of ${results.at}, commit ${shortCommit(results.commit)}. ${describe(results.machine)}.`,
    'Made by `npm run bench`. Only ratios compare across machines.',
    ...(results.machine.loadBefore > BUSY_LOAD
      ? ['**The machine was busy with other work: these numbers are not to be quoted.**']
      : []),
    ...section(
      'Ratios',
      [
        markdownTable(
          ['ratio', 'value', 'what it is'],
          Object.entries(ratios).map(([name, value]) => [name, show(value, ''), meanings[name] ?? '']),
        ),
      ],
      Object.keys(ratios).length > 0,
    ),
    ...section(
      'Goals',
      [
        markdownTable(
          ['case', 'what', 'goal', 'met'],
          goals.map((one) => [one.case, one.what, one.goal, one.met ? 'yes' : 'no']),
        ),
      ],
      goals.length > 0,
    ),
    ...section(
      'Checks',
      [
        markdownTable(
          ['case', 'check', 'passed', 'detail'],
          checks.map((one) => [one.case, one.name, one.pass ? 'yes' : 'NO', one.detail]),
        ),
      ],
      checks.length > 0,
    ),
    ...section(
      'Not measured',
      notMeasured.map((one) => `- ${one.case}, ${one.what}: not measured: ${one.why}`),
      notMeasured.length > 0,
    ),
    ...section(
      'Rows',
      [
        markdownTable(
          ['case', 'what', 'unit', 'median', 'runs'],
          rows.map(({ case: id, what, value, unit, runs }) => [
            id,
            what,
            unit,
            show(value, unit),
            runs.map((run) => show(run, unit)).join('; '),
          ]),
        ),
      ],
      rows.length > 0,
    ),
    ...section(
      'How',
      notes.map(({ case: id, note }) => `- ${id}: ${note}`),
      notes.length > 0,
    ),
  ]
    .join('\n\n')
    .concat('\n');
}
