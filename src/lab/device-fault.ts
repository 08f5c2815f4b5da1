/** Whether the device that was probed can run a recipe. */
import type { Fault } from '../protocol/faults';
import { FLOAT16_DTYPES, type Recipe } from '../protocol/recipe';
import type { GpuProbe } from './environment';

/** Why this device cannot run the recipe at all; null when it can be tried. Never a reason to take another backend. */
export function deviceFault(recipe: Recipe, probe: GpuProbe): Fault | null {
  if (recipe.device !== 'webgpu') return null;
  if (probe.fault !== null) return probe.fault;
  // A serving computes nothing in float16: its rows have as many bytes, and that is all.
  const needsFloat16 =
    !['dtype', 'serving'].includes(recipe.experiment) &&
    recipe.dtype.every((dtype) => FLOAT16_DTYPES.includes(dtype));
  return needsFloat16 && !probe.features.includes('shader-f16')
    ? { code: 'fp16-unsupported', params: {} }
    : null;
}
