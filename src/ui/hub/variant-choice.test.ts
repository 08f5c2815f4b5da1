/** The variant that is taken when a model is added: never fp32 unasked (field report B12), never one that cannot run (A5). */
import { describe, expect, it } from 'vitest';
import type { HubDtype, HubVariant } from '../../model/hub/variants';
import { chooseVariant, largest, variantFault, type Place } from './variant-choice';

const MIB = 2 ** 20;
const GPU: Place = { device: 'webgpu', shaderF16: true };
const OLD_GPU: Place = { device: 'webgpu', shaderF16: false };
const WASM: Place = { device: 'wasm', shaderF16: null };

function variant(dtype: HubDtype, bytes: number | null, missing: string[] = []): HubVariant {
  const path = `onnx/model_${dtype}.onnx`;
  return { dtype, layout: 'model', files: [{ path, bytes }], graphs: [path], bytes, missing };
}

/** Sizes as those of a model of half a billion parameters. */
const ALL = [variant('fp32', 1900 * MIB), variant('fp16', 950 * MIB), variant('q4', 750 * MIB)];
const WITH_Q4F16 = [...ALL, variant('q4f16', 460 * MIB)];

describe('chooseVariant', () => {
  it.each([
    ['fp32 gives way to q4f16 where the GPU has shader-f16', ['fp32'], WITH_Q4F16, GPU, 'q4f16', 'smaller'],
    ['fp32 gives way to q4 where it has not', ['fp32'], WITH_Q4F16, OLD_GPU, 'q4', 'smaller'],
    ['fp32 gives way to q4 on WASM', ['fp32'], WITH_Q4F16, WASM, 'q4', 'smaller'],
    ['a variant that is not there gives way', ['q8'], WITH_Q4F16, GPU, 'q4f16', 'missing'],
    ['so does one that cannot run', ['fp16'], WITH_Q4F16, OLD_GPU, 'q4', 'missing'],
    ['so does bf16', ['bf16'], WITH_Q4F16, WASM, 'q4', 'missing'],
    ['without q4, the smallest', ['q4'], [variant('fp32', 9), variant('q8', 4)], WASM, 'q8', 'missing'],
    ['fp32 when there is nothing else', ['q4'], [variant('fp32', 9)], GPU, 'fp32', 'missing'],
    ['unknown sizes', ['fp32'], [variant('fp32', null), variant('q4', null)], WASM, 'q4', 'smaller'],
  ] as const)('%s', (_, dtypes, variants, place, dtype, why) => {
    expect(chooseVariant(dtypes, variants, place)).toEqual({ dtype, why });
  });

  it('leaves what another model needs and would lose', () => {
    const only = [variant('fp32', 9)];
    expect(chooseVariant(['fp32'], WITH_Q4F16, GPU, [only])).toBeNull();
    expect(chooseVariant(['q4'], only, GPU, [ALL])).toBeNull();
  });

  it('changes what other models can follow, or have not anyway', () => {
    const only = [variant('fp32', 9)];
    expect(chooseVariant(['fp32'], ALL, WASM, [ALL])?.dtype).toBe('q4');
    expect(chooseVariant(['q8'], ALL, WASM, [only])?.dtype).toBe('q4');
  });

  it.each([
    ['a variant that is there and not fp32', ['fp16'], WITH_Q4F16, GPU],
    ['fp32 when it is all there is', ['fp32'], [variant('fp32', 1)], WASM],
    ['fp32 when the others are larger', ['fp32'], [variant('fp32', 1), variant('q4', 2)], WASM],
    ['several dtypes of which one runs', ['fp32', 'bf16', 'q8'], ALL, GPU],
    ['a model of which nothing runs', ['fp32'], [variant('fp32', 1, ['onnx/model.onnx_data'])], GPU],
    ['fp32 when q4 lacks a file', ['fp32'], [variant('fp32', 9), variant('q4', 1, ['x'])], WASM],
  ] as const)('leaves %s', (_, dtypes, variants, place) => {
    expect(chooseVariant(dtypes, variants, place)).toBeNull();
  });
});

describe('variantFault', () => {
  it('names a missing file', () => {
    const fault = variantFault(variant('q4', 1, ['onnx/model_q4.onnx_data']), GPU, 'lab/x');
    expect(fault).toEqual({
      code: 'hub-file-missing',
      params: { file: 'onnx/model_q4.onnx_data', where: 'lab/x' },
    });
  });

  it.each(['fp16', 'q4f16', 'q2f16', 'q1f16'] as const)('%s needs shader-f16 on WebGPU', (dtype) => {
    expect(variantFault(variant(dtype, 1), OLD_GPU, '')?.code).toBe('fp16-unsupported');
    expect(variantFault(variant(dtype, 1), GPU, '')).toBeNull();
    expect(variantFault(variant(dtype, 1), WASM, '')).toBeNull();
  });

  it('refuses a graph of more than 2 GiB less a byte', () => {
    expect(variantFault(variant('fp32', 2 ** 31), GPU, '')?.code).toBe('model-file-too-large');
    expect(variantFault(variant('fp32', 2 ** 31 - 1), GPU, '')).toBeNull();
  });
});

describe('largest', () => {
  it('is the one with the most bytes', () => {
    expect(largest(WITH_Q4F16)?.dtype).toBe('fp32');
  });

  it('is none of one, or of unknown sizes', () => {
    expect(largest([variant('fp32', 1)])).toBeNull();
    expect(largest([variant('fp32', null), variant('q4', 1)])).toBeNull();
  });
});
