/** Variants of real repositories' file lists, and limits of size. */
import { describe, expect, it } from 'vitest';
import { LabError } from '../../protocol/faults';
import { sizeFault } from './size-limit';
import { isModelFile, variantFor, variantsOf } from './variants';

const SIDE = ['config.json', 'generation_config.json', 'tokenizer.json', 'tokenizer_config.json'];

function files(...paths: string[]): { path: string; bytes: number }[] {
  return paths.map((path, n) => ({ path, bytes: 10 ** n }));
}

function faultOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    if (error instanceof LabError) return error.fault;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('one graph', () => {
  it('finds every dtype by its suffix, most exact first', () => {
    const suffixes = [
      '_q1f16',
      '_q1',
      '_q2f16',
      '_q2',
      '_bnb4',
      '_q4f16',
      '_q4',
      '_uint8',
      '_int8',
      '_quantized',
      '_fp16',
      '',
    ];
    const all = files('config.json', ...suffixes.map((suffix) => `onnx/model${suffix}.onnx`));
    expect(variantsOf(all, {}).map(({ dtype }) => dtype)).toEqual([
      'fp32',
      'fp16',
      'q8',
      'int8',
      'uint8',
      'q4',
      'q4f16',
      'bnb4',
      'q2',
      'q2f16',
      'q1',
      'q1f16',
    ]);
  });

  it('takes its files, external data and what is beside them, and nothing else', () => {
    const all = files(
      ...SIDE,
      'README.md',
      'onnx/model_q4.onnx',
      'onnx/model_q4.onnx_data',
      'onnx/model_q4.onnx_data_1',
      'onnx/model_q4.onnx_data_x',
      'onnx/model_q4f16.onnx',
      'onnx/model_q4f16.onnx_data',
    );
    expect(variantFor(variantsOf(all, {}), 'q4', 'a/b')).toEqual({
      dtype: 'q4',
      layout: 'model',
      files: [
        { path: 'config.json', bytes: 1 },
        { path: 'onnx/model_q4.onnx', bytes: 100_000 },
        { path: 'onnx/model_q4.onnx_data', bytes: 1_000_000 },
        { path: 'onnx/model_q4.onnx_data_1', bytes: 10_000_000 },
        { path: 'generation_config.json', bytes: 10 },
        { path: 'tokenizer.json', bytes: 100 },
        { path: 'tokenizer_config.json', bytes: 1000 },
      ],
      graphs: ['onnx/model_q4.onnx'],
      bytes: 11_101_111,
      missing: [],
    });
  });

  it('has no size when one file has none', () => {
    const all = [...files('config.json'), { path: 'onnx/model.onnx', bytes: null }];
    expect(variantsOf(all, {})[0]?.bytes).toBeNull();
  });

  it('needs config.json', () => {
    expect(faultOf(() => variantFor(variantsOf(files('onnx/model.onnx'), {}), 'fp32', 'a/b'))).toEqual({
      code: 'hub-file-missing',
      params: { file: 'config.json', where: 'a/b' },
    });
  });
});

describe('external data that config.json announces', () => {
  const all = files('config.json', 'onnx/model_q4.onnx', 'onnx/model_q4.onnx_data');

  it.each([
    [true, []],
    [1, []],
    [false, []],
    [2, ['onnx/model_q4.onnx_data_1']],
    [{ 'model_q4.onnx': 2 }, ['onnx/model_q4.onnx_data_1']],
    [{ model: 2 }, ['onnx/model_q4.onnx_data_1']],
    [{ model: 3, 'model_q4.onnx': 1 }, []],
    [{ 'model_fp16.onnx': 2 }, []],
    ['2', []],
  ])('%j lacks %j', (format, missing) => {
    const config = { 'transformers.js_config': { use_external_data_format: format } };
    expect(variantsOf(all, config)[0]?.missing).toEqual(missing);
  });

  it('is a fault that names the file', () => {
    const config = { 'transformers.js_config': { use_external_data_format: 2 } };
    expect(faultOf(() => variantFor(variantsOf(all, config), 'q4', 'a/b'))).toEqual({
      code: 'hub-file-missing',
      params: { file: 'onnx/model_q4.onnx_data_1', where: 'a/b' },
    });
  });
});

