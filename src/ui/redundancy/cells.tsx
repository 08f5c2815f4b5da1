/** Cells of the redundancy report's tables: a number or, in words, that there is none. */
import { useUi } from '../context';
import { r2Text } from './numbers';
import type { Kind } from '../../redundancy/types';
import type { RedundancyTexts } from './words';

interface Props {
  value: number | null;
  digits?: number;
  /** What is said where there is no number. */
  none?: string | undefined;
  class?: string | undefined;
}

export function NumberCell({ value, digits = 3, none, class: look }: Props) {
  const { tr } = useUi<RedundancyTexts>();
  return value === null ? (
    <td class="unmeasured">{none ?? tr('red.unknown')}</td>
  ) : (
    <td class={look}>{r2Text(value, digits, tr)}</td>
  );
}

/** The two ends of a spread, one where they are the same; nothing is known of either where one is missing. */
export function RangeCell({ min, max }: { min: number | null; max: number | null }) {
  const { tr } = useUi<RedundancyTexts>();
  return min === null || max === null ? (
    <td class="unmeasured">{tr('red.unknown')}</td>
  ) : (
    <td>
      {min === max
        ? r2Text(min, 3, tr)
        : tr('red.ends', { min: r2Text(min, 3, tr), max: r2Text(max, 3, tr) })}
    </td>
  );
}

/** K or V with the sign that it has in the chart. */
export function KindMark({ kind }: { kind: Kind }) {
  return (
    <span class={`kind kind-${kind.toLowerCase()}`}>
      <span aria-hidden="true">{kind === 'K' ? '●' : '■'}</span> {kind}
    </span>
  );
}
