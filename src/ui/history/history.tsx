/** The history as a closed section: at first paint it is only this; what is in it is loaded when it is opened. */
import { useSignal } from '@preact/signals';
import { lastKept } from '../../lab/history-keeper';
import { useUi } from '../context';
import { lazyPart } from '../lazy-part';

const Panel = lazyPart(async () => (await import('./panel')).HistoryPanel, 'report', 'history');

export function History() {
  const { tr, faultSentence } = useUi();
  const opened = useSignal(false);
  const kept = lastKept.value;
  return (
    <details
      class="panel history"
      data-testid="history"
      onToggle={(event) => {
        if (event.currentTarget.open) opened.value = true;
      }}
    >
      <summary>
        <h2>{tr('history.title')}</h2>
      </summary>
      {kept !== null && kept.fault !== null && (
        <p class="message message-warn">{tr('history.notKept', { why: faultSentence(kept.fault) })}</p>
      )}
      {kept !== null && kept.fault === null && kept.dropped > 0 && (
        <p class="hint">{tr('history.dropped', { n: kept.dropped })}</p>
      )}
      {opened.value && <Panel waiting={<p class="muted">{tr('history.loading')}</p>} />}
    </details>
  );
}
