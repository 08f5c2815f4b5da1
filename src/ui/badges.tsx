/** Badges: what makes a number special, in words, wherever the number goes. */
import type { LabRecord } from '../protocol/record';
import { isLatentId, isTwinId } from '../protocol/model-name';
import { badgesOf, hasLatent } from '../record/badges';
import { useUi } from './context';

export type BadgeKind =
  'twin' | 'latent' | 'builtIn' | 'hub' | 'local' | 'software' | 'wasm' | 'background' | 'partial';

/** Why a badge is worn, in one sentence. `status`: how a run ended that was cut short. */
function useReason() {
  const { tr } = useUi();
  return (kind: BadgeKind, status: LabRecord['status'] = 'done') =>
    tr(`badge.${kind}.why`, { status: tr(`run.status.${status}`) });
}

/** One badge, in words; its reason is in the title and is written out once where the record's badges are. */
export function Badge({ kind, status }: { kind: BadgeKind; status?: LabRecord['status'] }) {
  const { tr } = useUi();
  const reason = useReason();
  return (
    <span class={`badge badge-${kind}`} title={reason(kind, status)}>
      {tr(`badge.${kind}`)}
    </span>
  );
}

/** What a model's numbers wear wherever they stand: that it is a cache twin, and of latents that no export keeps. */
export function TwinBadges({ model }: { model: string }) {
  if (!isTwinId(model)) return null;
  return (
    <>
      <Badge kind="twin" />
      {isLatentId(model) && (
        <>
          {' '}
          <Badge kind="latent" />
        </>
      )}
    </>
  );
}

/** The badges of a whole record, each with its reason. */
export function RecordBadges({ record }: { record: LabRecord }) {
  const reason = useReason();
  const kinds = recordBadges(record);
  if (kinds.length === 0) return null;
  return (
    <ul class="badge-list">
      {kinds.map((kind) => (
        <li key={kind}>
          <Badge kind={kind} status={record.status} />{' '}
          <span class="muted">{reason(kind, record.status)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Which badges a record wears: those that its exports wear, and that it was cut short. */
export function recordBadges(record: LabRecord): BadgeKind[] {
  const { twin, software, wasm, background } = badgesOf(record);
  const has: [BadgeKind, boolean][] = [
    ['twin', twin],
    ['latent', hasLatent(record)],
    // A record of both backends wears both: its GPU rows were on that adapter.
    ['software', software && record.environment?.backend !== 'wasm'],
    ['wasm', wasm],
    ['background', background],
    ['partial', record.status !== 'done' && record.status !== 'running'],
  ];
  return has.filter(([, on]) => on).map(([kind]) => kind);
}
