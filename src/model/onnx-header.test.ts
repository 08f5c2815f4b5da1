/** The header reader against files of buildDecoder, and against everything that is no ONNX file. */
import { onnx } from 'onnx-proto';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { describe, expect, it } from 'vitest';
import { describeFault, LabError } from '../protocol/faults';
import { attentionParts } from './cache-parts';
import { buildDecoder, type DecoderShape, type WeightDtype } from './decoder-graph';
import { readOnnxHeader } from './onnx-header';

const SHAPE: DecoderShape = {
  parts: attentionParts(2, 2, 32),
  attentionHeads: 4,
  hiddenSize: 64,
  intermediateSize: 0,
  vocabSize: 256,
  positions: 1024,
};
const build = (dtype: WeightDtype = 'fp32'): Uint8Array<ArrayBuffer> =>
  new Uint8Array(buildDecoder(SHAPE, dtype, 0));
const FUZZ_COUNT = 500;
const read = (bytes: Uint8Array<ArrayBuffer> | string) => readOnnxHeader(new Blob([bytes]), 'm.onnx');
const encode = (model: onnx.IModelProto): Uint8Array<ArrayBuffer> =>
  new Uint8Array(onnx.ModelProto.encode({ opsetImport: [{ version: 17 }], ...model }).finish());

/** The detail of the fault that reading must end in. */
async function detailOf(bytes: Uint8Array<ArrayBuffer> | string): Promise<string | number | undefined> {
  const error = await read(bytes).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LabError)) throw new Error(`no LabError: ${String(error)}`);
  expect(error.fault).toMatchObject({ code: 'model-corrupt', params: { file: 'm.onnx' } });
  return error.fault.params['detail'];
}

describe('the header of a decoder', () => {
  it('has inputs, outputs, types and dims as ONNX Runtime says them', async () => {
    const { inputs, outputs, externalFiles } = await read(build());
    expect(inputs.slice(0, 4)).toEqual([
      { name: 'input_ids', type: 'int64', dims: ['batch_size', 'sequence_length'] },
      { name: 'attention_mask', type: 'int64', dims: ['batch_size', 'total_sequence_length'] },
      { name: 'num_logits_to_keep', type: 'int64', dims: [] },
      {
        name: 'past_key_values.0.key',
        type: 'float32',
        dims: ['batch_size', 2, 'past_sequence_length', 32],
      },
    ]);
    expect(inputs).toHaveLength(7);
    expect(outputs.map(({ name }) => name)).toEqual([
      'present.0.key',
      'present.0.value',
      'present.1.key',
      'present.1.value',
      'logits',
    ]);
    expect(outputs[4]).toEqual({ name: 'logits', type: 'float32', dims: ['batch_size', 'kept_length', 256] });
    expect(externalFiles).toEqual([]);
  });

  // Elements by hand: embedding and head 2 x 256 x 64; a layer q 64 x 128, k and v 64 x 64 each, o 128 x 64, norm 64;
  // final norm 64; rotary table 2 x 1024 x 16.
  const ELEMENTS = 2 * 256 * 64 + 2 * (64 * 128 + 2 * 64 * 64 + 128 * 64 + 64) + 64 + 2 * 1024 * 16;
  it.each([
    ['fp32', 'float32', ELEMENTS, 'MatMul'],
    ['fp16', 'float16', ELEMENTS, 'MatMul'],
    ['q4', 'float32', null, 'MatMulNBits'],
    ['q4f16', 'float16', null, 'MatMulNBits'],
    ['q8', 'float32', null, 'MatMulNBits'],
  ] as const)('%s: a cache of %s, %s parameters, %s', async (dtype, type, parameters, op) => {
    const header = await read(build(dtype));
    const cache = header.inputs.filter(({ name }) => name.startsWith('past_key_values.'));
    expect(new Set(cache.map((input) => input.type))).toEqual(new Set([type]));
    expect(header.parameters).toBe(parameters);
    expect(header.ops.has(op)).toBe(true);
    expect(header.ops.has('GroupQueryAttention')).toBe(true);
    expect(header.ops.has(op === 'MatMul' ? 'MatMulNBits' : 'MatMul')).toBe(false);
  });

  it('names external data files once, sorted, and leaves out inputs that are initializers', async () => {
    const model = onnx.ModelProto.decode(build());
    const { EXTERNAL } = onnx.TensorProto.DataLocation;
    const [first, second, third] = model.graph?.initializer ?? [];
    for (const [tensor, location] of [
      [first, 'model.onnx_data_1'],
      [second, './model.onnx_data'],
      [third, 'model.onnx_data'],
    ] as const) {
      Object.assign(tensor ?? {}, {
        rawData: new Uint8Array(0),
        dataLocation: EXTERNAL,
        externalData: [
          { key: 'offset', value: '4096' },
          { key: 'location', value: location },
        ],
      });
    }
    model.graph?.input?.push(onnx.ValueInfoProto.create({ name: first?.name ?? '' }));
    const header = await read(encode(model));
    expect(header.externalFiles).toEqual(['model.onnx_data', 'model.onnx_data_1']);
    expect(header.inputs).toHaveLength(7);
    expect(header.parameters).toBe(ELEMENTS);
  });

  it('finds operators and weights inside branches', async () => {
    const branch = {
      node: [{ opType: 'Tanh' }],
      initializer: [{ name: 'inner', dataType: 1, dims: [3, 5] }],
      output: [{ name: 'x' }],
    };
    const header = await read(
      encode({
        graph: {
          node: [{ opType: 'If', attribute: [{ name: 'then_branch', g: branch }] }],
          output: [{ name: 'y' }],
        },
      }),
    );
    expect([...header.ops]).toEqual(['If', 'Tanh']);
    expect(header.parameters).toBe(15);
    expect(header.outputs).toEqual([{ name: 'y', type: '', dims: [] }]);
  });

  it('passes over weights without reading them: 1.5 GB cost a few kilobytes', async () => {
    const weights = 1_500_000_000;
    const file = hugeFile(weights);
    const header = await readOnnxHeader(file.blob);
    expect(header.parameters).toBe(weights / 4);
    expect(header.outputs).toEqual([{ name: 'logits', type: '', dims: [] }]);
    expect(file.bytesRead()).toBeLessThan(50_000);
  });
});

