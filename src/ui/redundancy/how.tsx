/** How redundancy is measured, with the recipe's numbers put in. */
import { defaultRedundancy, LAMBDAS } from '../../protocol/redundancy';
import { savedBits, savingsOf } from '../../redundancy/savings';
import { useUi } from '../context';
import { places } from './numbers';
import type { RedundancyTexts } from './words';

/** The third article's best R², to show what the bound makes of one. */
const EXAMPLE_R2 = 0.69;

export function RedundancyHow() {
  const { tr, store, int } = useUi<RedundancyTexts>();
  const recipe = store.recipe.value;
  const { documents, skip, keep, split } = recipe.redundancy ?? defaultRedundancy();
  const folds = documents.length;
  const candidates = LAMBDAS.join(', ');
  const result = store.record.value?.redundancy ?? null;
  const savings = result?.savings ?? null;
  return (
    <>
      <p>{tr('red.how.data', { documents: folds, from: skip + 1, to: skip + keep })}</p>
      <p>{tr('red.how.fit', { keep: int(keep) })}</p>
      <p class="formula">{tr('red.how.r2')}</p>
      {split === 'documents' ? (
        <>
          <p>{tr('red.how.lambda', { candidates })}</p>
          <p>
            {tr('red.how.numbers', {
              folds,
              inner: Math.max(0, folds - 1),
              lambdas: LAMBDAS.length,
              fits: int(folds * Math.max(0, folds - 1) * LAMBDAS.length + folds),
            })}
          </p>
        </>
      ) : (
        <p>{tr('red.how.numbersHalves')}</p>
      )}
      <p>{tr('red.how.gram')}</p>
      <p>{tr('red.how.shuffled', { seed: String(recipe.seed) })}</p>
      <p class="formula">
        {tr('red.how.bound', { r2: EXAMPLE_R2, bits: places(savedBits(EXAMPLE_R2) ?? 0, 3) })}
      </p>
      {result !== null && savings !== null && (
        <p class="formula">
          {tr('red.how.bytes', {
            // So many places that the product is the number of bytes.
            bits: places(savings.savedBits, 9),
            elements: int(savings.bytesPerTokenF16 / 2),
            tokens: int(savings.context),
            bytes: int(savingsOf(result.channels, savings.context, savings.savedBits).savedBytes),
          })}
        </p>
      )}
      <p>{tr('red.how.limits')}</p>
    </>
  );
}
