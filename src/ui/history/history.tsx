/** The history as a closed section: at first paint it is only this; what is in it is loaded when it is opened. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { lastKept } from '../../lab/history-keeper';
import { useUi } from '../context';

export function History() {
  const { tr, faultSentence } = useUi();
  const panel = useSignal<FunctionComponent | null>(null);
  const failed = useSignal(false);
  const kept = lastKept.value;
  const Panel = panel.value;
  const load = async () => {
    failed.value = false;
    try {
      panel.value = (await import('./panel')).HistoryPanel;
    } catch {
      failed.value = true;
    }
  };
  return (
    <details
      class="panel history"
      data-testid="history"
      onToggle={(event) => {
        if (event.currentTarget.open && panel.value === null) void load();
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
      {failed.value && (
        <p class="message message-error">{faultSentence({ code: 'page-outdated', params: {} })}</p>
      )}
      {Panel === null ? !failed.value && <p class="muted">{tr('history.loading')}</p> : <Panel />}
    </details>
  );
}