describe('embedding and decoder', () => {
  // The list of onnx-community/Qwen3.5-0.8B-ONNX, shortened.
  const all = files(
    'config.json',
    'onnx/decoder_model_merged_q4.onnx',
    'onnx/decoder_model_merged_q4.onnx_data',
    'onnx/embed_tokens_q4.onnx',
    'onnx/embed_tokens_q4.onnx_data',
    'onnx/vision_encoder_q4.onnx',
  );

  it('takes the text part alone, the decoder last', () => {
    const [variant] = variantsOf(all, { architectures: ['Qwen3_5ForConditionalGeneration'] });
    expect(variant).toMatchObject({
      dtype: 'q4',
      layout: 'embed+decoder',
      graphs: ['onnx/embed_tokens_q4.onnx', 'onnx/decoder_model_merged_q4.onnx'],
      missing: [],
    });
    expect(variant?.files.map(({ path }) => path)).toEqual([
      'config.json',
      'onnx/embed_tokens_q4.onnx',
      'onnx/decoder_model_merged_q4.onnx',
      'onnx/embed_tokens_q4.onnx_data',
      'onnx/decoder_model_merged_q4.onnx_data',
    ]);
  });

  it('needs both of the same dtype', () => {
    const half = [...all, { path: 'onnx/decoder_model_merged_fp16.onnx', bytes: 1 }];
    expect(faultOf(() => variantFor(variantsOf(half, {}), 'fp16', 'a/b'))).toMatchObject({
      code: 'hub-file-missing',
      params: { file: 'onnx/embed_tokens_fp16.onnx' },
    });
  });

  it.each([
    ['Qwen3_5ForConditionalGeneration', 'embed+decoder'],
    ['Qwen3_5ForCausalLM', 'model'],
  ])('a repository with both layouts is read as %s says', (architecture, layout) => {
    const both = [...all, { path: 'onnx/model_q4.onnx', bytes: 1 }];
    expect(variantsOf(both, { architectures: [architecture] })[0]?.layout).toBe(layout);
  });
});

describe('repositories that cannot run', () => {
  it('names the dtypes there are', () => {
    const all = files('config.json', 'onnx/model.onnx', 'onnx/model_q4.onnx');
    expect(faultOf(() => variantFor(variantsOf(all, {}), 'q4f16', 'a/b'))).toEqual({
      code: 'hub-dtype-missing',
      params: { dtype: 'q4f16', known: 'fp32, q4', where: 'a/b' },
    });
  });

  it.each([
    [['config.json', 'model.safetensors'], 'hub-no-onnx'],
    [['config.json', 'onnx/vision_model.onnx'], 'hub-no-onnx'],
    [['config.json', 'model.onnx'], 'hub-no-onnx'],
    [['config.json', 'onnx/decoder_model_merged.onnx'], 'hub-no-onnx'],
    [['onnx/encoder_model.onnx', 'onnx/decoder_model_merged.onnx'], 'model-encoder-decoder'],
    [['onnx/encoder_model_q4.onnx', 'onnx/model_q4.onnx'], 'model-encoder-decoder'],
    [
      ['onnx/embed_tokens.onnx', 'onnx/encoder_model.onnx', 'onnx/decoder_model_merged.onnx'],
      'model-encoder-decoder',
    ],
  ])('%j is %s', (paths, code) => {
    expect(faultOf(() => variantsOf(files(...paths), {}))).toMatchObject({ code });
  });
});

it('tells weights from other files', () => {
  expect(
    [
      'onnx/model.onnx',
      'onnx/model.onnx_data',
      'onnx/model.onnx_data_12',
      'tokenizer.json',
      'model.onnx.txt',
    ].map(isModelFile),
  ).toEqual([true, true, true, false, false]);
});

describe('size', () => {
  const GIB = 2 ** 30;

  it.each([
    [[{ path: 'onnx/model.onnx', bytes: 2 * GIB - 1 }], null],
    [
      [{ path: 'onnx/model.onnx', bytes: 2 * GIB }],
      {
        code: 'model-file-too-large',
        params: { file: 'onnx/model.onnx', bytes: 2_147_483_648, limit: 2_147_483_647 },
      },
    ],
    [
      [
        { path: 'onnx/model.onnx', bytes: 1 },
        { path: 'onnx/model.onnx_data', bytes: 3.75 * GIB - 1 },
        { path: 'tokenizer.json', bytes: 100 },
      ],
      null,
    ],
    [
      [
        { path: 'onnx/model.onnx', bytes: 1 },
        { path: 'onnx/model.onnx_data', bytes: 3.75 * GIB },
      ],
      { code: 'model-too-large', params: { bytes: 4_026_531_841, limit: 4_026_531_840 } },
    ],
    [[{ path: 'onnx/model.onnx', bytes: null }], null],
  ])('%j: %j', (list, fault) => {
    expect(sizeFault(list)).toEqual(fault);
  });
});
