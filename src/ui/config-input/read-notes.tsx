/** Where a model came from, what was overlooked to read it, and what its config does not say. */
import type { Assumption } from '../../geometry/geometry';
import { useUi } from '../context';
import type { HandPrefill, InputModel } from './input-model';
import { prefillOf } from './read-model';

export function ReadNotes({
  model,
  onByHand,
}: {
  model: InputModel;
  onByHand: (prefill: HandPrefill | null) => void;
}) {
  const { tr } = useUi<'input'>();
  const { geometry, id, from, source, revision, parameters, weightBytes, repairs } = model;
  // Of numbers by hand, every one is so; the form beside has them.
  const assumed = (geometry.assumed ?? []).filter(({ code }) => code !== 'by-hand');
  const guessed = assumed.some(({ code }) => code === 'unknown-family' || code === 'unread-field');
  const facts = [
    ...(id === null ? [] : [id]),
    tr(`input.from.${from}`),
    ...(revision === undefined ? [] : [tr('input.revision', { revision: revision.slice(0, 7) })]),
    ...(geometry.modelType === model.name ? [] : [`model_type ${geometry.modelType}`]),
    ...(parameters === null ? [] : [tr('input.parameters', { n: parameters })]),
    ...(weightBytes === null
      ? []
      : [tr('input.weights', { n: weightBytes.bytes, source: weightBytes.source })]),
    ...(geometry.maxPositions === null ? [] : [tr('input.maxPositions', { n: geometry.maxPositions })]),
  ];
  return (
    <div class="config-read" data-testid="config-read">
      <p class="hint">
        {facts.join(' · ')}
        {source !== undefined && (
          <>
            {'. '}
            {source.commit === null
              ? tr('input.sourceHere', { path: source.path })
              : tr('input.source', {
                  repository: source.repository,
                  path: source.path,
                  commit: source.commit.slice(0, 12),
                })}
            {source.note !== undefined && ` (${source.note})`}
          </>
        )}
      </p>
      {repairs.length + assumed.length > 0 && (
        <ul class={guessed ? 'config-notes is-guess' : 'config-notes'} data-testid="config-notes">
          {repairs.map((repair) => (
            <li key={repair}>{tr(`input.repair.${repair}`)}</li>
          ))}
          {assumed.map((assumption) => (
            <li key={`${assumption.code} ${assumption.field}`}>
              {tr(`input.assumed.${assumption.code}`, paramsOf(assumption))}
            </li>
          ))}
        </ul>
      )}
      {guessed && (
        <p>
          <button
            type="button"
            class="button"
            onClick={() => {
              onByHand(prefillOf(model.config));
            }}
          >
            {tr('calc.byHand')}
          </button>
        </p>
      )}
    </div>
  );
}

function paramsOf({ field, value }: Assumption): { field: string; value: string | number } {
  return { field, value: typeof value === 'boolean' ? String(value) : value };
}
