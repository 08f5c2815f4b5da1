/** Pools on a real WebGPU device: rows over several buffers, rows read by the shader, nothing left behind. */
import { expect, it } from 'vitest';
import * as ledger from './ledger';
import { watchGpu } from './gpu-watch';
import { gpuPlace, MIXED } from './pool-memory';
import { rowReader } from './pool-rows';

it('writes and clears over several buffers, in the order of the calls, and frees all of them', async () => {
  const gpu = watchGpu(ledger.deviceBytes);
  const place = await gpuPlace(gpu);
  const before = ledger.deviceBytes();
  // 16,384 rows fill a buffer of 128 MiB, the default limit of a storage binding: this takes three.
  const pool = await place.make({ rows: 33_000, rowBytes: 8192 });
  expect(pool.bytes).toBe(270_336_000);
  // Besides the pool a word a row, twice.
  expect(ledger.deviceBytes() - before).toBe(270_336_000 + 2 * 4 * 33_000);
  pool.write(4, { start: 16_380, count: 8 });
  pool.write(9, { start: 32_999, count: 1 });
  pool.submit();
  // A row that was cleared is another request's before the submit.
  pool.clear(4, { start: 16_382, count: 6 });
  pool.write(11, { start: 16_387, count: 1 });
  const owners = await pool.owners();
  const found = [...owners.entries()].filter(([, owner]) => owner !== 0);
  expect(found).toEqual([
    [16_380, 5],
    [16_381, 5],
    [16_387, 12],
    [32_999, 10],
  ]);
  pool.destroy();
  expect(ledger.deviceBytes()).toBe(before);
  place.close();
});

it.each([16, 12])('tells a torn row of %i bytes from a whole and an empty one', async (rowBytes) => {
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new Error('this test needs a WebGPU adapter');
  const device = await adapter.requestDevice();
  const width = rowBytes / 4;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: 3 * rowBytes, usage });
  const words = new Uint32Array(3 * width).fill(7, 0, width);
  // The last word of the last row alone.
  words[3 * width - 1] = 7;
  device.queue.writeBuffer(buffer, 0, words);
  const reader = rowReader(device, [{ start: 0, rows: 3, buffer }], rowBytes, MIXED);
  expect([...(await reader.read())]).toEqual([7, 0, MIXED]);
  reader.destroy();
  device.destroy();
});