/** A file with one initializer of so many bytes, of which only the ends exist; counts what is read. */
function hugeFile(weights: number): { blob: Blob; bytesRead: () => number } {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
  const field = (number: number, length: number): number[] => [number * 8 + 2, ...varint(length)];
  // TensorProto: dims (1) = weights / 4, data_type (2) = float, raw_data (9).
  const tensor = [8, ...varint(weights / 4), 16, 1, ...field(9, weights)];
  const initializer = [...field(5, tensor.length + weights), ...tensor];
  // GraphProto.output (12) { name (1): "logits" }, then an empty ModelProto.opset_import (8).
  const output = [...field(12, 8), ...field(1, 6), ...new TextEncoder().encode('logits')];
  const tail = [...output, ...field(8, 0)];
  const head = [8, 8, ...field(7, initializer.length + weights + output.length), ...initializer];
  let read = 0;
  const byteAt = (at: number): number => head[at] ?? tail[at - head.length - weights] ?? 0;
  const file = {
    size: head.length + weights + tail.length,
    slice(start: number, end: number) {
      read += end - start;
      return new Blob([Uint8Array.from({ length: end - start }, (_, i) => byteAt(start + i))]);
    },
  };
  return { blob: file as unknown as Blob, bytesRead: () => read };
}

describe('what is no ONNX file', () => {
  it.each([
    ['an empty file', '', 'it is empty'],
    [
      'a page in its place',
      '<!doctype html>\n<title>404</title>',
      'it is a text that begins with “<!doctype html>”',
    ],
    [
      'a Git LFS pointer',
      'version https://git-lfs.github.com/spec/v1\noid sha256:0',
      'it is a text that begins with “version https://git-lfs.github.com/spec/”',
    ],
    [
      'other JSON',
      '{"error":"Repository not found"}',
      'it is a text that begins with “{"error":"Repository not found"}”',
    ],
    [
      'a number that does not end',
      Uint8Array.from({ length: 12 }, () => 0xff),
      'the number at byte 0 does not end',
    ],
    ['a field number of 0', Uint8Array.of(2, 0), 'byte 0 begins no field'],
    ['a group', Uint8Array.of(8, 8, 0x3b), 'byte 2 begins no field'],
    [
      'a length below zero',
      Uint8Array.of(0x3a, ...new Array<number>(9).fill(0xff), 1),
      'the field at byte 11 is longer than what holds it',
    ],
    [
      'a length of 2^62',
      Uint8Array.of(0x3a, ...new Array<number>(8).fill(0x80), 0x40),
      'it ends after 10 bytes, but at least 4611686018427388000 were announced',
    ],
    ['no graph', Uint8Array.of(8, 8, 0x42, 0), 'it has no graph'],
    ['an empty graph', Uint8Array.of(0x3a, 0, 0x42, 0), 'its graph has no outputs'],
    ['a graph that is a number', Uint8Array.of(0x38, 1), 'a part of it is a number where a message belongs'],
  ])('%s', async (_, bytes, detail) => {
    expect(await detailOf(bytes)).toBe(detail);
  });

  it('says so in a sentence with the name of the file', async () => {
    const error: unknown = await readOnnxHeader(new File([], 'model_q4.onnx')).catch((e: unknown) => e);
    expect(error instanceof LabError && describeFault(error.fault)).toBe(
      'The model file “model_q4.onnx” is no ONNX file, or is damaged: it is empty. Delete its stored copy and load it again.',
    );
  });

  it('a file that was cut off says how much is there and how much was announced', async () => {
    const whole = build();
    // Behind the graph are 25 bytes: the two operator sets.
    const endOfGraph = whole.length - 25;
    const cut = whole.slice(0, 100_000);
    expect(await detailOf(whole.slice(0, endOfGraph))).toBe('it names no operator set');
    expect(await detailOf(cut)).toBe(`it ends after 100000 bytes, but at least ${endOfGraph} were announced`);
  });

  it('external data without a name, or outside the folder', async () => {
    const external = (entries: [string, string][]): Uint8Array<ArrayBuffer> =>
      encode({
        graph: {
          initializer: [
            {
              name: 'w',
              dataLocation: onnx.TensorProto.DataLocation.EXTERNAL,
              externalData: entries.map(([key, value]) => ({ key, value })),
            },
          ],
          output: [{ name: 'y' }],
        },
      });
    expect(await detailOf(external([['offset', '0']]))).toBe(
      'its weights “w” are in another file that it does not name',
    );
    for (const location of ['../secret', 'a/../../b', '/etc/passwd', 'C:\\x', 'https://x.example/w', '']) {
      expect(await detailOf(external([['location', location]]))).toBe(
        `its weights are in “${location}”, which is outside its folder`,
      );
    }
  });

  it('weights that a changed tag makes dims of, without reading them', async () => {
    // GraphProto.initializer (5) { packed dims (1): 300 bytes } and its ModelProto.graph (7).
    const tensor = [0x0a, 0xac, 0x02, ...new Array<number>(300).fill(1)];
    const graph = [0x2a, 0xaf, 0x02, ...tensor];
    expect(await detailOf(Uint8Array.of(0x3a, 0xb2, 0x02, ...graph))).toBe(
      'a list of dimensions in it is too long',
    );
  });

  it('graphs nested without end', async () => {
    let graph: onnx.IGraphProto = { output: [{ name: 'y' }] };
    for (let depth = 0; depth < 200; depth++) {
      graph = { node: [{ opType: 'If', attribute: [{ name: 'g', g: graph }] }], output: [{ name: 'y' }] };
    }
    expect(await detailOf(encode({ graph }))).toBe('its graphs are nested more than 8 deep');
  });

  it('a file that cannot be read', async () => {
    const gone = {
      size: 100,
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error('The file was moved')) }),
    } as unknown as Blob;
    await expect(readOnnxHeader(gone, 'm.onnx')).rejects.toMatchObject({
      fault: { code: 'model-corrupt', params: { detail: 'it cannot be read (The file was moved)' } },
    });
  });

  it('any single changed byte and any cut: a header or a LabError, nothing else', async () => {
    const model = onnx.ModelProto.decode(build('q4'));
    // Without the weights almost every byte decides something.
    for (const tensor of model.graph?.initializer ?? []) tensor.rawData = new Uint8Array(4);
    const whole = encode(model);
    const random = xoroshiro128plus(3);
    let refused = 0;
    for (let i = 0; i < FUZZ_COUNT; i++) {
      const bytes = i % 10 === 0 ? whole.slice(0, uniformInt(random, 0, whole.length - 1)) : whole.slice();
      if (i % 10 !== 0) bytes[uniformInt(random, 0, bytes.length - 1)] = uniformInt(random, 0, 255);
      try {
        await read(bytes);
      } catch (error) {
        if (!(error instanceof LabError)) throw error;
        expect(error.fault.code).toBe('model-corrupt');
        refused++;
      }
    }
    // All 50 cuts and a good part of the changes; the rest only rename something.
    expect(refused).toBeGreaterThan(100);
    expect(refused).toBeLessThan(FUZZ_COUNT);
  });
});
