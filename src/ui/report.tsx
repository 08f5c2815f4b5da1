/** The report of a run: verdict, figures, chart, why, table, checks. It fills itself in while the run goes on. */
import { verdict } from '../experiments/summarise';
import { recipeQuery } from '../protocol/options';
import type { Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { RecordBadges } from './badges';
import { Boundary } from './boundary';
import { CellsTable } from './cells-table';
import { Chart } from './chart';
import { Checks } from './checks';
import { LoadedModels } from './loaded-models';
import { useUi } from './context';
import { GrowthFigures, LengthFigures } from './figures';
import { GrowthTable } from './growth-table';
import { useThrottled } from './hooks';
import { choiceText } from './option-field';
import { formatTime } from './time';
import { isEqual, verdictText } from './verdict-text';
import { WhyResidentJumps } from './why';

/** ms between two redraws of the report while records come in. */
const REDRAW_MS = 200;

export function Report() {
  const { tr, store } = useUi();
  const record = useThrottled(store.record, REDRAW_MS);
  const { experiment } = store.recipe.value;
  const hasNumbers = record !== null && record.cells.length + record.growth.length > 0;
  if (record === null || !hasNumbers || record.recipe.experiment !== experiment) {
    return (
      <section class="report is-empty" aria-label={tr('result.title')}>
        <p class="muted">
          {tr(store.run.value.status === 'running' ? 'result.waiting' : 'result.empty')}{' '}
          {hasNumbers && record.recipe.experiment !== experiment && (
            <>
              {tr('result.otherView', { view: tr(`nav.${record.recipe.experiment}`) })}{' '}
              <button
                type="button"
                class="button button-quiet"
                onClick={() => {
                  store.setRecipe(record.recipe);
                }}
              >
                {tr('result.showOther')}
              </button>
            </>
          )}
        </p>
      </section>
    );
  }
  return (
    <section class="report" aria-label={tr('result.title')}>
      <Boundary retryOn={record}>
        <Filled record={record} />
      </Boundary>
    </section>
  );
}

function Filled({ record }: { record: LabRecord }) {
  const { tr, store } = useUi();
  const length = record.recipe.experiment === 'length';
  const stale = record.status !== 'running' && settingsOf(record.recipe) !== settingsOf(store.recipe.value);
  return (
    <>
      {stale && (
        <p class="message message-warn">
          {tr('result.stale')}{' '}
          <button
            type="button"
            class="button button-quiet"
            onClick={() => {
              store.setRecipe({ ...record.recipe, lang: store.recipe.value.lang });
            }}
          >
            {tr('result.staleRestore')}
          </button>
        </p>
      )}
      <Verdict record={record} />
      <Faults record={record} />
      <div class="report-grid">
        {length ? <LengthFigures record={record} /> : <GrowthFigures record={record} />}
        <div class="charts">
          {length ? (
            <Chart kind="length" record={record} />
          ) : (
            <>
              <Chart kind="growth" record={record} />
              <Chart kind="delta" record={record} />
            </>
          )}
        </div>
      </div>
      <WhyResidentJumps record={record} />
      {length ? <CellsTable record={record} /> : <GrowthTable record={record} />}
      <Checks checks={record.checks} />
      <LoadedModels record={record} />
    </>
  );
}

/** The settings of a recipe as one text; the language is none of them. */
function settingsOf(recipe: Recipe): string {
  return recipeQuery({ ...recipe, lang: null }).toString();
}

/** What cut parts of the run short, except what the run bar says already. */
function Faults({ record }: { record: LabRecord }) {
  const { store, faultSentence } = useUi();
  const { fault } = store.run.value;
  const said = fault === null ? null : faultSentence(fault);
  const sentences = [...new Set(record.faults.map(faultSentence))].filter((sentence) => sentence !== said);
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence} class="message message-error">
          {sentence}
        </p>
      ))}
    </>
  );
}

function Verdict({ record }: { record: LabRecord }) {
  const { tr, int, store, language } = useUi();
  const { experiment, batch, dtype, policy } = record.recipe;
  const data = verdict(record);
  const running = record.status === 'running';
  const sentence = verdictText(data, experiment, { tr, int });
  const failed = record.checks.filter(({ pass }) => !pass);
  const cutShort = record.faults.length > 0;
  const good = isEqual(data, experiment) && failed.length === 0 && !cutShort;
  const backend = record.environment?.backend ?? record.recipe.device;
  const conditions = [
    dtype.map((one) => choiceText(tr, one)).join(' / '),
    `${tr('setting.batch')} ${batch.map(int).join(' / ')}`,
    policy,
    choiceText(tr, backend),
    ...(backend === 'webgpu' ? [record.environment?.allocator ?? record.recipe.allocator] : []),
  ].join(', ');
  return (
    <div class={running ? 'verdict' : good ? 'verdict is-good' : 'verdict is-bad'}>
      <p class="verdict-sentence" data-testid="verdict">
        {!running && (
          <span class="verdict-sign" aria-hidden="true">
            {good ? '✓' : '✗'}
          </span>
        )}
        {running && <span class="muted">{tr('verdict.running')} </span>}
        {sentence}
        {!running &&
          failed.length > 0 &&
          ` ${tr('verdict.checksFailed', {
            failed: failed.length,
            names: [...new Set(failed.map(({ name }) => tr(`check.${name}`)))].join('; '),
          })}`}
        {!running && cutShort && ` ${tr('verdict.cutShort')}`}
      </p>
      <p class="hint">{tr('result.conditions', { conditions })}</p>
      {store.imported.value && (
        <p class="hint">{tr('result.imported', { when: formatTime(record.createdAt, language) })}</p>
      )}
      <RecordBadges record={record} />
    </div>
  );
}
