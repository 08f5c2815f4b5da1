/** The page: what it is, a question, models, Run, and the report that fills itself in. */
import { useEffect } from 'preact/hooks';
import { isActive } from '../lab/run-state';
import { Architecture } from './architecture/architecture';
import { Boundary } from './boundary';
import { UiProvider, useUi, type Ui } from './context';
import { EnvironmentPanel } from './environment';
import { Header } from './header';
import { History } from './history/history';
import { HowMeasured } from './how';
import { HubConsent } from './hub/hub-consent';
import { lazyPart } from './lazy-part';
import { ModelPicker } from './model-picker';
import { Notices } from './notices';
import { Report } from './report';
import { LastEnd, NoGpu, RunBar } from './run-bar';
import { Settings } from './settings';
import { Share } from './share';
import { Presets, Views } from './views';

const Capacity = lazyPart(
  async () => (await import('./capacity/capacity')).Capacity,
  'capacity',
  'report',
  'architecture',
  'input',
);
const Redundancy = {
  Documents: lazyPart(
    async () => (await import('./redundancy/documents')).Documents,
    'redundancy',
    'report',
    'architecture',
  ),
  Method: lazyPart(
    async () => (await import('./redundancy/method-panel')).MethodPanel,
    'redundancy',
    'report',
    'architecture',
  ),
};
const Comparison = lazyPart(async () => (await import('./comparison')).ComparisonPanel, 'report');

export function App({ ui }: { ui: Ui }) {
  return (
    <UiProvider value={ui}>
      <Header />
      <Main />
      <Footer />
      <LiveRegion />
    </UiProvider>
  );
}

function Main() {
  const { tr, store } = useUi();
  const { experiment } = store.recipe.value;
  return (
    <main>
      <div class="intro">
        <h1>{tr('app.heading')}</h1>
        <p class="lead">{tr('app.lead')}</p>
      </div>
      <Views />
      <Presets />
      <Notices />
      <Boundary>
        <section class="experiment" id="experiment" tabIndex={-1} aria-labelledby="question">
          <div>
            <h2 id="question">{tr(`question.${experiment}`)}</h2>
            <p class="hint">{tr(`about.${experiment}`)}</p>
          </div>
          {experiment === 'capacity' ? (
            <>
              <LastEnd />
              <Capacity />
            </>
          ) : (
            <>
              <NoGpu />
              <ModelPicker />
              {experiment === 'redundancy' && <Redundancy.Documents waiting={<p class="muted">…</p>} />}
              <Settings key={experiment} />
              <HubConsent />
              <RunBar />
            </>
          )}
        </section>
      </Boundary>
      <Boundary retryOn={store.comparison.value}>
        {/* A plan is worked out, not measured: there is nothing to compare. */}
        {store.expected.value !== null && experiment !== 'capacity' && <Comparison />}
      </Boundary>
      {experiment !== 'capacity' && <Report />}
      {experiment === 'redundancy' && (
        <Boundary>
          <Redundancy.Method />
        </Boundary>
      )}
      <Share />
      <Boundary>
        <History />
      </Boundary>
      <Boundary>
        <HowMeasured />
      </Boundary>
      <Boundary>
        <EnvironmentPanel />
      </Boundary>
      <Boundary>
        <Architecture />
      </Boundary>
    </main>
  );
}

function Footer() {
  const { tr } = useUi();
  return (
    <footer class="site-footer">
      <p>{tr('footer.note', { version: __APP_VERSION__, commit: __APP_COMMIT__.slice(0, 12) })}</p>
    </footer>
  );
}

/** What screen readers hear: short messages of copying and progress, and the verdict when a run ends. */
function LiveRegion() {
  const { tr, store, announcement, announce } = useUi();
  const { status } = store.run.value;
  useEffect(() => {
    if (!isActive(store.run.peek()) && status === 'done') announce(tr('run.announceDone'));
  }, [status]);
  return (
    <div class="visually-hidden" role="status">
      {announcement.value}
    </div>
  );
}
