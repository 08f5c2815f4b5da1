/** The report of a run: verdict, figures, chart, tables, checks. It fills itself in while the run goes on. */
import { recipeQuery } from '../protocol/options';
import type { Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { RecordBadges } from './badges';
import { CellsTable } from './cells-table';
import { Checks } from './checks';
import { useUi } from './context';
import { LoadedModels } from './loaded-models';
import { modelName } from './model-name';
import { choiceText } from './option-field';
import { BatchReport } from './reports/batch';
import { DtypeReport } from './reports/dtype';
import { GqaReport } from './reports/gqa';
import { GrowthReport, LengthReport } from './reports/length-growth';
import { ScaledBadges, ScaledTable } from './reports/scaled';
import { formatTime } from './time';
import { recordVerdict } from './verdict-text';

export function ReportBody({ record }: { record: LabRecord }) {
  const { tr, store } = useUi<'report'>();
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
      <Experiment record={record} />
      <ScaledTable record={record} />
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
  const { store, faultSentence } = useUi<'report'>();
  const { fault, status } = store.run.value;
  // Of a run that is done the run bar says nothing.
  const said = fault === null || status === 'done' || status === 'idle' ? null : faultSentence(fault);
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

/** Figures, charts and tables of the record's experiment. */
function Experiment({ record }: { record: LabRecord }) {
  switch (record.recipe.experiment) {
    case 'length':
      return <LengthReport record={record} />;
    case 'growth':
      return <GrowthReport record={record} />;
    case 'dtype':
      return <DtypeReport record={record} />;
    case 'batch':
      return <BatchReport record={record} />;
    case 'gqa':
      return <GqaReport record={record} />;
    case 'weights':
      // The comparison itself stands above, also before a run.
      return <CellsTable record={record} />;
    // The planner measures nothing and is a view of its own.
    case 'capacity':
    case 'redundancy':
      return null;
  }
}

function Verdict({ record }: { record: LabRecord }) {
  const { tr, int, store, language } = useUi<'report'>();
  const { batch, dtype, policy } = record.recipe;
  const running = record.status === 'running';
  const { sentence, equal } = recordVerdict(record, { tr, int });
  const failed = record.checks.filter(({ pass }) => !pass);
  const cutShort = record.faults.length > 0;
  const good = equal && failed.length === 0 && !cutShort;
  const backend = record.environment?.backend ?? record.recipe.device;
  const backends = [...new Set([backend, ...record.cells.map(({ device }) => device)])];
  const conditions = [
    dtype.length === 1 ? choiceText(tr, dtype[0] ?? '') : dtype.join(' / '),
    `${tr('setting.batch')} ${batch.map(int).join(' / ')}`,
    policy,
    backends.map((one) => choiceText(tr, one)).join(' / '),
    ...(backend === 'webgpu' ? [record.environment?.allocator ?? record.recipe.allocator] : []),
  ].join(', ');
  // With the model's name where there are several: one may fail beside others that are equal to the byte.
  const several = new Set(record.recipe.model).size > 1;
  const failedNames = [
    ...new Set(
      failed.map(({ name, model }) =>
        several && model !== null ? `${tr(`check.${name}`)} (${modelName(model, tr)})` : tr(`check.${name}`),
      ),
    ),
  ].join('; ');
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
            names: failedNames,
          })}`}
        {!running && cutShort && ` ${tr('verdict.cutShort')}`}
      </p>
      <p class="hint">{tr('result.conditions', { conditions })}</p>
      {store.imported.value && (
        <p class="hint">{tr('result.imported', { when: formatTime(record.createdAt, language) })}</p>
      )}
      <RecordBadges record={record} />
      <ScaledBadges record={record} />
    </div>
  );
}
