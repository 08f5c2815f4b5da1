/** How this is measured. Closed at first. */
import { useUi } from './context';
import { useOpened } from './hooks';
import { lazyPart } from './lazy-part';

const HowBody = lazyPart(async () => (await import('./how-body')).HowBody, 'report');

const RedundancyHow = lazyPart(
  async () => (await import('./redundancy/how')).RedundancyHow,
  'redundancy',
  'report',
  'architecture',
);

export function HowMeasured() {
  const { tr, store } = useUi();
  const { shown, onToggle } = useOpened();
  return (
    <details class="panel" data-testid="how" onToggle={onToggle}>
      <summary>
        <h2>{tr('how.title')}</h2>
      </summary>
      {shown && (store.recipe.value.experiment === 'redundancy' ? <RedundancyHow /> : <HowBody />)}
    </details>
  );
}
