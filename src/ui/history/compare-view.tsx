/** Two or more records compared: a verdict, one chart, the points, and what differs between the environments. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { NamedRecord } from '../../charts/compare-chart';
import { compareMany, type ComparedLevel, type ManyComparison } from '../../record/compare-many';
import { Chart } from '../chart';
import { useUi } from '../context';
import { EnvironmentTable } from './environment-table';
import { lazyPart } from '../lazy-part';
import { PointsTable } from './points-table';

const Pairs = lazyPart(
  async () => (await import('../redundancy/many-pairs')).ManyPairs,
  'redundancy',
  'report',
  'architecture',
);

const LEVELS: readonly ComparedLevel[] = ['tensor', 'resident'];

export function CompareView({ records, onClose }: { records: NamedRecord[]; onClose: () => void }) {
  const { tr } = useUi<'report' | 'history'>();
  const level = useSignal<ComparedLevel>('tensor');
  const title = useRef<HTMLHeadingElement>(null);
  const comparison = useMemo(() => compareMany(records.map(({ record }) => record)), [records]);
  const drawn = useMemo(() => ({ records, level: level.value }), [records, level.value]);
  const names = records.map(({ name }) => name);
  useEffect(() => {
    title.current?.focus();
  }, [records]);
  return (
    <section class="comparison many" data-testid="compare-many" aria-labelledby="many-title">
      <div class="many-head">
        <h3 id="many-title" tabIndex={-1} ref={title}>
          {tr('many.title', { n: records.length })}
        </h3>
        <button type="button" class="button button-quiet" onClick={onClose}>
          {tr('many.close')}
        </button>
      </div>
      <fieldset class="many-levels">
        <legend>{tr('many.level')}</legend>
        {LEVELS.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="many-level"
              checked={level.value === each}
              onChange={() => {
                level.value = each;
              }}
            />{' '}
            {tr(`level.${each}.long`)}
          </label>
        ))}
      </fieldset>
      <Verdict comparison={comparison} level={level.value} />
      <Chart
        kind="compare"
        input={drawn}
        title={tr('many.chart', { level: tr(`level.${level.value}.long`) })}
        table={tr('many.points')}
      />
      <PointsTable points={comparison.points} names={names} level={level.value} />
      {comparison.pairs.length > 0 && <Pairs pairs={comparison.pairs} names={names} />}
      <EnvironmentTable comparison={comparison.environment} names={names} />
    </section>
  );
}

function Verdict({ comparison, level }: { comparison: ManyComparison; level: ComparedLevel }) {
  const { tr, int } = useUi<'report' | 'history'>();
  const { same, different, single } = comparison.counts[level];
  const compared = same + different;
  const outcome = compared === 0 ? 'none' : different > 0 ? 'different' : 'same';
  const sign = { none: '…', different: '✗', same: '✓' }[outcome];
  return (
    <div>
      <p class={`compare-verdict is-${outcome}`} data-testid="many-verdict" data-verdict={outcome}>
        <span aria-hidden="true">{sign}</span>{' '}
        {tr(`many.${outcome}`, { n: int(same), different: int(different), compared: int(compared) })}
      </p>
      {single > 0 && <p class="hint">{tr('many.single', { n: single })}</p>}
    </div>
  );
}
