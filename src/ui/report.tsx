/** The place of the report: empty before a run; what fills it is loaded when there is something to show. */
import type { LabRecord } from '../protocol/record';
import { Boundary } from './boundary';
import { useUi } from './context';
import { useThrottled } from './hooks';
import { lazyPart } from './lazy-part';

/** ms between two redraws of the report while records come in. */
const REDRAW_MS = 200;

const Filled = lazyPart<{ record: LabRecord }>(
  async () => (await import('./report-body')).ReportBody,
  'report',
);
const ScaledBadges = lazyPart<{ record: LabRecord }>(
  async () => (await import('./reports/scaled')).ScaledBadges,
  'report',
);
const Weights = lazyPart<{ record: LabRecord | null }>(
  async () => (await import('./reports/weights')).WeightsReport,
  'report',
);

export function Report() {
  const { tr, store } = useUi();
  const newest = useThrottled(store.record, REDRAW_MS);
  const { experiment } = store.recipe.value;
  const hasNumbers =
    newest !== null &&
    newest.cells.length +
      newest.growth.length +
      (newest.redundancy?.pairs.length ?? 0) +
      (newest.serving?.runs.length ?? 0) >
      0;
  const record = hasNumbers && newest.recipe.experiment === experiment ? newest : null;
  return (
    <>
      {experiment === 'weights' && (
        <section class="report" aria-label={tr('nav.weights')}>
          <Boundary retryOn={record}>
            <Weights record={record} />
          </Boundary>
        </section>
      )}
      {record === null ? (
        <EmptyReport other={hasNumbers ? newest : null} loaded={hasNumbers ? null : newest} />
      ) : (
        <section class="report" aria-label={tr('result.title')}>
          <Boundary retryOn={record}>
            <Filled record={record} waiting={<p class="muted">{tr('result.waiting')}</p>} />
          </Boundary>
        </section>
      )}
    </>
  );
}

/** `other`: what ran last, in another view. `loaded`: a run that has models, but no number yet. */
function EmptyReport({ other, loaded }: { other: LabRecord | null; loaded: LabRecord | null }) {
  const { tr, store } = useUi();
  return (
    <section class="report is-empty" aria-label={tr('result.title')}>
      <p class="muted">
        {tr(store.run.value.status === 'running' ? 'result.waiting' : 'result.empty')}{' '}
        {other !== null && (
          <>
            {tr('result.otherView', { view: tr(`nav.${other.recipe.experiment}`) })}{' '}
            <button
              type="button"
              class="button button-quiet"
              onClick={() => {
                store.setRecipe(other.recipe);
              }}
            >
              {tr('result.showOther')}
            </button>
          </>
        )}
      </p>
      {loaded?.models.some(({ scaled }) => scaled !== undefined) && <ScaledBadges record={loaded} />}
    </section>
  );
}
