/** Layer cache of kind `recurrent`: a state of fixed size in place of keys and values. */
import { noCache, type LayerCache } from '../geometry';

/**
 * The state's elements are the product of its dims, whatever the number of tokens.
 * @param stateDims of one sequence, such as [heads, value dim, key dim].
 * @param elementBytes where the model fixes the state's type (4: float32); the cache's type where undefined.
 */
export function recurrentCache(layer: number, stateDims: number[], elementBytes?: number): LayerCache {
  return {
    ...noCache(layer),
    kind: 'recurrent',
    fixedElements: stateDims.reduce((product, dim) => product * dim, 1),
    stateDims,
    ...(elementBytes === undefined ? {} : { elementBytes }),
  };
}
