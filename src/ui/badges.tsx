/** Badges: what makes a number special, in words, wherever the number goes. */
import type { LabRecord } from '../protocol/record';
import { useUi } from './context';

export type BadgeKind = 'twin' | 'builtIn' | 'software' | 'wasm' | 'background' | 'partial';

/** One badge; its reason is in the title and, for screen readers, in the text. */
export function Badge({ kind, why }: { kind: BadgeKind; why?: string }) {
  const { tr } = useUi();
  const reason =
    why ??
    (kind === 'builtIn' ? tr('models.builtInNote') : kind === 'partial' ? '' : tr(`badge.${kind}.why`));
  return (
    <span class={`badge badge-${kind}`} title={reason}>
      {tr(`badge.${kind}`)}
    </span>
  );
}

/** The badges of a whole record, each with its reason written out. */
export function RecordBadges({ record }: { record: LabRecord }) {
  const { tr } = useUi();
  const kinds = recordBadges(record);
  if (kinds.length === 0) return null;
  return (
    <ul class="badge-list">
      {kinds.map((kind) => (
        <li key={kind}>
          <Badge kind={kind} />{' '}
          <span class="muted">
            {kind === 'partial'
              ? tr('badge.partial.why', { status: tr(`run.status.${record.status}`) })
              : kind === 'builtIn'
                ? tr('models.builtInNote')
                : tr(`badge.${kind}.why`)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Which badges a record wears. Models are known by their id, so that they wear theirs before they are loaded. */
export function recordBadges(record: LabRecord): BadgeKind[] {
  const background =
    record.cells.some((cell) => cell.background) ||
    record.growth.some((growth) => growth.steps.some((step) => step.background));
  const backend = record.environment?.backend ?? record.recipe.device;
  const has: [BadgeKind, boolean][] = [
    ['twin', record.recipe.model.some((id) => id.startsWith('twin:'))],
    ['software', backend === 'webgpu' && record.environment?.adapter?.fallback === true],
    ['wasm', backend === 'wasm'],
    ['background', background],
    ['partial', record.status !== 'done' && record.status !== 'running'],
  ];
  return has.filter(([, on]) => on).map(([kind]) => kind);
}
