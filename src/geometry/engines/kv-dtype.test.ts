import { describe, expect, it } from 'vitest';
import { KV_DTYPES, kvDtype } from './kv-dtype';

describe('bytes of one head’s vector of 128 elements', () => {
  // vLLM kv_cache_interface.py (scales of 4 B per token and head; nvfp4 d/2 + d/16); ggml-common.h (blocks of 32:
  // 34, 24, 22, 20, 18, 18 B), as golden formulas.md lists them.
  it.each([
    ['fp32', 512],
    ['bf16', 256],
    ['fp16', 256],
    ['fp8', 128],
    ['int8', 132],
    ['int4', 68],
    ['nvfp4', 72],
    ['q8_0', 136],
    ['q5_1', 96],
    ['q5_0', 88],
    ['q4_1', 80],
    ['q4_0', 72],
    ['iq4_nl', 72],
    ['3bit', 48],
    ['0.5bit', 8],
    ['bfloat16', 256],
  ])('%s', (id, bytes) => {
    expect(kvDtype(id).vectorBytes(128)).toBe(bytes);
  });
});

it('takes a whole block for a part of one', () => {
  expect(kvDtype('q8_0').vectorBytes(80)).toBe(102);
});

it('has no scale for a value that is not kept', () => {
  for (const dtype of KV_DTYPES) expect(dtype.vectorBytes(0), dtype.id).toBe(0);
});

it.each(['fp7', '', '0bit', '65bit', '-3bit', '1e3bit', 'toString'])(
  'refuses %j and names what is known',
  (id) => {
    expect(() => kvDtype(id)).toThrow(RangeError);
    expect(() => kvDtype(id)).toThrow(/Known are fp32, bf16, .*iq4_nl/);
  },
);
