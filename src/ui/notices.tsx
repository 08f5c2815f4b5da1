/** Notices: what was wrong with a link or a file, one sentence each. */
import { useUi } from './context';

export function Notices() {
  const { tr, store, faultSentence } = useUi();
  const notices = store.notices.value;
  return (
    <section class="notices" data-testid="notices" aria-label={tr('notices.title')} aria-live="polite">
      {notices.map((notice) => (
        <div
          key={notice.id}
          class={notice.kind === 'error' ? 'message message-error' : 'message message-warn'}
        >
          <p>{faultSentence(notice.fault)}</p>
          <button
            type="button"
            class="button button-quiet"
            onClick={() => {
              store.dismiss(notice);
            }}
          >
            {tr('notices.dismiss')}
          </button>
        </div>
      ))}
    </section>
  );
}
