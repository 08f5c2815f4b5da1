/** The greedy token found on a real WebGPU device, against the one that is found in memory. */
import { setFloat16 } from '@petamoriken/float16';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { argmax } from './decode';
import { GpuArgmax, type LogitRows } from './gpu-argmax';
import { seededWeights } from '../model/weights';

let device: GPUDevice;
let gpu: GpuArgmax;

beforeAll(async () => {
  const adapter = await navigator.gpu.requestAdapter();
  if (adapter === null) throw new Error('no WebGPU here');
  device = await adapter.requestDevice();
  gpu = new GpuArgmax(device);
});

afterAll(() => {
  gpu.destroy();
  device.destroy();
});

async function pick(bytes: Uint8Array, rows: LogitRows): Promise<number[]> {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: Math.ceil(bytes.length / 16) * 16, usage });
  device.queue.writeBuffer(buffer, 0, bytes as Uint8Array<ArrayBuffer>, 0, Math.floor(bytes.length / 4) * 4);
  try {
    return await gpu.pick(buffer, rows);
  } finally {
    buffer.destroy();
  }
}

const floats = (values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

function halves(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * Math.ceil(values.length / 2)));
  values.forEach((value, i) => {
    setFloat16(view, 2 * i, value, true);
  });
  return new Uint8Array(view.buffer);
}

for (const [type, encode] of [
  ['float32', floats],
  ['float16', halves],
] as const) {
  const row = (values: number[]) =>
    pick(encode(values), { type, count: 1, vocabulary: values.length, first: 0, stride: 0 });

  it(`${type}: takes the first of equals, whatever the signs`, async () => {
    expect(await row([1, 3, 2, 3])).toEqual([1]);
    expect(await row([-3, -1, -2, -1])).toEqual([1]);
    expect(await row([-1, -0, 0, -0])).toEqual([1]);
    expect(await row([-Infinity, -Infinity])).toEqual([0]);
    expect(await row([5, Infinity, -Infinity, Infinity])).toEqual([1]);
    const long = new Array<number>(1000).fill(-7);
    long[700] = long[958] = -6.5;
    expect(await row(long)).toEqual([700]);
  });

  it(`${type}: tells a NaN wherever it is`, async () => {
    expect(await row([1, NaN, 2])).toEqual([NaN]);
    const long = new Array<number>(600).fill(1);
    long[599] = NaN;
    expect(await row(long)).toEqual([NaN]);
  });

  it(`${type}: finds the last position of each row of a batch, and no other`, async () => {
    // Two rows, three positions, five logits: an odd number, so that halves begin inside a word.
    const logits = [
      [9, 0, 0, 0, 0],
      [0, 9, 0, 0, 0],
      [0, 0, 0, 0, 4],
      [0, 9, 0, 0, 0],
      [9, 0, 0, 0, 0],
      [0, 0, 5, 6, 0],
    ];
    const rows = { type, count: 2, vocabulary: 5, first: 10, stride: 15 };
    expect(await pick(encode(logits.flat()), rows)).toEqual([4, 3]);
  });
}

it('finds what is found in memory, in a vocabulary of 151,936 and behind 256-byte borders', async () => {
  const vocabulary = 151_936;
  const values = seededWeights(3).uniform(3 * vocabulary, 1);
  const all = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const rows = { type: 'float32', count: 2, vocabulary, first: vocabulary, stride: vocabulary } as const;
  const expected = [1, 2].map((row) => argmax(values.slice(row * vocabulary, (row + 1) * vocabulary)));
  expect(await pick(all, rows)).toEqual(expected);
  expect(expected[0]).not.toBe(expected[1]);
});
