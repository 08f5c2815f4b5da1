/** “How this is measured” of the experiment policies, with the recipe's numbers put in. */
import { bytesPerToken } from '../../geometry/bytes';
import { quantisedGeometry } from '../../geometry/quantised';
import { findModel } from '../../model/catalog';
import { defaultPolicies } from '../../protocol/policies';
import { DTYPE_BYTES, type Recipe } from '../../protocol/recipe';
import { useUi } from '../context';
import { HowBody } from '../how-body';
import type { PoliciesTexts } from './words';

/** Bytes of the scale in each row, by backend: WASM keeps its scales beside the cache. */
const SCALE_BYTES = { webgpu: 4, wasm: 0 };

export function PoliciesHow() {
  const { tr, store, int } = useUi<PoliciesTexts>();
  const recipe = store.recipe.value;
  const { policies, allocators } = recipe.policies ?? defaultPolicies();
  const wasm = recipe.device === 'wasm';
  const [block, tokens] = [recipe.block, recipe.tokens.at(-1) ?? 1];
  const blocks = Math.ceil(tokens / block);
  return (
    <>
      <p>
        {tr('policies.how.runs', {
          policies: policies.length,
          modes: wasm ? 1 : allocators.length,
          tokens: recipe.tokens.map(int).join(', '),
          steps: int(recipe.steps),
        })}{' '}
        {wasm && tr('policies.how.wasm')}
      </p>
      {policies.includes('quantised') && <QuantisedFormula recipe={recipe} />}
      {policies.includes('paged') && (
        <p>
          {tr('policies.how.paged', {
            ...{ block: int(block), tokens: int(tokens), blocks: int(blocks) },
            lost: int(blocks * block - tokens),
          })}
        </p>
      )}
      <p>{tr('policies.how.time')}</p>
      <p>{tr('policies.how.copied')}</p>
      <p>{tr('policies.how.peak')}</p>
      <HowBody />
    </>
  );
}

/** The formula of quantised rows with the model's numbers, where they are known before it is loaded. */
function QuantisedFormula({ recipe }: { recipe: Recipe }) {
  const { tr, int } = useUi<PoliciesTexts>();
  const [id = '', dtype] = [recipe.model[0], recipe.dtype[0] ?? 'fp32'];
  const geometry = findModel(id)?.geometry;
  if (geometry === undefined) return null;
  const { layers, kvHeads, headDim } = geometry;
  const bits = recipe.bits === '8' ? 8 : 4;
  const rows = { bits, scaleBytes: SCALE_BYTES[recipe.device] } as const;
  const elementBytes = DTYPE_BYTES[dtype];
  return (
    <>
      <p class="formula">
        {tr('policies.how.formula', { perToken: int(bytesPerToken(geometry, elementBytes)) })}
        <br />
        {tr(`policies.how.quantised.${recipe.device}`, {
          ...{ rows: int(layers * kvHeads * 2), headDim, bits },
          perToken: int(bytesPerToken(quantisedGeometry(geometry, rows), elementBytes)),
        })}
      </p>
      <p>{tr('policies.how.rows', { layers, kvHeads })}</p>
    </>
  );
}
