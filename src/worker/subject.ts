/** What a pass loads: a model that the page's own code builds here, or one whose files came from outside. */
import { CHECK_TOKENS } from './check-cache-used';
import { QUANTISED_CHECK_TOKENS } from './compare-logits';
import { SAME_LOGITS_TOKENS } from './check-same-logits';
import { keptGeometry } from '../experiments/quantised';
import type { Geometry } from '../geometry/geometry';
import { BYTE_VOCAB_SIZE } from '../model/byte-tokenizer';
import { findModel, weightBytes, type ModelSpec } from '../model/catalog';
import { isWeightDtype, WEIGHT_DTYPES } from '../model/weight-dtypes';
import { allGrouped, notQuantised, queryHeads, usesGrouped, type DecoderShape } from '../model/decoder-graph';
import { scaleBytesBeside, type QuantisedCache } from '../model/graph-quantised';
import { buildModelFiles, decoderShape, type BuildSpec, type ModelFiles } from '../model/twin';
import { LabError, type Fault } from '../protocol/faults';
import type { Pass } from '../protocol/messages';
import { preallocates } from '../protocol/room';
import { DTYPE_BYTES, type Dtype } from '../protocol/recipe';
import type { ModelRecord, QuantisedFacts } from '../protocol/record';
import type { ModelSource, OpenedSource, TwinSource } from '../protocol/source';

export interface Subject {
  files: ModelFiles;
  geometry: Geometry;
  /** The geometry that the cache must have: the same, or its quantised form, whose elements are bytes. */
  kept: Geometry;
  /** Present for a quantised cache. */
  quantised?: QuantisedFacts;
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
    | 'scaled'
  >;
  /** Element type that the cache must have; null where only the graph can tell. */
  cacheType: string | null;
  /** Tokens that a random prompt is drawn from: 0 to this, excluded. */
  vocabSize: number;
  /** Whether the graph has the input `num_logits_to_keep`; without it a pass gives the logits of all its tokens. */
  keepsLogits: boolean;
  /** Whether several sequences can be fed in chunks on top of a past. */
  chunksBatches: boolean;
  /** Why a preallocated cache cannot be tried with this graph; null when it can. */
  notBound: Fault | null;
}

/**
 * @throws LabError recipe-unknown-model, dtype-not-built, twin-not-built; for the policy quantised also quantised-states,
 *   quantised-not-grouped, quantised-head-dim, quantised-fixed-graph.
 */
export function subjectOf(pass: Pass, sources: readonly OpenedSource[]): Subject {
  const source = sources.find(({ id, dtype }) => id === pass.model && dtype === pass.dtype);
  if (source === undefined) return builtHere(pass, catalogSpec(pass.model));
  return source.kind === 'twin' ? builtHere(pass, twinSpec(source)) : fromOutside(pass, source);
}

/** What a model of the page's own is built from. */
type BuiltSpec = BuildSpec &
  Pick<ModelSpec, 'revision' | 'parameters'> &
  Pick<TwinSource, 'notes' | 'scaled'>;

function catalogSpec(model: string): BuiltSpec {
  const spec = findModel(model);
  if (!spec) throw new LabError('recipe-unknown-model', { model, known: '' });
  return { ...spec, notes: [], scaled: null };
}

function twinSpec(source: TwinSource): BuiltSpec {
  return { ...source, source: 'twin', config: null };
}

