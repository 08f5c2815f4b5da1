/** What the experiment `policies` puts beside each other: a pass for every cache policy under every allocator mode. */
import { defaultPolicies } from '../protocol/policies';
import { ALLOCATORS, POLICIES, type Allocator, type Policy, type Recipe } from '../protocol/recipe';

/** How a pass keeps its cache. */
export interface Keeping {
  policy: Policy;
  allocator: Allocator;
}

/**
 * The pairs in the order in which they run, whatever the order in the recipe: by allocator mode, ONNX Runtime's default first and
 * `disabled`, which may destroy buffers in use, last; within a mode the growing cache first. So the pair that all others
 * are held against is there first, and one that loses the device takes nothing from the others.
 * ONNX Runtime's modes are those of its GPU buffers: on WASM the first stands for all.
 */
export function keepingsOf(recipe: Pick<Recipe, 'policies' | 'device'>): Keeping[] {
  const { policies, allocators } = recipe.policies ?? defaultPolicies();
  const modes = ALLOCATORS.filter((allocator) => allocators.includes(allocator));
  return (recipe.device === 'wasm' ? modes.slice(0, 1) : modes).flatMap((allocator) =>
    POLICIES.filter((policy) => policies.includes(policy)).map((policy) => ({ policy, allocator })),
  );
}
