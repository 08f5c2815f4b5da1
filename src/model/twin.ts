/** A model's files, built in the page: config.json, tokenizer and the ONNX graph, by name as on the hub. */
import { byteTokenizerFiles, BYTE_VOCAB_SIZE } from './byte-tokenizer';
import type { ModelSpec } from './catalog';
import { buildDecoder, type DecoderShape, type WeightDtype } from './decoder-graph';

/** Files by their path inside a model repository. */
export type ModelFiles = Map<string, Uint8Array<ArrayBuffer> | string | Blob>;

/** Width of a twin's residual stream: enough for logits that depend on the whole cache, small enough to be cheap. */
const TWIN_HIDDEN_SIZE = 64;
/** Rotary rows are rounded up to this, so that near lengths share one graph. */
const POSITION_STEP = 1024;
/** transformers.js' suffix of the graph's file by dtype (its utils/dtypes.js). */
const FILE_SUFFIX: Record<WeightDtype, string> = {
  fp32: '',
  fp16: '_fp16',
  q4: '_q4',
  q4f16: '_q4f16',
  q8: '_quantized',
};

/** The decoder that stands for a model: the same layers, KV heads and head dim, so the same cache. */
export function decoderShape(spec: ModelSpec, tokens: number): DecoderShape {
  const { layers, attentionHeads, kvHeads, headDim, hiddenSize, maxPositions } = spec.geometry;
  const positions = Math.ceil(tokens / POSITION_STEP) * POSITION_STEP;
  const cacheShape = {
    layers,
    kvHeads,
    headDim,
    vocabSize: BYTE_VOCAB_SIZE,
    positions: Math.max(tokens, Math.min(positions, maxPositions ?? positions)),
  };
  if (spec.source === 'twin') {
    return { ...cacheShape, attentionHeads: kvHeads, hiddenSize: TWIN_HIDDEN_SIZE, intermediateSize: 0 };
  }
  return {
    ...cacheShape,
    attentionHeads,
    hiddenSize,
    intermediateSize: Number(spec.config.intermediate_size ?? 4 * hiddenSize),
  };
}

/**
 * Builds all files that transformers.js needs to load the model.
 * @param tokens The most tokens that will be in the cache.
 */
export function buildModelFiles(
  spec: ModelSpec,
  dtype: WeightDtype,
  seed: number,
  tokens: number,
): ModelFiles {
  return new Map<string, Uint8Array<ArrayBuffer> | string>([
    ['config.json', JSON.stringify(spec.config)],
    ...Object.entries(byteTokenizerFiles()),
    [
      `onnx/model${FILE_SUFFIX[dtype]}.onnx`,
      buildDecoder(decoderShape(spec, tokens), dtype, seed) as Uint8Array<ArrayBuffer>,
    ],
  ]);
}
