/** Opening models: decoders of our own builder under configs that are right, foreign, incomplete or lying. */
import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { describeFault, LabError, toFault } from '../../protocol/faults';
import { attentionParts } from '../cache-parts';
import { buildDecoder, type DecoderShape } from '../decoder-graph';
import { openSource, readConfig, type SourceRequest } from './open-source';

const SHAPE: DecoderShape = {
  parts: attentionParts(2, 2, 32),
  attentionHeads: 4,
  hiddenSize: 64,
  intermediateSize: 0,
  vocabSize: 256,
  positions: 1024,
};
const CONFIG = {
  model_type: 'llama',
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 32,
  hidden_size: 64,
  vocab_size: 300,
};
const GRAPH = new Uint8Array(buildDecoder(SHAPE, 'fp32', 0));

/** The decoder after a change to its protobuf. */
function changed(change: (graph: onnx.IGraphProto) => void): Blob {
  const model = onnx.ModelProto.decode(GRAPH);
  if (!model.graph) throw new Error('the decoder has a graph');
  change(model.graph);
  return new Blob([new Uint8Array(onnx.ModelProto.encode(model).finish())]);
}

/** The decoder with its first weights in another file. */
function external(location: string): Blob {
  return changed(({ initializer }) => {
    const [tensor] = initializer ?? [];
    if (!tensor) throw new Error('the decoder has weights');
    tensor.dataLocation = onnx.TensorProto.DataLocation.EXTERNAL;
    tensor.externalData = [{ key: 'location', value: location }];
  });
}

function ask(files: Record<string, Blob>, changes: Partial<SourceRequest> = {}): SourceRequest {
  return {
    id: 'a/b',
    name: 'B',
    kind: 'hub',
    revision: 'c0ffee',
    dtype: 'fp32',
    files: new Map(Object.entries({ 'config.json': new Blob(['{}']), ...files })),
    parameters: null,
    config: CONFIG,
    ...changes,
  };
}

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error('nothing was thrown');
  return toFault(error, 'run-failed');
}

const model = { 'onnx/model.onnx': new Blob([GRAPH]) };

describe('a model whose config is read', () => {
  it('has the config’s geometry and what the graph adds', async () => {
    const source = await openSource(
      ask({ ...model, 'README.md': new Blob(['x']), 'tokenizer.json': new Blob(['{}']) }),
    );
    expect(source).toMatchObject({
      id: 'a/b',
      name: 'B',
      kind: 'hub',
      revision: 'c0ffee',
      dtype: 'fp32',
      weightBytes: GRAPH.length,
      geometryFrom: 'config',
      cacheType: 'float32',
      vocabSize: 300,
      keepsLogits: true,
      chunksBatches: false,
      notes: [],
    });
    expect(source.geometry).toMatchObject({ modelType: 'llama', layers: 2, kvHeads: 2, headDim: 32 });
    expect([...source.files.keys()]).toEqual(['config.json', 'onnx/model.onnx', 'tokenizer.json']);
  });

  // By hand: embedding and head 2 x 256 x 64; two layers of q 64 x 128, k and v 64 x 64, o 128 x 64, norm 64; norm 64;
  // rotary table 2 x 1024 x 16.
  it.each([
    [null, 114_880],
    [99, 99],
  ])('with %j parameters by the hub has %i', async (parameters, expected) => {
    expect((await openSource(ask(model, { parameters }))).parameters).toBe(expected);
  });

  it('reads the cache’s type from the graph and not from the dtype', async () => {
    const q4f16 = new Blob([new Uint8Array(buildDecoder(SHAPE, 'q4f16', 0))]);
    const source = await openSource(ask({ 'onnx/model_q4.onnx': q4f16 }, { dtype: 'q4' }));
    expect(source).toMatchObject({ cacheType: 'float16', parameters: null });
  });

  it('is not corrected by the graph when it lies', async () => {
    const source = await openSource(ask(model, { config: { ...CONFIG, num_hidden_layers: 3 } }));
    expect(source.geometryFrom).toBe('config');
    expect(source.geometry.layers).toBe(3);
  });

  it('tells graphs without num_logits_to_keep and without GroupQueryAttention', async () => {
    const other = changed((graph) => {
      graph.input = graph.input?.filter(({ name }) => name !== 'num_logits_to_keep') ?? [];
      for (const node of graph.node ?? []) if (node.opType === 'GroupQueryAttention') node.opType = 'Softmax';
    });
    const source = await openSource(ask({ 'onnx/model.onnx': other }));
    expect(source).toMatchObject({ keepsLogits: false, chunksBatches: true });
  });
});

