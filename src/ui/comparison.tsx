/** What was sent against what was measured here: per cell the same or different, and one verdict. */
import type { CellComparison, Comparison, GrowthComparison, Outcome, Side } from '../record/compare';
import { TwinBadges } from './badges';
import { useUi } from './context';
import { factLabel, factText } from './fact-text';
import { useThrottled } from './hooks';
import { lazyPart } from './lazy-part';
import { modelName } from './model-name';
import { ScrollTable } from './table';
import { formatTime } from './time';

const Pairs = lazyPart(
  async () => (await import('./redundancy/compared-pairs')).ComparedPairs,
  'redundancy',
  'report',
  'architecture',
);

const REDRAW_MS = 200;
const OUTCOMES = ['same', 'different', 'not-run'] as const satisfies readonly Outcome[];
const SIGNS: Record<Outcome, string> = { same: '✓', different: '✗', 'not-run': '…' };

export function ComparisonPanel() {
  const { tr, store, language } = useUi<'report'>();
  const comparison = useThrottled(store.comparison, REDRAW_MS);
  const expected = store.expected.value;
  if (expected === null) return null;
  // On the WASM backend there is no adapter that could have a name.
  const noAdapter = expected.backend === 'wasm' ? 'choice.wasm' : 'compare.unknownAdapter';
  const when =
    expected.createdAt === null ? tr('compare.unknownTime') : formatTime(expected.createdAt, language);
  return (
    <section class="comparison" data-testid="comparison" aria-labelledby="comparison-title">
      <h2 id="comparison-title">{tr('compare.title')}</h2>
      <p class="hint">{tr('compare.from', { adapter: expected.adapter ?? tr(noAdapter), when })}</p>
      {comparison === null ? (
        <p>
          {tr('compare.waiting', { cells: expected.cells.length, growth: expected.growth.length })}
          {expected.redundancy !== null &&
            ` ${tr('compare.waitingPairs', { n: expected.redundancy.pairs.length })}`}
        </p>
      ) : (
        <Compared comparison={comparison} />
      )}
      <p>
        <button
          type="button"
          class="button button-quiet"
          onClick={() => {
            store.clearExpected();
          }}
        >
          {tr('compare.dismiss')}
        </button>
      </p>
    </section>
  );
}

function Compared({ comparison }: { comparison: Comparison }) {
  const texts = useUi<'report'>();
  const { tr, int } = texts;
  const { verdict, cells, growth, redundancy, counts, residentCounts, environment } = comparison;
  return (
    <>
      <p class={`compare-verdict is-${verdict}`} data-verdict={verdict}>
        <span aria-hidden="true">{SIGNS[verdict === 'incomplete' ? 'not-run' : verdict]}</span>{' '}
        {tr(`compare.${verdict}`)}
      </p>
      <p class="hint">
        {OUTCOMES.filter((outcome) => counts[outcome] > 0)
          .map((outcome) => `${tr(`compare.cell.${outcome}`)}: ${int(counts[outcome])}`)
          .join(' · ')}
        {residentCounts.different > 0 &&
          ` · ${tr('compare.resident', { different: residentCounts.different })}`}
      </p>
      {environment.length > 0 && (
        <ul class="hint plain">
          {environment.map(({ field, name, expected, here }) => (
            <li key={`${field} ${name ?? ''}`}>
              {tr('compare.environment', {
                field: factLabel({ field, name }, texts),
                expected: factText(expected, texts),
                here: factText(here, texts),
              })}
            </li>
          ))}
        </ul>
      )}
      {cells.length + growth.length > 0 && (
        <ScrollTable
          caption={tr('compare.title')}
          hideCaption
          head={[tr('compare.what'), tr('compare.expected'), tr('compare.here'), tr('checks.result')]}
          textColumns={[0, 3]}
        >
          {cells.map((cell) => (
            <CellRow key={`${cell.model} ${String(cell.repeat)} ${String(cell.tokens)}`} cell={cell} />
          ))}
          {growth.map((series) => (
            <GrowthRow key={`${series.model} ${String(series.repeat)}`} series={series} />
          ))}
        </ScrollTable>
      )}
      {redundancy !== null && <Pairs comparison={redundancy} />}
    </>
  );
}

function CellRow({ cell }: { cell: CellComparison }) {
  const { tr, int } = useUi<'report'>();
  const side = (part: Side | null): string => {
    if (part === null) return tr('compare.cell.not-run');
    if (part.tensorBytes !== null) return int(part.tensorBytes);
    return tr('table.skipped', { reason: part.skipped ?? tr('table.unknownReason') });
  };
  return (
    <tr data-outcome={cell.outcome}>
      <th scope="row" class="text">
        {subject(modelName(cell.model, tr), cell.repeat)} · {int(cell.tokens)} {tr('unit.tokens')}{' '}
        <TwinBadges model={cell.model} />
      </th>
      <td>{side(cell.expected)}</td>
      <td>{side(cell.here)}</td>
      <OutcomeCell outcome={cell.outcome} />
    </tr>
  );
}

function GrowthRow({ series }: { series: GrowthComparison }) {
  const { tr, int } = useUi<'report'>();
  const { firstDifference: first, pointsCompared, pointsExpected } = series;
  return (
    <tr data-outcome={series.outcome}>
      <th scope="row" class="text">
        {subject(modelName(series.model, tr), series.repeat)} · {tr('table.growth')}
        {first !== null && ` · ${int(first.tokens)} ${tr('unit.tokens')}`} <TwinBadges model={series.model} />
      </th>
      <td>{first === null ? tr('compare.points', { n: pointsExpected }) : int(first.expected)}</td>
      <td>{first === null ? tr('compare.points', { n: pointsCompared }) : int(first.here)}</td>
      <OutcomeCell outcome={series.outcome} />
    </tr>
  );
}

function OutcomeCell({ outcome }: { outcome: Outcome }) {
  const { tr } = useUi<'report'>();
  const look = { same: 'text verdict-pass', different: 'text verdict-fail', 'not-run': 'text unmeasured' }[
    outcome
  ];
  return (
    <td class={look}>
      <span aria-hidden="true">{SIGNS[outcome]}</span> {tr(`compare.cell.${outcome}`)}
    </td>
  );
}

function subject(name: string, repeat: number): string {
  return `${name}${repeat > 0 ? ` #${String(repeat + 1)}` : ''}`;
}
