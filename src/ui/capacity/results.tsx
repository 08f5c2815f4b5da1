/** The planner's answer: the sentence, the table of models and contexts, the chart, models compared. */
import type { CapacityPicture } from '../../charts/capacity-chart';
import type { CapacityResult, PlannedModel } from '../../protocol/capacity';
import { CopyTable } from '../architecture/copy-table';
import { numberText } from '../architecture/derivation-text';
import type { TableText } from '../architecture/table-text';
import { Chart } from '../chart';
import { useUi } from '../context';
import { Exact } from '../exact';
import { ScrollTable } from '../table';
import { answer, comparisons, countText, gib } from './sentences';
import type { CapacityTexts, CapacityTranslate } from './words';

export function Answer({ result }: { result: CapacityResult }) {
  const { tr } = useUi<CapacityTexts>();
  const lines = answer(result, tr);
  const good = lines.every(({ bad }) => !bad);
  return (
    <section
      aria-label={tr('cap.answer')}
      class={good ? 'verdict is-good' : 'verdict is-bad'}
      data-testid="capacity-answer"
    >
      {lines.map(({ text }) => (
        <p key={text} class="verdict-sentence">
          {text}
        </p>
      ))}
      <p class="hint">{tr('cap.assumes')}</p>
    </section>
  );
}

export function SessionsTable({ result }: { result: CapacityResult }) {
  const { tr } = useUi<CapacityTexts>();
  const { state, models } = result;
  const title = tr('cap.table');
  const head = [
    tr('cap.col.model'),
    tr('cap.col.tokens'),
    tr('cap.col.size'),
    tr('cap.col.bytes'),
    tr('cap.col.sessions'),
    tr(state.sessions === 1 ? 'cap.col.largestOne' : 'cap.col.largest', { sessions: state.sessions }),
  ];
  return (
    <section>
      <h3>{title}</h3>
      <ScrollTable caption={title} hideCaption testId="capacity-table" head={head}>
        {models.map((model) => (
          <ModelRows key={model.id} model={model} gpus={state.gpus} columns={head.length} />
        ))}
      </ScrollTable>
      <p class="hint">{tr('cap.copies.hint')}</p>
      <CopyTable title={title} table={sessionsText(result, head, tr)} />
    </section>
  );
}

function ModelRows({ model, gpus, columns }: { model: PlannedModel; gpus: number; columns: number }) {
  const { tr, int } = useUi<CapacityTexts>();
  if (model.rows.length === 0)
    return (
      <tr data-model={model.id}>
        <th scope="row" class="text">
          {model.name}
        </th>
        <td class="unmeasured" colSpan={columns - 1}>
          {tr('cap.notKnown')}
        </td>
      </tr>
    );
  return (
    <>
      {model.rows.map(({ tokens, sessionBytes, sessions, overMaximum, reason }, at) => (
        <tr key={tokens} data-model={model.id} data-tokens={tokens} class={at === 0 ? 'is-first' : undefined}>
          <th scope="row" class="text">
            {model.name}
          </th>
          <td>
            {int(tokens)}
            {overMaximum && <span class="below">{tr('cap.overMaximum.short')}</span>}
          </td>
          <td>{sessionBytes === null ? '–' : gib(sessionBytes)}</td>
          <td>{sessionBytes === null ? tr('cap.notPossible') : <Exact value={sessionBytes} />}</td>
          <td data-testid="sessions">
            {typeof sessions === 'number' ? (
              <Exact value={sessions} />
            ) : (
              <span title={reason === null ? undefined : tr(reason.code, reason.params)}>
                {sessionBytes === null ? tr('cap.notPossible') : countText(sessions, tr)}
              </span>
            )}
          </td>
          <td>{gpusText(model, at, gpus, tr)}</td>
        </tr>
      ))}
    </>
  );
}

/** The least GPUs that hold the wanted sessions together, and copies of what is planned that do so side by side. */
function gpusText({ gpusNeeded }: PlannedModel, at: number, gpus: number, tr: CapacityTranslate): string {
  const row = gpusNeeded[at];
  if (row === undefined || (row.gpus === null && row.reason?.code === 'capacity-weights-unknown'))
    return tr('cap.notKnown');
  // One copy, or copies that need as many GPUs, say nothing new.
  if (row.copies === null || row.copies === 1 || row.copies * gpus === row.gpus)
    return row.gpus === null ? tr('cap.noGpus') : numberText(row.gpus);
  const copies = tr(gpus === 1 ? 'cap.copies.one' : 'cap.copies', { n: row.copies, gpus });
  if (row.gpus === null) return copies;
  return tr(row.gpus === 1 ? 'cap.together.one' : 'cap.together', { gpus: row.gpus, copies });
}

/** The table as it is copied: numbers as numbers. */
function sessionsText(
  { state, models }: CapacityResult,
  head: readonly string[],
  tr: CapacityTranslate,
): TableText {
  const rows = models.flatMap((model) =>
    model.rows.map(({ tokens, sessionBytes, sessions }, at) => [
      model.name,
      tokens,
      sessionBytes === null ? '–' : sessionBytes / 2 ** 30,
      sessionBytes ?? tr('cap.notPossible'),
      typeof sessions === 'number' ? sessions : countText(sessions, tr),
      gpusText(model, at, state.gpus, tr),
    ]),
  );
  return { head, rows };
}

export function SessionsChart({ result }: { result: CapacityResult }) {
  const { tr } = useUi<CapacityTexts>();
  const input = picture(result);
  if (input.models.length === 0) return null;
  const missing = input.models.length < result.models.length;
  return (
    <>
      <Chart kind="capacity" input={input} table={tr('cap.table')} title={tr('cap.chart')} />
      {missing && <p class="hint">{tr('cap.chart.none')}</p>}
    </>
  );
}

/** Points of sessions that fit; none and no end have no place on the axis, and a model without a point has no line. */
export function picture({ models }: CapacityResult): CapacityPicture {
  const lines = models.map(({ name, rows }) => ({
    name,
    points: rows.flatMap(({ tokens, sessions }) =>
      typeof sessions === 'number' && sessions > 0 ? [{ x: tokens, y: sessions }] : [],
    ),
  }));
  return { models: lines.filter(({ points }) => points.length > 0) };
}

export function Comparisons({ models }: { models: readonly PlannedModel[] }) {
  const { tr } = useUi<CapacityTexts>();
  const sentences = comparisons(models, tr);
  if (sentences.length === 0) return null;
  return (
    <section data-testid="capacity-compare">
      <h3>{tr('cap.compare')}</h3>
      <ul class="plain">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