describe('a config that does not tell', () => {
  it.each([
    [
      { ...CONFIG, model_type: 'my_new_arch' },
      'This version does not read the cache of model_type “my_new_arch” from config.json; the geometry is read from the graph’s cache inputs, so it cannot be wrong about the graph.',
    ],
    [
      { vocab_size: 5 },
      'config.json lacks “num_hidden_layers”, “num_attention_heads”, “hidden_size”; the geometry is read from the graph’s cache inputs, so it cannot be wrong about the graph.',
    ],
  ])('%j gives way to the graph, with a note', async (config, note) => {
    const source = await openSource(ask(model, { config }));
    expect(source.geometryFrom).toBe('graph');
    expect(source.geometry).toMatchObject({ layers: 2, kvHeads: 2, headDim: 32 });
    expect(source.notes).toEqual([note]);
  });

  it('gets the layer types that transformers.js needs, with a note', async () => {
    const source = await openSource(ask(model, { config: { ...CONFIG, model_type: 'lfm2' } }));
    expect(source.notes).toContain(
      'config.json lacks layer_types, which transformers.js needs; they were read from the graph.',
    );
    const served: unknown = JSON.parse((await source.files.get('config.json')?.text()) ?? '');
    expect(served).toMatchObject({ model_type: 'lfm2', layer_types: ['full_attention', 'full_attention'] });
  });

  it('is a fault when it is impossible', async () => {
    const config = { ...CONFIG, num_hidden_layers: -1 };
    expect(await faultOf(openSource(ask(model, { config })))).toMatchObject({ code: 'config-bad-field' });
    expect(await faultOf(openSource(ask(model, { config: [] })))).toMatchObject({
      code: 'config-not-object',
    });
  });

  it.each([
    [{ ...CONFIG, vocab_size: undefined, text_config: { ...CONFIG, vocab_size: 77 } }, 77],
    [{ ...CONFIG, vocab_size: undefined }, 256],
    [{ ...CONFIG, vocab_size: '300' }, 256],
  ])('vocabulary of %j: %i', async (config, expected) => {
    expect((await openSource(ask(model, { config }))).vocabSize).toBe(expected);
  });
});

describe('files', () => {
  it('names external data that the graph refers to and that is not there', async () => {
    const fault = await faultOf(openSource(ask({ 'onnx/model.onnx': external('model.onnx_data') })));
    expect(fault).toEqual({
      code: 'hub-file-missing',
      params: { file: 'onnx/model.onnx_data', where: 'a/b' },
    });
  });

  it('counts external data as weights', async () => {
    const graph = external('model.onnx_data');
    const source = await openSource(
      ask({ 'onnx/model.onnx': graph, 'onnx/model.onnx_data': new Blob(['12']) }),
    );
    expect(source.weightBytes).toBe(graph.size + 2);
    expect([...source.files.keys()]).toContain('onnx/model.onnx_data');
  });

  it('reads the decoder of a pair, and the external data of both', async () => {
    const pair = {
      'onnx/embed_tokens.onnx': external('x'),
      'onnx/decoder_model_merged.onnx': new Blob([GRAPH]),
    };
    expect(await faultOf(openSource(ask(pair)))).toMatchObject({ params: { file: 'onnx/x' } });
    const embed = changed((graph) => {
      graph.input = graph.input?.slice(0, 1) ?? [];
    });
    const source = await openSource(ask({ ...pair, 'onnx/embed_tokens.onnx': embed }));
    expect(source).toMatchObject({ cacheType: 'float32', weightBytes: embed.size + GRAPH.length });
  });

  it.each([
    [{}, 'hub-no-onnx'],
    [{ 'onnx/model_q4.onnx': new Blob([GRAPH]) }, 'hub-dtype-missing'],
    [{ 'onnx/model.onnx': new Blob([GRAPH.slice(0, 1000)]) }, 'model-corrupt'],
    [
      {
        'onnx/model.onnx': changed((graph) => {
          graph.input = graph.input?.filter(({ name }) => !name?.startsWith('past')) ?? [];
        }),
      },
      'model-no-cache',
    ],
  ])('%j is %s', async (files, code) => {
    expect(await faultOf(openSource(ask(files)))).toMatchObject({ code });
  });

  it('refuses what cannot be loaded before it reads it', async () => {
    const huge = { size: 2 ** 31, slice: () => Promise.reject(new Error('was read')) } as unknown as Blob;
    const request = ask(
      {},
      {
        files: new Map([
          ['config.json', new Blob()],
          ['onnx/model.onnx', huge],
        ]),
      },
    );
    expect(await faultOf(openSource(request))).toMatchObject({ code: 'model-file-too-large' });
  });
});

describe('config.json', () => {
  it('is parsed, also with a byte order mark', async () => {
    expect(await readConfig(new Map([['config.json', new Blob(['\uFEFF{"a":1}'])]]), 'a/b')).toEqual({
      a: 1,
    });
  });

  it('is a fault when it is missing or not JSON', async () => {
    expect(await faultOf(readConfig(new Map(), 'local:m'))).toEqual({
      code: 'hub-file-missing',
      params: { file: 'config.json', where: 'local:m' },
    });
    const error: unknown = await readConfig(new Map([['config.json', new Blob(['<html>'])]]), 'm').catch(
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof LabError)) throw new Error('nothing was thrown');
    expect(describeFault(error.fault)).toMatch(/^This is not JSON: /);
  });
});
