/** The experiment `policies` as Markdown, in English: what each policy and mode took, which one holds most, and what was tried. */
import { formatInteger } from '../protocol/format';
import type { LabRecord, MaybeBytes } from '../protocol/record';
import { describeFault } from '../protocol/faults';
import { policiesSummary } from './policies-summary';
import { numbers, plain, table, words } from './tables';

const NOT_MEASURED = 'not measured';
const integer = (value: MaybeBytes): string => (value === null ? NOT_MEASURED : formatInteger(value));
const places = (value: number | null, most: number): string =>
  value?.toLocaleString('en-US', { maximumFractionDigits: most }) ?? NOT_MEASURED;

/** The parts of a record's Markdown; none for other experiments. */
export function policiesParts(record: LabRecord): string[] {
  if (record.recipe.experiment !== 'policies') return [];
  return [summaryTable(record), recommendationText(record), probesText(record)].filter((part) => part !== '');
}

/** One row a policy, mode and batch, at its longest context; one that failed says why. */
function summaryTable(record: LabRecord): string {
  const rows = policiesSummary(record);
  if (rows.length === 0) return '';
  const columns = [
    ...[words('policy'), words('allocator'), numbers('batch'), numbers('tokens'), numbers('formula bytes')],
    ...[numbers('used bytes'), numbers('tensor bytes'), numbers('resident bytes'), numbers('device peak')],
    ...[
      numbers('device / formula, largest'),
      numbers('ms per step'),
      numbers('copied per step'),
      words('fault'),
    ],
  ];
  return table(
    columns,
    rows.map((row) => [
      ...[
        row.policy,
        row.allocator,
        formatInteger(row.batch),
        integer(row.tokens),
        integer(row.formulaBytes),
      ],
      ...[integer(row.usedBytes), integer(row.tensorBytes), integer(row.residentBytes)],
      ...[integer(row.peakDeviceBytes), places(row.largestRatio, 2), places(row.stepMs, 1)],
      places(row.copiedBytes, 0),
      row.fault === null ? '–' : plain(describeFault(row.fault)),
    ]),
  );
}

function recommendationText({ policies }: LabRecord): string {
  const found = policies?.recommendation;
  if (!found) return '';
  const holds = found.holds.map(({ policy, allocator, tokens, peakBytes }) => {
    const held = peakBytes === null ? 'none' : `${formatInteger(tokens)} (${formatInteger(peakBytes)} bytes)`;
    return `${policy} with ${allocator} ${held}`;
  });
  return `Tokens held within ${formatInteger(found.budgetBytes)} device bytes, as measured: ${holds.join(', ')}.`;
}

function probesText({ policies }: LabRecord): string {
  return (policies?.probes ?? [])
    .map(
      ({ name, backend, outcome, detail }) => `- Tried ${name} on ${backend}: ${outcome}. ${plain(detail)}`,
    )
    .join('\n');
}
