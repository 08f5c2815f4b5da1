/** The environment: of the results where there are any, else what this browser offers now. Closed at first. */
import { adapterName } from './adapter-name';
import { Badge } from './badges';
import { useUi } from './context';
import { useOpened } from './hooks';
import { lazyPart } from './lazy-part';

const EnvironmentBody = lazyPart(async () => (await import('./environment-body')).EnvironmentBody, 'report');

export function EnvironmentPanel() {
  const { tr, store } = useUi();
  const { shown, onToggle } = useOpened();
  const environment = store.record.value?.environment ?? null;
  const adapter = environment === null ? store.probe.value.adapter : environment.adapter;
  return (
    <details class="panel" data-testid="environment" onToggle={onToggle}>
      <summary>
        <h2>{tr('env.title')}</h2>
        <span class="summary-values">{adapterName(adapter, tr('env.unnamed'), tr('env.noAdapter'))}</span>
        {adapter?.fallback === true && <Badge kind="software" />}
        {environment?.backend === 'wasm' && <Badge kind="wasm" />}
      </summary>
      {shown && <EnvironmentBody />}
    </details>
  );
}
