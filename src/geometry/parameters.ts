/** How many parameters a model has, from its config.json, where that can be told exactly. */
import { isObject, type Config } from './fields';
import type { Geometry } from './geometry';
import { GeometryError } from './geometry-error';
import { decoderPart } from './nested';
import { decoderOf, type Decoder } from './parameter-families';
import { ConfigReader } from './reader';

export type ParameterPart = 'embeddings' | 'attention' | 'feedForward' | 'norms' | 'head';

/** Why no exact count is given; the safetensors index, or a person, must then give the size of the weights. */
export type ParameterGap =
  | 'parameters-unknown-family'
  /** A text model beside other parts (images, sound), whose parameters are not counted. */
  | 'parameters-multimodal'
  | 'parameters-missing-field'
  | 'parameters-bad-field'
  /** The layers have different heads, which one formula for all would get wrong. */
  | 'parameters-uneven-layers';

export interface ParameterCount {
  /** Null when no exact count can be given; then `gap` says why. */
  parameters: number | null;
  /** The count by part, for its derivation; empty where there is none. */
  parts: { part: ParameterPart; parameters: number }[];
  /** Layers for multi-token prediction that a checkpoint may hold besides: they are not counted. */
  uncountedLayers: number;
  gap: { code: ParameterGap; params: Record<string, string | number> } | null;
}

/**
 * Parameters of the whole model: embeddings (once when tied), attention, feed-forward (all experts), norms, output head.
 * Exact for the families of parameter-families.ts (modules of transformers' modeling_<family>.py); null with a reason
 * otherwise, never an estimate. Throws nothing.
 * @param config The parsed config.json that `geometry` was read from.
 */
export function parameterCount(config: unknown, geometry: Geometry): ParameterCount {
  if (!isObject(config)) return gap('parameters-unknown-family', { modelType: geometry.modelType });
  try {
    return countParts(config, geometry);
  } catch (error) {
    if (!(error instanceof GeometryError)) throw error;
    return error.code === 'config-missing-field'
      ? gap('parameters-missing-field', error.params)
      : gap('parameters-bad-field', error.params);
  }
}

function countParts(config: Config, geometry: Geometry): ParameterCount {
  const decoder = decoderOf(geometry.modelType);
  if (!decoder) return gap('parameters-unknown-family', { modelType: geometry.modelType });
  const inner = decoderPart(config);
  if (inner !== config) return gap('parameters-multimodal', {});
  if (!decoder.uneven && unevenLayers(geometry)) return gap('parameters-uneven-layers', {});
  const reader = new ConfigReader(inner, config);
  const parts = partsOf(decoder, reader, geometry);
  return {
    parameters: parts.reduce((sum, { parameters }) => sum + parameters, 0),
    parts: parts.filter(({ parameters }) => parameters > 0),
    uncountedLayers: reader.countFromZero('num_nextn_predict_layers') ?? 0,
    gap: null,
  };
}

function partsOf(decoder: Decoder, reader: ConfigReader, geometry: Geometry): ParameterCount['parts'] {
  const { attentionHeads: heads, kvHeads, headDim, layers } = geometry;
  const width = reader.required({ names: ['hidden_size', 'n_embd', 'd_model'], max: 2 ** 24 });
  const model = { reader, layers, width, heads, queries: heads * headDim, keys: kvHeads * headDim, headDim };
  const vocabulary = reader.required('vocab_size');
  const tied = reader.flag('tie_word_embeddings') ?? decoder.tied;
  const overLayers = (size: (layer: number) => number): number =>
    Array.from({ length: layers }, (_, layer) => size(layer)).reduce((sum, size) => sum + size, 0);
  return [
    { part: 'embeddings', parameters: vocabulary * width + (decoder.extraEmbeddings?.(model) ?? 0) },
    { part: 'attention', parameters: layers * decoder.attention(model) },
    { part: 'feedForward', parameters: overLayers((layer) => decoder.feedForward(model, layer)) },
    { part: 'norms', parameters: layers * decoder.norms(model) + decoder.finalNorm(model) },
    {
      part: 'head',
      parameters: (tied ? 0 : vocabulary * width) + (decoder.headBias === true ? vocabulary : 0),
    },
  ];
}

/** Whether layers keep keys and values of different shapes, which one formula for all layers would get wrong. */
function unevenLayers({ caches, layers, kvHeads, headDim }: Geometry): boolean {
  const keeping = caches.filter(({ kind }) => kind === 'full' || kind === 'sliding');
  return (
    keeping.length !== layers ||
    keeping.some(
      (cache) => cache.kvHeads !== kvHeads || cache.keyDim !== headDim || cache.valueDim !== headDim,
    )
  );
}

function gap(code: ParameterGap, params: Record<string, string | number>): ParameterCount {
  return { parameters: null, parts: [], uncountedLayers: 0, gap: { code, params } };
}
