/** Measure this config: builds its twin, runs it, and leads to the report. */
import { underGraphRule } from '../../geometry/engines/graph';
import type { Geometry } from '../../geometry/geometry';
import { measureConfig } from '../../lab/config-models';
import { isActive } from '../../lab/run-state';
import { cacheParts } from '../../model/cache-parts';
import { toFault, type Fault } from '../../protocol/faults';
import type { InputModel } from '../config-input/config-input';
import { useUi } from '../context';

export function Measure({ model }: { model: InputModel }) {
  const { tr, store, announce, faultSentence } = useUi<'architecture'>();
  const { device, tokens, experiment } = store.recipe.value;
  const busy = isActive(store.run.value);
  if (model.from === 'hand') return <p class="hint">{tr('arch.measureHand')}</p>;
  const fault = twinFault(model.geometry);
  if (fault !== null)
    return (
      <p class="hint" data-testid="measure-refused">
        {faultSentence(fault)}
      </p>
    );
  const measure = () => {
    if (experiment !== 'length') store.setRecipe({ experiment: 'length' });
    if (model.from === 'catalogue' && model.id !== null) {
      store.setRecipe({ model: [`twin:${model.id}`] });
      void store.start();
    } else {
      void measureConfig(store, model.config, model.name);
    }
    announce(tr('arch.measured'));
    const target = document.getElementById('experiment');
    target?.scrollIntoView();
    target?.focus({ preventScroll: true });
  };
  return (
    <div class="architecture-measure">
      <button type="button" class="button" data-testid="measure-config" disabled={busy} onClick={measure}>
        {tr('arch.measure')}
      </button>
      <p class="hint">
        {busy
          ? tr('arch.measureBusy')
          : tr('arch.measureHint', { device: tr(`choice.${device}`), tokens: tokens.join(', ') })}
      </p>
    </div>
  );
}

/** Why no twin of the model can be built; null where one can. */
export function twinFault(geometry: Geometry): Fault | null {
  try {
    cacheParts(underGraphRule(geometry));
    return null;
  } catch (error) {
    return toFault(error, 'twin-not-built', { model: geometry.modelType, what: '' });
  }
}
