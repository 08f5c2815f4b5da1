/** What a pass loads: a model that the page's own code builds here, or one whose files came from outside. */
import { CHECK_TOKENS } from './check-cache-used';
import type { Geometry } from '../geometry/geometry';
import { BYTE_VOCAB_SIZE } from '../model/byte-tokenizer';
import { findModel, weightBytes } from '../model/catalog';
import { isWeightDtype, WEIGHT_DTYPES } from '../model/weight-dtypes';
import { buildModelFiles, decoderShape, type ModelFiles } from '../model/twin';
import { LabError } from '../protocol/faults';
import type { Pass } from '../protocol/messages';
import { DTYPE_BYTES } from '../protocol/recipe';
import type { ModelRecord } from '../protocol/record';
import type { ModelSource } from '../protocol/source';

export interface Subject {
  files: ModelFiles;
  geometry: Geometry;
  /** Facts that go into the record as they are. */
  facts: Pick<
    ModelRecord,
    | 'revision'
    | 'source'
    | 'geometryFrom'
    | 'graphAttentionHeads'
    | 'parameters'
    | 'weightBytes'
    | 'graphBytes'
    | 'notes'
  >;
  /** Element type that the cache must have; null where only the graph can tell. */
  cacheType: string | null;
  /** Tokens that a random prompt is drawn from: 0 to this, excluded. */
  vocabSize: number;
  /** Whether the graph has the input `num_logits_to_keep`; without it a pass gives the logits of all its tokens. */
  keepsLogits: boolean;
  /** Whether several sequences can be fed in chunks on top of a past. */
  chunksBatches: boolean;
}

/** @throws LabError recipe-unknown-model, dtype-not-built. */
export function subjectOf(pass: Pass, sources: readonly ModelSource[]): Subject {
  const source = sources.find(({ id, dtype }) => id === pass.model && dtype === pass.dtype);
  return source === undefined ? builtHere(pass) : fromOutside(source);
}

function builtHere(pass: Pass): Subject {
  const { model, dtype, seed } = pass;
  const spec = findModel(model);
  if (!spec) throw new LabError('recipe-unknown-model', { model, known: '' });
  if (!isWeightDtype(dtype))
    throw new LabError('dtype-not-built', { dtype, available: WEIGHT_DTYPES.join(', ') });
  const tokens = mostTokens(pass);
  const files = buildModelFiles(spec, dtype, seed, tokens);
  return {
    files,
    geometry: spec.geometry,
    facts: {
      revision: spec.revision,
      source: spec.source,
      geometryFrom: 'config',
      graphAttentionHeads: decoderShape(spec, tokens).attentionHeads,
      parameters: spec.parameters,
      weightBytes: spec.parameters === null ? null : weightBytes(spec.parameters, dtype),
      graphBytes: graphBytes(files),
      notes: [],
    },
    cacheType: DTYPE_BYTES[dtype] === 2 ? 'float16' : 'float32',
    vocabSize: BYTE_VOCAB_SIZE,
    keepsLogits: true,
    chunksBatches: false,
  };
}

function fromOutside(source: ModelSource): Subject {
  const { geometry, kind, revision, geometryFrom, parameters, weightBytes, notes } = source;
  return {
    files: new Map(source.files),
    geometry,
    facts: {
      revision,
      source: kind,
      geometryFrom,
      graphAttentionHeads: geometry.attentionHeads,
      parameters,
      weightBytes,
      graphBytes: weightBytes,
      notes,
    },
    cacheType: null,
    vocabSize: source.vocabSize,
    keepsLogits: source.keepsLogits,
    chunksBatches: source.chunksBatches,
  };
}

/** The most tokens per sequence that a pass puts into the cache. */
function mostTokens({ work }: Pass): number {
  const start = work.kind === 'length' ? Math.max(...work.stops) : work.promptTokens;
  return Math.max(CHECK_TOKENS, start + work.steps);
}

function graphBytes(files: ModelFiles): number {
  for (const [name, content] of files) {
    if (name.endsWith('.onnx') && typeof content !== 'string' && !(content instanceof Blob))
      return content.length;
  }
  return 0;
}
