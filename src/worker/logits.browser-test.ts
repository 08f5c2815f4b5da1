/**
 * Passes of a real model on WebGPU: the token that the GPU finds is the likeliest of the logits that are read back. The adapter
 * of the tests is a software one, on which tokens are not found so; it is told apart by its name, which is hidden here.
 */
import { beforeAll, expect, it } from 'vitest';
import { argmax } from './decode';
import { watchGpu } from './gpu-watch';
import * as ledger from './ledger';
import { runtime } from './runtime';
import { seededTokens } from '../model/weights';
import { findModel } from '../model/catalog';
import { buildModelFiles } from '../model/twin';

const gpu = watchGpu(ledger.deviceBytes);
const STEPS = 8;

beforeAll(() => {
  for (const name of ['architecture', 'device', 'description'])
    Object.defineProperty(GPUAdapterInfo.prototype, name, { get: () => '' });
  Object.defineProperty(GPUAdapterInfo.prototype, 'isFallbackAdapter', { get: () => false });
});

it('finds the same tokens as by reading the logits, for two sequences and both kinds of cache', async () => {
  const tiny = findModel('tiny');
  if (tiny === null) throw new Error('tiny is gone');
  const files = buildModelFiles(tiny, 'fp32', 0, 64);
  const model = await runtime.load({ files, device: 'webgpu', dtype: 'fp32', allocator: 'bucket' });
  const prompts = [0, 1].map((row) => seededTokens(row, 40, 256));
  const decode = async (policy: 'dynamic' | 'static', greedy: boolean): Promise<number[][]> => {
    const cache = model.emptyCache(policy === 'static' ? { policy, batch: 2, room: 64 } : { policy });
    const found: number[][] = [];
    let tokens = prompts;
    let past = 0;
    for (let pass = 0; pass <= STEPS; pass++) {
      const { logits, next, logitsBytes } = await model.forward(tokens, past, cache, { greedy });
      expect(logitsBytes, 'two rows of 256 float32').toBe(2048);
      expect(logits.length, 'rows that were read back').toBe(greedy ? 0 : 2);
      past += tokens[0]?.length ?? 0;
      tokens = (next ?? logits.map(argmax)).map((token) => [token]);
      found.push(tokens.flat());
    }
    await cache.dispose();
    return found;
  };
  const read = await decode('dynamic', false);
  expect(await decode('dynamic', true)).toEqual(read);
  expect(await decode('static', true)).toEqual(read);
  expect(new Set(read.flat()).size, 'no constant').toBeGreaterThan(3);
  gpu.expectClose();
  await model.release();
  expect(ledger.deviceBytes()).toBe(0);
});
