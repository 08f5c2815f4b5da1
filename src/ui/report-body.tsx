/** The report of a run: verdict, figures, chart, tables, checks. It fills itself in while the run goes on. */
import { recipeQuery } from '../protocol/options';
import type { Experiment, Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { CellsTable } from './cells-table';
import { Checks } from './checks';
import { useUi } from './context';
import { LoadedModels } from './loaded-models';
import { BatchReport } from './reports/batch';
import { DtypeReport } from './reports/dtype';
import { GqaReport } from './reports/gqa';
import { GrowthReport, LengthReport } from './reports/length-growth';
import { lazyPart } from './lazy-part';
import { ScaledTable } from './reports/scaled';
import { untoldFaults } from './untold-faults';
import { Verdict } from './verdict';
import { recordVerdict } from './verdict-text';

const Redundancy = lazyPart<{ record: LabRecord }>(
  async () => (await import('./redundancy/report')).RedundancyReport,
  'redundancy',
  'architecture',
);

const Policies = lazyPart<{ record: LabRecord }>(
  async () => (await import('./policies/report')).PoliciesReport,
  'policies',
);
const Serving = lazyPart<{ record: LabRecord }>(
  async () => (await import('./serving/report')).ServingReport,
  'serving',
);

/** Experiments whose report begins with a verdict of its own. */
const OWN_VERDICT: readonly Experiment[] = ['redundancy', 'policies', 'serving'];

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
      {!OWN_VERDICT.includes(record.recipe.experiment) && <MeasuredVerdict record={record} />}
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
  const sentences = [...new Set(untoldFaults(record).map(faultSentence))].filter(
    (sentence) => sentence !== said,
  );
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
      return null;
    case 'redundancy':
      return <Redundancy record={record} waiting={<p class="muted">…</p>} />;
    case 'policies':
      return <Policies record={record} waiting={<p class="muted">…</p>} />;
    case 'serving':
      return <Serving record={record} waiting={<p class="muted">…</p>} />;
  }
}

/** The verdict of an experiment whose numbers are bytes: how many are the formula's. */
function MeasuredVerdict({ record }: { record: LabRecord }) {
  const { tr, int } = useUi<'report'>();
  const { sentence, equal } = recordVerdict(record, { tr, int });
  return <Verdict record={record} sentences={[sentence]} good={equal} />;
}
