/** Models of which only some layers were measured: how many, and what the formula gives for all of them, apart from what was measured. */
import type { LabRecord } from '../../protocol/record';
import { scaledLayers, scaledModels, type ScaledModel } from '../../record/scaled';
import { TwinBadges } from '../badges';
import { useUi } from '../context';
import { modelName } from '../model-name';
import { choiceText } from '../option-field';
import { ScrollTable } from '../table';

export function ScaledTable({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  const models = scaledModels(record);
  if (models.length === 0) return null;
  return (
    <section aria-label={tr('scaled.title')}>
      <h3>{tr('scaled.title')}</h3>
      {models.map((model) => (
        <Scaled key={`${model.model} ${model.dtype}`} model={model} />
      ))}
      <p class="hint">{tr('scaled.hint')}</p>
    </section>
  );
}

/** How many layers of each such model are measured, as badges; stands while a run goes on, before its first number as well. */
export function ScaledBadges({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  const models = scaledLayers(record);
  if (models.length === 0) return null;
  return (
    <ul class="badge-list" data-testid="scaled-badges">
      {models.map(({ model, measured, of }) => (
        <li key={model}>
          <span class="badge">{tr('scaled.badge', { measured, of })}</span>{' '}
          <span class="muted">
            {modelName(model, tr)}: {tr('scaled.badgeWhy')}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Scaled({ model: { model, dtype, layersMeasured, layersOf, whole } }: { model: ScaledModel }) {
  const { tr, int, size } = useUi<'report'>();
  const said = tr('scaled.layers', { measured: layersMeasured, of: layersOf });
  return (
    <>
      <p data-testid="scaled">
        {modelName(model, tr)} · {choiceText(tr, dtype)} <TwinBadges model={model} /> <strong>{said}</strong>
      </p>
      {whole.length > 0 && (
        <ScrollTable
          caption={`${modelName(model, tr)}: ${tr('scaled.title')}`}
          hideCaption
          testId="scaled-table"
          head={[
            tr('points.batch'),
            tr('table.tokens'),
            tr('scaled.bytes', { of: layersOf }),
            tr('scaled.about'),
          ]}
        >
          {whole.map(({ batch, tokens, formulaBytes }) => (
            <tr key={`${String(batch)} ${String(tokens)}`}>
              <td>{int(batch)}</td>
              <td>{int(tokens)}</td>
              <td>{int(formulaBytes)}</td>
              <td>{size(formulaBytes)}</td>
            </tr>
          ))}
        </ScrollTable>
      )}
    </>
  );
}
