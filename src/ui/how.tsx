/** How this is measured. Closed at first. */
import type { Experiment } from '../protocol/recipe';
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

const PoliciesHow = lazyPart(async () => (await import('./policies/how')).PoliciesHow, 'policies', 'report');
const ServingHow = lazyPart(async () => (await import('./serving/how')).ServingHow, 'serving', 'report');

export function HowMeasured() {
  const { tr, store } = useUi();
  const { shown, onToggle } = useOpened();
  return (
    <details class="panel" data-testid="how" onToggle={onToggle}>
      <summary>
        <h2>{tr('how.title')}</h2>
      </summary>
      {shown && <Body experiment={store.recipe.value.experiment} />}
    </details>
  );
}

function Body({ experiment }: { experiment: Experiment }) {
  if (experiment === 'redundancy') return <RedundancyHow />;
  if (experiment === 'policies') return <PoliciesHow />;
  if (experiment === 'serving') return <ServingHow />;
  return <HowBody />;
}
