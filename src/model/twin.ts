/** A model's files, built in the page: config.json, tokenizer and the ONNX graph, by name as on the hub. */
import { byteTokenizerFiles, BYTE_VOCAB_SIZE } from './byte-tokenizer';
import { cacheParts } from './cache-parts';
import type { ModelSpec } from './catalog';
import { buildDecoder, type DecoderShape, type WeightDtype } from './decoder-graph';
import type { QuantisedCache } from './graph-quantised';
import { twinConfig } from './twin-config';

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

/** Of a model spec, all that its files are built from; without a config they get one that names the graph's cache. */
export type BuildSpec = Pick<ModelSpec, 'source' | 'geometry'> & { config: ModelSpec['config'] | null };

/**
 * The decoder that stands for a model: the same layer caches, so the same cache.
 * @throws LabError twin-not-built, as `cacheParts`.
 */
export function decoderShape({ source, geometry, config }: BuildSpec, tokens: number): DecoderShape {
  const { attentionHeads, hiddenSize, maxPositions } = geometry;
  const positions = Math.ceil(tokens / POSITION_STEP) * POSITION_STEP;
  const shape = {
    parts: cacheParts(geometry),
    vocabSize: BYTE_VOCAB_SIZE,
    positions: Math.max(tokens, Math.min(positions, maxPositions ?? positions)),
  };
  if (source === 'twin') {
    return { ...shape, attentionHeads: null, hiddenSize: TWIN_HIDDEN_SIZE, intermediateSize: 0 };
  }
  const intermediateSize = Number(config?.['intermediate_size'] ?? 4 * hiddenSize);
  return { ...shape, attentionHeads, hiddenSize, intermediateSize };
}

/**
 * Builds all files that transformers.js needs to load the model.
 * @param tokens The most tokens that will be in the cache.
 * @param quantised Keeps keys and values in integers; every layer must then fit, see `quantisedFault`.
 * @throws LabError twin-not-built, as `cacheParts`.
 */
export function buildModelFiles(
  spec: BuildSpec,
  dtype: WeightDtype,
  seed: number,
  tokens: number,
  quantised: QuantisedCache | null = null,
): ModelFiles {
  const shape = { ...decoderShape(spec, tokens), quantised };
  return new Map<string, Uint8Array<ArrayBuffer> | string>([
    ['config.json', JSON.stringify(spec.config ?? twinConfig(spec.geometry, shape.parts))],
    ...Object.entries(byteTokenizerFiles()),
    [`onnx/model${FILE_SUFFIX[dtype]}.onnx`, buildDecoder(shape, dtype, seed) as Uint8Array<ArrayBuffer>],
  ]);
}
