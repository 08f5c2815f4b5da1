/** “How this is measured” of the serving experiment, with the recipe's numbers put in. */
import { defaultServing } from '../../protocol/serving';
import { powerAbove } from '../../serving/buddy';
import { reservation } from '../../serving/room';
import { LENGTH_MEANS } from '../../serving/workload';
import { useUi } from '../context';
import { besidePaper } from './numbers';
import { rowBytes } from './settings';
import type { ServingTexts } from './words';

export function ServingHow() {
  const { tr, store, int } = useUi<ServingTexts>();
  const recipe = store.recipe.value;
  const { lengths, requests, pool, longest } = recipe.serving ?? defaultServing();
  const means = LENGTH_MEANS[lengths];
  // A request of about the mean lengths.
  const request = { prompt: Math.round(means.prompt), output: Math.round(means.output) };
  const room = (system: Parameters<typeof reservation>[0]): string =>
    int(powerAbove(reservation(system, request, longest)));
  const { block } = recipe;
  const row = rowBytes(recipe);
  const result = store.record.value?.serving ?? null;
  return (
    <>
      <p>
        {tr('serving.how.requests', {
          requests: int(requests),
          seed: recipe.seed,
          source: lengths === 'sharegpt' ? 'ShareGPT' : 'Alpaca',
          ...means,
          longest: int(longest),
        })}{' '}
        {result !== null &&
          tr('serving.how.drawn', {
            prompt: result.promptMean.toFixed(1),
            output: result.outputMean.toFixed(1),
          })}
      </p>
      <p>
        {tr('serving.how.systems', {
          ...request,
          max: room('reserve-max'),
          pow2: room('reserve-pow2'),
          oracle: room('reserve-oracle'),
          paged: int(Math.ceil((request.prompt + request.output) / block) * block),
          block: int(block),
        })}
      </p>
      <p>{tr('serving.how.preempt')}</p>
      <p class="formula">{tr('serving.how.formula')}</p>
      {row !== null && (
        <p>{tr('serving.how.pool', { tokens: int(pool), row: int(row), bytes: int(pool * row) })}</p>
      )}
      <p>{tr('serving.how.samples')}</p>
      <p>{tr('serving.how.limits')}</p>
      {besidePaper({ serving: recipe.serving }) && <p class="hint">{tr('serving.paper.source')}</p>}
    </>
  );
}
