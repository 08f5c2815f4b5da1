/** Reading the live cache of a real model on WebGPU: the tensors stay where they are, and the next step is the same as without. */
import { expect, it } from 'vitest';
import * as ledger from './ledger';
import { watchGpu } from './gpu-watch';
import { readRows } from './read-cache';
import { runtime } from './runtime';
import { findModel } from '../model/catalog';
import { buildModelFiles } from '../model/twin';

it('leaves the cache usable: one more decode step gives the same logits, digit for digit', async () => {
  const gpu = watchGpu(ledger.deviceBytes);
  const tiny = findModel('tiny');
  if (tiny === null) throw new Error('tiny is gone');
  const files = buildModelFiles(tiny, 'fp32', 0, 64);
  const model = await runtime.load({ files, device: 'webgpu', dtype: 'fp32', allocator: 'bucket' });
  const prompt = Array.from({ length: 40 }, (_, i) => (i * 37) % 256);
  const decode = async (read: boolean): Promise<Float32Array | undefined> => {
    const cache = model.emptyCache();
    await model.forward([prompt], 0, cache);
    if (read) {
      const before = ledger.deviceBytes();
      const tensor = { layer: 3, kind: 'V', name: 'past_key_values.3.value' } as const;
      const rows = await readRows({ gpu }, cache, tensor, 8, 'a document');
      expect(rows.channels).toBe(64);
      expect(rows.values).toHaveLength(32 * 64);
      expect(new Set(rows.values).size, 'real numbers, not zeros').toBeGreaterThan(1000);
      expect(ledger.deviceBytes(), 'no buffer is left').toBe(before);
      expect(cache.tensors().get(tensor.name)?.location).toBe('gpu-buffer');
    }
    const { logits } = await model.forward([[7]], 40, cache);
    expect(cache.tensors().get('past_key_values.3.value')?.dims).toEqual([1, 2, 41, 32]);
    await cache.dispose();
    return logits[0];
  };
  const without = await decode(false);
  expect(await decode(true)).toEqual(without);
  gpu.expectClose();
  await model.release();
});
