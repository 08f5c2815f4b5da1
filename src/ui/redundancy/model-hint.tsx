/** Below the models: what random weights can and cannot show, and a way to trained ones. */
import { isActive } from '../../lab/run-state';
import { searchCurated } from '../../model/hub/curated';
import { addOutside } from '../hub/models';
import { useUi } from '../context';
import { useSignal } from '@preact/signals';
import type { RedundancyTexts } from './words';
import { hasRandomWeights } from './random-weights';

/** Of the picker's hub models the article's family, one size down. */
const TRAINED = 'onnx-community/Qwen3.5-0.8B-ONNX';
/** What the preset of the third article measures. */
const ARTICLE_TWIN = 'twin:Qwen/Qwen3.5-2B';

export function ModelHint() {
  const { tr, store, faultSentence } = useUi<RedundancyTexts>();
  const problem = useSignal<string | null>(null);
  const [id = ''] = store.recipe.value.model;
  const trained = searchCurated(TRAINED).find((model) => model.id === TRAINED);
  if (!hasRandomWeights(id)) return null;
  const add = async () => {
    const fault = await addOutside(store, TRAINED);
    problem.value = fault === null ? null : faultSentence(fault);
  };
  return (
    <div class="prose hint" data-testid="random-hint">
      {id === ARTICLE_TWIN && <p>{tr('red.model.article')}</p>}
      <p>
        {tr('red.model.random')}{' '}
        {trained !== undefined && (
          <button
            type="button"
            class="button button-quiet"
            disabled={isActive(store.run.value)}
            onClick={() => void add()}
          >
            {tr('red.model.trained', { name: trained.name })}
          </button>
        )}
      </p>
      {problem.value !== null && (
        <p class="field-error" role="alert">
          {problem.value}
        </p>
      )}
    </div>
  );
}
