/** What is in “How this is measured”: the formula with the models' numbers put in, and what each level of bytes is. */
import { bytesPerToken, formulaBytes } from '../geometry/bytes';
import { findModel } from '../model/catalog';
import { DTYPE_BYTES, type Recipe } from '../protocol/recipe';
import { useUi } from './context';

export function HowBody() {
  const { tr, store, int } = useUi<'report'>();
  const recipe = store.recipe.value;
  const [dtype = 'fp32'] = recipe.dtype;
  const [batch = 1] = recipe.batch;
  const elementBytes = DTYPE_BYTES[dtype];
  const models = recipe.model.map(findModel).filter((model) => model !== null);
  return (
    <>
      <p class="formula">{tr('how.formula')}</p>
      <p>{tr('how.symbols')}</p>
      {models.map(({ id, name, geometry }) => {
        const longest = longestCache(recipe);
        const tokens = Math.min(longest, geometry.maxPositions ?? longest);
        const size = { batch, tokens, elementBytes };
        const { layers, kvHeads, headDim } = geometry;
        const factors = [batch, 2, layers, kvHeads, headDim, tokens, elementBytes].map(int).join(' × ');
        return (
          <div key={id}>
            <p>{tr('how.numbers', { model: name, tokens })}</p>
            <p class="formula">
              {factors} = <strong>{int(formulaBytes(geometry, size))}</strong> {tr('unit.bytes')}
              <span class="muted">
                {' '}
                ({tr('models.bytesPerToken')}: {int(bytesPerToken(geometry, elementBytes))})
              </span>
            </p>
          </div>
        );
      })}
      <p>{tr('how.tensor')}</p>
      <p>{tr('how.resident')}</p>
      {recipe.policy !== 'dynamic' && <p>{tr(`how.${recipe.policy}`)}</p>}
      <p>{tr('how.twin')}</p>
      <p>{tr('how.limits')}</p>
    </>
  );
}

/** Tokens per sequence at the end of a run; a prompt has one token per UTF-8 byte. */
function longestCache({ experiment, tokens, prompt, steps }: Recipe): number {
  if (experiment !== 'growth') return tokens.at(-1) ?? 1;
  const start = prompt === '' ? (tokens[0] ?? 1) : new TextEncoder().encode(prompt).length;
  return start + steps;
}
