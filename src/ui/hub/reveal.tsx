/** Something short whose whole is shown by pressing it: a size and its exact bytes, a commit and its forty digits. */
import { useSignal } from '@preact/signals';
import { shortCommit } from '../../protocol/model-name';
import { useHubUi } from './text';

function Reveal({ short, full, label }: { short: string; full: string; label: string }) {
  const open = useSignal(false);
  return (
    <button
      type="button"
      class="reveal"
      title={open.value ? short : full}
      aria-label={label}
      aria-pressed={open.value}
      onClick={() => {
        open.value = !open.value;
      }}
    >
      {open.value ? full : short}
    </button>
  );
}

/** Bytes in the unit that fits, exact when pressed; "size unknown" where they are. */
export function Size({ bytes }: { bytes: number | null }) {
  const { hub, size, int, tr } = useHubUi();
  if (bytes === null) return <span class="unmeasured">{hub('hub.sizeUnknown')}</span>;
  if (bytes < 1024) return <span>{size(bytes)}</span>;
  return (
    <Reveal
      short={size(bytes)}
      full={`${int(bytes)} ${tr('unit.bytes')}`}
      label={hub('hub.exactly', { size: size(bytes), bytes: int(bytes) })}
    />
  );
}

/** A revision: a commit by its first digits, whole when pressed; a branch or tag as it is. */
export function Revision({ revision }: { revision: string }) {
  const { hub } = useHubUi();
  const short = shortCommit(revision);
  if (short === revision) return <code>{revision}</code>;
  return (
    <code>
      <Reveal
        short={short}
        full={revision}
        label={`${hub('hub.commit')} ${hub('hub.inFull', { short, full: revision })}`}
      />
    </code>
  );
}
