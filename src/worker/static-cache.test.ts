/** The preallocated cache itself, over plain arrays: dims, moves row by row, what is used, and ONNX Runtime's refusals in words. */
import { describe, expect, it } from 'vitest';
import { LabError } from '../protocol/faults';
import { dimsRefusal } from './bound-cache';
import { appendRows, fakeMemory, fakeTensor } from './bound-testing.fixture';
import { StaticKvCache } from './static-cache';
import { usedRows } from './used-bytes';

const GRAPH = [
  { name: 'past_key_values.0.key', type: 'float32', dims: ['batch_size', 2, 'past', 2] },
  { name: 'past_key_values.0.value', type: 'float32', dims: ['batch_size', 2, 'past', 2] },
];

const dataOf = (cache: StaticKvCache<ReturnType<typeof fakeTensor>>) => [
  ...(cache.inputs().get('past_key_values.0.key')?.ort_tensor.data ?? []),
];

describe('StaticKvCache', () => {
  it('has tensors of batch, heads, room and head dim', () => {
    const cache = new StaticKvCache(fakeMemory, GRAPH, { batch: 3, room: 7 });
    expect([...cache.tensors().values()].map(({ dims }) => dims)).toEqual([
      [3, 2, 7, 2],
      [3, 2, 7, 2],
    ]);
  });

  it('moves each head’s rows to where they belong in the larger tensors', () => {
    const cache = new StaticKvCache(fakeMemory, GRAPH, { batch: 1, room: 2 });
    appendRows(cache, 0, 1, { value: 1 });
    appendRows(cache, 1, 1, { value: 2 });
    expect(dataOf(cache)).toEqual([1, 1, 2, 2, 1, 1, 2, 2]);
    cache.move(3);
    expect(dataOf(cache)).toEqual([1, 1, 2, 2, 0, 0, 1, 1, 2, 2, 0, 0]);
    appendRows(cache, 2, 1, { value: 3 });
    expect(dataOf(cache)).toEqual([1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3]);
    expect(cache.preallocated).toMatchObject({ roomTokens: 3, rooms: [2, 3] });
  });

  it('refuses a graph whose heads are not told', () => {
    const graph = [{ name: 'past_key_values.0.key', type: 'float32', dims: ['batch', 'heads', 'past', 2] }];
    expect(() => new StaticKvCache(fakeMemory, graph, { batch: 1, room: 2 })).toThrow(LabError);
  });

  it('refuses outputs that are not there', () => {
    const cache = new StaticKvCache(fakeMemory, GRAPH, { batch: 1, room: 2 });
    expect(() => {
      cache.take({}, 1);
    }).toThrow('past_key_values.0.key with the dims [nothing]');
  });
});

describe('usedRows', () => {
  const layout = {
    heads: 2,
    rowBytes: 2,
    rowsOf: () => 3,
    offset: (head: number, row: number) => head * 6 + row * 2,
  };

  it('counts, head by head, the rows up to the last that is not all zeros', () => {
    expect(usedRows(Uint8Array.of(1, 0, 0, 1, 0, 0, 5, 5, 0, 0, 0, 0), layout)).toBe(3);
  });

  it('counts a row of zeros before a written one, and none in a head of zeros', () => {
    expect(usedRows(Uint8Array.of(0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0), layout)).toBe(3);
  });
});

describe('dimsRefusal', () => {
  const expected = new Map([['present.0.key', fakeTensor('float32', [1, 16, 24, 192])]]);

  it('reads the sentence of onnxruntime-web 1.31 (a graph that concatenates, seen here)', () => {
    const message =
      "failed to call OrtRun(). ERROR_CODE: 2, ERROR_MESSAGE: op_kernel.cc:83 virtual OrtValue *onnxruntime::OpKernelContext::OutputMLValue(int, const TensorShape &) [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : The output OrtValue provided for output 'present.0.key' of node 'Concat_node_29' (Concat) has shape {1,16,24,192} but the computed output shape for this run is {1,16,48,192}. When calling Run() with pre-allocated output OrtValues";
    expect(dimsRefusal(message, expected)?.fault).toMatchObject({
      code: 'static-dims',
      params: { tensor: 'present.0.key', found: '1, 16, 48, 192', expected: '1, 16, 24, 192' },
    });
  });

  it('reads the sentence of onnxruntime issue 23061', () => {
    const message = "Failed to generate kernel's output[1] with dims [1,2,532,64].";
    expect(dimsRefusal(message, expected)?.fault.params).toMatchObject({
      tensor: 'present.*.key',
      found: '1, 2, 532, 64',
    });
  });

  it('leaves every other error alone', () => {
    expect(dimsRefusal('Error: device lost', expected)).toBeNull();
  });
});
