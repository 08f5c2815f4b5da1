/** What a pass loads: built here, or from files of outside. */
import { describe, expect, it } from 'vitest';
import { chunkTokens } from './prefill';
import { subjectOf, type Subject } from './subject';
import { pass, source } from './testing.fixture';
import { LabError } from '../protocol/faults';
import type { Dtype } from '../protocol/recipe';

const QWEN = 'twin:Qwen/Qwen2.5-0.5B-Instruct';
const faultOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof LabError) return error.fault;
  }
  return null;
};

describe('a model that is built here', () => {
  it.each<[Dtype, string, string]>([
    ['fp32', 'float32', 'onnx/model.onnx'],
    ['fp16', 'float16', 'onnx/model_fp16.onnx'],
    ['q8', 'float32', 'onnx/model_quantized.onnx'],
    ['q4', 'float32', 'onnx/model_q4.onnx'],
    ['q4f16', 'float16', 'onnx/model_q4f16.onnx'],
  ])('in %s has a cache of %s and the file %s', (dtype, cacheType, file) => {
    const subject = subjectOf(pass([64], { dtype }), []);
    expect(subject).toMatchObject({ cacheType, vocabSize: 256, keepsLogits: true, chunksBatches: false });
    expect([...subject.files.keys()]).toContain(file);
    const content = subject.files.get(file);
    expect(content instanceof Uint8Array ? content.length : 0).toBe(subject.facts.graphBytes);
  });

  it('has the weight bytes of the real model, not its own', () => {
    const { facts } = subjectOf(pass([64], { model: QWEN }), []);
    // paper-tables.json: 494.0 M parameters, 1,885 MiB in float32 (494,032,768 x 4 bytes).
    expect(facts).toMatchObject({
      source: 'twin',
      revision: '7ae557604adf',
      parameters: 494032768,
      weightBytes: 1976131072,
      graphAttentionHeads: 2,
    });
    expect(facts.graphBytes).toBeLessThan(1976131072);
  });

  it('as a counterfactual has the KV heads of the attention heads, and no parameters that anyone counted', () => {
    const { geometry, facts } = subjectOf(pass([64], { model: 'mha:Qwen/Qwen2.5-0.5B-Instruct' }), []);
    expect(geometry).toMatchObject({ layers: 24, kvHeads: 14, headDim: 64 });
    expect(facts).toMatchObject({ parameters: null, weightBytes: null, graphAttentionHeads: 14 });
  });

  it.each<Dtype>(['int8', 'bnb4', 'q2'])('in %s is refused with the variants that there are', (dtype) => {
    expect(faultOf(() => subjectOf(pass([64], { dtype }), []))).toEqual({
      code: 'dtype-not-built',
      params: { dtype, available: 'fp32, fp16, q4, q4f16, q8' },
    });
  });

  it('that no one knows is refused', () => {
    expect(faultOf(() => subjectOf(pass([64], { model: 'twin:a/b' }), []))?.code).toBe(
      'recipe-unknown-model',
    );
  });
});

describe('a model from outside', () => {
  it('is found by its id and its variant', () => {
    const q4 = source({ revision: 'of q4' });
    const fp16 = source({ dtype: 'fp16', revision: 'of fp16' });
    const revision = (dtype: Dtype) =>
      subjectOf(pass([64], { model: 'owner/name', dtype }), [q4, fp16]).facts.revision;
    expect([revision('q4'), revision('fp16')]).toEqual(['of q4', 'of fp16']);
    expect(faultOf(() => revision('fp32'))?.code).toBe('recipe-unknown-model');
  });

  it('leaves the cache type to its graph', () => {
    const subject = subjectOf(pass([64], { model: 'owner/name', dtype: 'q4' }), [
      source({
        kind: 'local',
        revision: 'local',
        geometryFrom: 'graph',
        parameters: null,
        keepsLogits: false,
      }),
    ]);
    expect(subject.cacheType).toBeNull();
    expect(subject).toMatchObject({
      facts: { source: 'local', revision: 'local', geometryFrom: 'graph', parameters: null },
      vocabSize: 3,
      keepsLogits: false,
      chunksBatches: true,
    });
  });
});

describe('chunkTokens', () => {
  /** Qwen2.5's vocabulary: 151,936 tokens x 4 bytes of logits a position. */
  const subject = (keepsLogits: boolean, vocabSize = 151_936) => ({ keepsLogits, vocabSize }) as Subject;
  const chunk = (of: Subject, more: { chunk?: number; batch?: number } = {}) =>
    chunkTokens({ pass: pass([64], { chunk: 0, ...more }), subject: of });

  it('keeps the logits of all positions under 256 MiB', () => {
    // 268,435,456 / 607,744 = 441.7.
    expect(chunk(subject(false))).toBe(441);
    expect(chunk(subject(false), { chunk: 4096 })).toBe(441);
    expect(chunk(subject(false), { batch: 4 })).toBe(110);
  });

  it('is the recipe’s where that is less, and the lab’s 512 where the graph gives the last logits only', () => {
    expect(chunk(subject(false), { chunk: 64 })).toBe(64);
    expect(chunk(subject(true))).toBe(512);
    expect(chunk(subject(true), { chunk: 4096 })).toBe(4096);
  });

  it('is never less than one token', () => {
    expect(chunk(subject(false, 100_000_000))).toBe(1);
  });
});
