/** The points of several records: a row a point, a column a record, exact bytes, and whether they are the same. */
import type { ComparedLevel, Point, PointOutcome, PointValue } from '../../record/compare-many';
import { TwinBadges } from '../badges';
import { useUi } from '../context';
import { modelName } from '../model-name';
import { ScrollTable } from '../table';

/** Rows that are shown; a long growth has thousands of points. */
const MOST_ROWS = 200;
const SIGNS: Record<PointOutcome, string> = { same: '✓', different: '✗', single: '·' };
const LOOKS: Record<PointOutcome, string> = {
  same: 'text verdict-pass',
  different: 'text verdict-fail',
  single: 'text unmeasured',
};

interface Props {
  points: Point[];
  names: string[];
  level: ComparedLevel;
}

export function PointsTable({ points, names, level }: Props) {
  const { tr } = useUi<'report' | 'history'>();
  const shown = rowsToShow(points, level);
  return (
    <>
      <ScrollTable
        caption={tr('many.points')}
        testId="many-points"
        head={[tr('compare.what'), tr('table.tokens'), ...names, tr('checks.result')]}
        textColumns={[0, names.length + 2]}
      >
        {shown.map((point) => (
          <Row
            key={`${point.model} ${point.dtype} ${String(point.batch)} ${point.policy} ${String(point.tokens)}`}
            point={point}
            level={level}
          />
        ))}
      </ScrollTable>
      {shown.length < points.length && (
        <p class="hint">{tr('many.cut', { shown: shown.length, total: points.length })}</p>
      )}
    </>
  );
}

/** All points, or where there are too many those that differ first. */
function rowsToShow(points: Point[], level: ComparedLevel): Point[] {
  if (points.length <= MOST_ROWS) return points;
  const differ = points.filter((point) => point.outcome[level] === 'different');
  const others = points.filter((point) => point.outcome[level] !== 'different');
  return [...differ, ...others].slice(0, MOST_ROWS);
}

function Row({ point, level }: { point: Point; level: ComparedLevel }) {
  const { tr, int } = useUi<'report' | 'history'>();
  const outcome = point.outcome[level];
  const reference = point.values.find((value) => value.bytes[level].length > 0);
  const model = modelName(point.model, tr);
  return (
    <tr data-outcome={outcome}>
      <th scope="row" class="text">
        {tr('many.row', { model, dtype: point.dtype, batch: point.batch })} <TwinBadges model={point.model} />
      </th>
      <td>{int(point.tokens)}</td>
      {point.values.map((value, index) => (
        <ValueCell key={index} value={value} reference={reference} level={level} />
      ))}
      <td class={LOOKS[outcome]}>
        <span aria-hidden="true">{SIGNS[outcome]}</span> {tr(`many.outcome.${outcome}`)}
      </td>
    </tr>
  );
}

/** The bytes of one record; the first one that has them is what the others are compared with. */
function ValueCell({
  value,
  reference,
  level,
}: {
  value: PointValue;
  reference: PointValue | undefined;
  level: ComparedLevel;
}) {
  const { tr, int } = useUi<'report' | 'history'>();
  const bytes = value.bytes[level];
  if (bytes.length === 0) {
    return <td class="unmeasured">{tr(value.skipped === null ? 'table.notMeasured' : 'many.skipped')}</td>;
  }
  const text = bytes.map(int).join(' / ');
  if (value === reference || reference === undefined) return <td>{text}</td>;
  const same = text === reference.bytes[level].map(int).join(' / ');
  return (
    <td class={same ? undefined : 'verdict-fail'}>
      {text} <span aria-hidden="true">{same ? '=' : '≠'}</span>
      <span class="visually-hidden">{tr(same ? 'many.equals' : 'many.differs')}</span>
    </td>
  );
}
