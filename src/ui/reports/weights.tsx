/** Weights against cache: a table, a chart a model in which the lines cross, and who owns the memory where. No run is needed. */
import { DTYPE_BYTES } from '../../protocol/recipe';
import type { LabRecord } from '../../protocol/record';
import { Chart } from '../chart';
import { useUi } from '../context';
import { weightsParts } from '../experiment-verdicts';
import { modelName } from '../model-name';
import { choiceText } from '../option-field';
import { ScrollTable } from '../table';
import { weightsPictures } from '../weights-pictures';
import { weightsDtype, weightsRows, type WeightsRow } from '../weights-rows';

/** `record`: a finished or running record of this experiment, whose measured points are drawn on the lines. */
export function WeightsReport({ record }: { record: LabRecord | null }) {
  const { tr, int, store } = useUi<'report'>();
  const recipe = store.recipe.value;
  const rows = weightsRows(recipe, record);
  const dtype = weightsDtype(recipe);
  const pictures = weightsPictures(rows, DTYPE_BYTES[dtype]);
  const owners = weightsParts(rows, { tr, int });
  return (
    <>
      {owners.length === 0 ? (
        <p class="muted">{tr('weights.none')}</p>
      ) : (
        <ul class="owners" data-testid="weights-verdict">
          {owners.map((sentence) => (
            <li key={sentence}>{sentence}.</li>
          ))}
        </ul>
      )}
      {pictures.length > 0 && (
        <>
          <div class="chart-row">
            {pictures.map(({ id, picture }) => (
              <Chart
                key={id}
                kind="weights"
                input={picture}
                title={modelName(id, tr)}
                table={tr('weights.table')}
              />
            ))}
          </div>
          <p class="hint">{tr('weights.axisHint')}</p>
        </>
      )}
      <section aria-labelledby="weights-title">
        <h3 id="weights-title">{tr('weights.table')}</h3>
        <ScrollTable
          caption={tr('weights.table')}
          hideCaption
          testId="weights-table"
          head={[
            tr('table.model'),
            tr('weights.parameters'),
            tr('weights.column'),
            tr('gqa.perToken'),
            tr('weights.crossTokens'),
            tr('weights.crossRequests'),
          ]}
        >
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ScrollTable>
        <p class="hint">{tr('weights.dtype', { dtype: choiceText(tr, dtype) })}</p>
        <p class="hint">{tr('weights.source')}</p>
        <p class="hint">{tr('weights.rounding')}</p>
        {rows.map(({ id, geometry, crossover }) =>
          geometry?.maxPositions != null &&
          crossover !== null &&
          geometry.maxPositions < crossover.requestTokens ? (
            <p key={id} class="hint">
              {tr('weights.short', { name: modelName(id, tr), maximum: geometry.maxPositions })}
            </p>
          ) : null,
        )}
      </section>
    </>
  );
}

/** Columns after the bytes per token. */
const CROSSING_COLUMNS = 2;

function Row({ row }: { row: WeightsRow }) {
  const { tr, int, language } = useUi<'report'>();
  const { id, geometry, parameters, weightBytes, bytesPerToken, crossover, missing } = row;
  const unknown = tr('many.unknown');
  const maximum = geometry?.maxPositions ?? null;
  const tokens = crossover?.tokens ?? null;
  return (
    <tr data-model={id}>
      <th scope="row" class="text">
        {modelName(id, tr)}
      </th>
      <td class={parameters === null ? 'unmeasured' : undefined}>
        {parameters === null ? unknown : int(parameters)}
      </td>
      <td class={weightBytes === null ? 'unmeasured' : undefined}>
        {weightBytes === null ? unknown : int(weightBytes)}
      </td>
      <td class={bytesPerToken === null ? 'unmeasured' : undefined}>
        {bytesPerToken === null ? unknown : int(bytesPerToken)}
      </td>
      {crossover === null ? (
        <td colSpan={CROSSING_COLUMNS} class="text unmeasured">
          {tr(`weights.${missing ?? 'unknown'}`)}
        </td>
      ) : (
        <>
          <td>
            {tokens === null ? tr('weights.never') : int(Math.round(tokens))}
            {tokens !== null && maximum !== null && tokens > maximum && (
              <span class="below">{tr('weights.beyond', { maximum })}</span>
            )}
          </td>
          <td>{crossover.requests.toLocaleString(language, oneDecimal)}</td>
        </>
      )}
    </tr>
  );
}

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
