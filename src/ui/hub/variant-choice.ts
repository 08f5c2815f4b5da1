/** Which variant of the weights a model runs in: what can run here, what is large, and what is taken when it is added. */
import { sizeFault } from '../../model/hub/size-limit';
import type { HubDtype, HubVariant } from '../../model/hub/variants';
import type { Fault } from '../../protocol/faults';
import { FLOAT16_DTYPES, type Device, type Dtype } from '../../protocol/recipe';

/** Where the weights would run. */
export interface Place {
  device: Device;
  /** Whether the adapter has shader-f16; null where there is none to ask. */
  shaderF16: boolean | null;
}

/** Bytes from which a variant is called large: it takes minutes to fetch, and twice that in memory while it loads. */
export const LARGE_BYTES = 2 ** 30;

/** Why a variant cannot run here; null when it can be tried. @param where the model's name, for the sentence. */
export function variantFault(variant: HubVariant, place: Place, where: string): Fault | null {
  const [file] = variant.missing;
  if (file !== undefined) return { code: 'hub-file-missing', params: { file, where } };
  if (place.device === 'webgpu' && place.shaderF16 === false && FLOAT16_DTYPES.includes(variant.dtype)) {
    return { code: 'fp16-unsupported', params: {} };
  }
  return sizeFault(variant.files);
}

/** The variant with the most bytes; null when there is only one, or sizes are unknown. */
export function largest(variants: readonly HubVariant[]): HubVariant | null {
  const sized = variants.filter(({ bytes }) => bytes !== null);
  if (sized.length < 2) return null;
  return sized.reduce((most, one) => ((one.bytes ?? 0) > (most.bytes ?? 0) ? one : most));
}

export interface Choice {
  dtype: HubDtype;
  /** `missing`: the model has not the recipe's variant, or it cannot run here. `smaller`: it has a smaller one than fp32. */
  why: 'missing' | 'smaller';
}

/**
 * What a model that is added needs the recipe's dtype to become; null when it stays. A variant that does not exist, and fp32
 * where there is something smaller, give way to q4f16 (WebGPU with shader-f16), else q4, else the smallest that runs.
 * Several dtypes were chosen on purpose: they stay as long as one of them runs. So do those that another model needs.
 * @param others the variants of the other chosen models from outside.
 */
export function chooseVariant(
  dtypes: readonly Dtype[],
  variants: readonly HubVariant[],
  place: Place,
  others: readonly (readonly HubVariant[])[] = [],
): Choice | null {
  const usable = runnable(variants, place);
  const better = preferred(usable, place);
  if (better === null || others.some((other) => isStranded(other))) return null;
  const has = usable.filter(({ dtype }) => dtypes.includes(dtype));
  if (has.length === 0) return { dtype: better.dtype, why: 'missing' };
  if (dtypes.length > 1) return null;
  const full = has.find(({ dtype }) => dtype === 'fp32');
  if (full === undefined) return null;
  const smaller = better.bytes === null || full.bytes === null || better.bytes < full.bytes;
  return better !== full && smaller ? { dtype: better.dtype, why: 'smaller' } : null;

  /** Whether another model runs as chosen, and would not in the better variant, or as fp32 that nobody asked for. */
  function isStranded(other: readonly HubVariant[]): boolean {
    const theirs = runnable(other, place).map(({ dtype }) => dtype);
    const keeps = better?.dtype !== 'fp32' && theirs.some((dtype) => dtype === better?.dtype);
    return !keeps && theirs.some((dtype) => dtypes.includes(dtype));
  }
}

function runnable(variants: readonly HubVariant[], place: Place): HubVariant[] {
  return variants.filter((variant) => variantFault(variant, place, '') === null);
}

function preferred(usable: readonly HubVariant[], { device, shaderF16 }: Place): HubVariant | null {
  const wish: HubDtype[] = device === 'webgpu' && shaderF16 === true ? ['q4f16', 'q4'] : ['q4'];
  const wished = wish.flatMap((dtype) => usable.find((variant) => variant.dtype === dtype) ?? []);
  const bySize = [...usable].sort((a, b) => (a.bytes ?? Infinity) - (b.bytes ?? Infinity));
  return wished[0] ?? bySize[0] ?? null;
}