function builtHere(pass: Pass, spec: BuiltSpec): Subject {
  const { dtype, seed } = pass;
  if (!isWeightDtype(dtype))
    throw new LabError('dtype-not-built', { dtype, available: WEIGHT_DTYPES.join(', ') });
  const tokens = mostTokens(pass);
  const shape = decoderShape(spec, tokens);
  const quantised = quantisedCache(pass);
  if (quantised !== null) refuseQuantised(pass, shape, quantised);
  const files = buildModelFiles(spec, dtype, seed, tokens, quantised);
  return {
    files,
    geometry: spec.geometry,
    kept: keptGeometry(spec.geometry, pass),
    ...(quantised === null
      ? {}
      : {
          quantised: {
            bits: pass.bits,
            scaleBytesBeside: scaleBytesBeside(shape.parts.length, quantised),
          },
        }),
    facts: {
      revision: spec.revision,
      source: spec.source,
      geometryFrom: 'config',
      graphAttentionHeads: queryHeads(shape),
      parameters: spec.parameters,
      weightBytes: spec.parameters === null ? null : weightBytes(spec.parameters, dtype),
      graphBytes: graphBytes(files),
      notes: spec.notes,
      ...(spec.scaled === null ? {} : { scaled: spec.scaled }),
    },
    cacheType: cacheTypeOf(dtype, quantised),
    vocabSize: BYTE_VOCAB_SIZE,
    keepsLogits: true,
    chunksBatches: !usesGrouped(shape),
    notBound: refusalOf(pass, shape),
  };
}

function fromOutside(pass: Pass, source: ModelSource): Subject {
  if (pass.policy === 'quantised') throw new LabError('quantised-fixed-graph', { model: pass.model });
  const { geometry, kind, revision, geometryFrom, parameters, weightBytes, notes } = source;
  return {
    files: new Map(source.files),
    geometry,
    kept: geometry,
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
    // Only a graph with GroupQueryAttention takes no chunks for a batch; whether all its layers have it shows in the first pass.
    notBound: source.chunksBatches ? notGrouped(pass) : null,
  };
}

/** How the graph of a pass keeps its keys and values; null for floats. */
function quantisedCache({ policy, bits, device }: Pass): QuantisedCache | null {
  return policy === 'quantised' ? { bits: bits === '8' ? 8 : 4, backend: device } : null;
}

function cacheTypeOf(dtype: Dtype, quantised: QuantisedCache | null): string {
  if (quantised?.backend === 'wasm') return quantised.bits === 8 ? 'int8' : 'uint8';
  return DTYPE_BYTES[dtype] === 2 ? 'float16' : 'float32';
}

/** @throws LabError quantised-states, quantised-not-grouped, quantised-head-dim. */
function refuseQuantised({ model }: Pass, { parts }: DecoderShape, quantised: QuantisedCache): void {
  const found = notQuantised(parts, quantised);
  if (found === null) return;
  const { reason, part } = found;
  throw part.kind === 'attention'
    ? new LabError(`quantised-${reason}`, { model, headDim: part.keyDim, bits: quantised.bits })
    : new LabError('quantised-states', { model, tensor: part.names.past });
}

/** Why a preallocated cache cannot serve a graph of our own: it keeps states, or an attention that does not append in place. */
function refusalOf(pass: Pass, shape: DecoderShape): Fault | null {
  const state = shape.parts.find(({ kind }) => kind !== 'attention');
  if (state !== undefined && state.kind !== 'attention') {
    const code = pass.policy === 'paged' ? 'paged-states' : 'static-states';
    return { code, params: { model: pass.model, tensor: state.names.past } };
  }
  return allGrouped(shape) ? null : notGrouped(pass);
}

function notGrouped({ model, policy }: Pass): Fault {
  return { code: policy === 'paged' ? 'paged-not-grouped' : 'static-not-grouped', params: { model } };
}

/** The most tokens per sequence that a pass puts into the cache. */
function mostTokens({ work, policy }: Pass): number {
  return Math.max(
    CHECK_TOKENS,
    preallocates(policy) ? SAME_LOGITS_TOKENS : 0,
    policy === 'quantised' ? QUANTISED_CHECK_TOKENS : 0,
    tokensOf(work),
  );
}

function tokensOf(work: Pass['work']): number {
  switch (work.kind) {
    case 'length':
    case 'contexts':
      return Math.max(...work.stops) + work.steps;
    case 'growth':
      return work.promptTokens + work.steps;
    case 'serving':
      return 0;
    case 'redundancy':
      return work.state.skip + work.state.keep;
  }
}

function graphBytes(files: ModelFiles): number {
  for (const [name, content] of files) {
    if (name.endsWith('.onnx') && typeof content !== 'string' && !(content instanceof Blob))
      return content.length;
  }
  return 0;
}
