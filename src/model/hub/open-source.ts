/** From the files of a model to what the worker needs: the variant's files, and what config.json and the graph say of it. */
import { completeConfig } from './complete-config';
import { field } from './field';
import { GeometryError } from '../../geometry/geometry-error';
import { underGraphRule } from '../../geometry/engines/graph';
import type { Geometry, LayerCacheKind } from '../../geometry/geometry';
import { isCertain, readGeometry } from '../../geometry/read-config';
import { LabError } from '../../protocol/faults';
import type { ModelSource, OnnxHeader } from '../../protocol/source';
import { cacheTypeOf, elementBytesOf, graphGeometry } from '../graph-geometry';
import { readOnnxHeader } from '../onnx-header';
import { sizeFault } from './size-limit';
import { type HubVariant, isModelFile, variantFor, variantsOf } from './variants';

export interface SourceRequest {
  /** As in the recipe: `owner/name[@revision]` or `local:<folder>`. */
  id: string;
  name: string;
  kind: ModelSource['kind'];
  /** The commit; `local` for a folder. */
  revision: string;
  dtype: string;
  /** At least the files of the variant; others are left out. */
  files: ReadonlyMap<string, Blob>;
  /** Parameters that the hub counted; null when it did not. */
  parameters: number | null;
  /** The parsed config.json. */
  config: unknown;
}

/** Reads config.json of a set of files. @throws LabError hub-file-missing, config-not-json. */
export async function readConfig(files: ReadonlyMap<string, Blob>, where: string): Promise<unknown> {
  const blob = files.get('config.json');
  if (!blob) throw new LabError('hub-file-missing', { file: 'config.json', where });
  try {
    return JSON.parse(await blob.text()) as unknown;
  } catch (error) {
    throw new LabError('config-not-json', { detail: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * Opens a model: checks that its files are all there, and reads what the worker has to know. config.json's geometry is taken
 * as it is, never corrected by the graph's: a config that lies is found by the record's check of one against the other.
 * @throws LabError hub-no-onnx, hub-dtype-missing, hub-file-missing (external data that the graph names included),
 *   model-encoder-decoder, model-corrupt, model-no-cache, model-cache-shape, model-cache-type, model-too-large,
 *   model-file-too-large, config-missing-field (no vocab_size anywhere);
 *   GeometryError for a config.json that is no object or has impossible values.
 */
export async function openSource(request: SourceRequest): Promise<ModelSource> {
  const { id, name, kind, revision, dtype, config } = request;
  const listing = [...request.files].map(([path, file]) => ({ path, bytes: file.size }));
  const variant = variantFor(variantsOf(listing, config), dtype, id);
  const tooLarge = sizeFault(variant.files);
  if (tooLarge) throw new LabError(tooLarge.code, tooLarge.params);
  const headers = await readHeaders(variant, request.files, id);
  const decoder = headers.at(-1);
  if (!decoder) throw new LabError('hub-no-onnx');
  const cacheType = cacheTypeOf(decoder.inputs);
  const { geometry, geometryFrom, notes } = geometryOf(config, decoder);
  notes.push(...stateNote(geometry, cacheType));
  const files = new Map(
    variant.files.flatMap(({ path }) => [...request.files].filter(([key]) => key === path)),
  );
  const completed = completeConfig(config, decoder.inputs);
  if (completed !== null) {
    files.set('config.json', new Blob([JSON.stringify(completed)], { type: 'application/json' }));
    notes.push('config.json lacks layer_types, which transformers.js needs; they were read from the graph.');
  }
  const weights = variant.files.filter(({ path }) => isModelFile(path));
  return {
    id,
    name,
    kind,
    revision,
    dtype,
    files,
    weightBytes: weights.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
    parameters: request.parameters ?? graphParameters(headers),
    geometry,
    geometryFrom,
    cacheType,
    vocabSize: vocabSizeOf(config, decoder),
    keepsLogits: decoder.inputs.some((input) => input.name === 'num_logits_to_keep'),
    chunksBatches: !decoder.ops.has('GroupQueryAttention'),
    notes,
  };
}

/** Says how much of the cache is state that does not grow, which the bytes of a cell hold together with keys and values. */
function stateNote({ caches }: Geometry, cacheType: string): string[] {
  const elements = caches.reduce((sum, { fixedElements }) => sum + fixedElements, 0);
  if (elements === 0) return [];
  const bytes = (elements * elementBytesOf(cacheType)).toLocaleString('en-US');
  return [
    `${bytes} bytes a sequence are state of fixed size (convolutions, recurrences); only the rest grows.`,
  ];
}

/** The headers of all graphs, the decoder's last. @throws LabError hub-file-missing, model-corrupt. */
async function readHeaders(
  { graphs }: HubVariant,
  files: ReadonlyMap<string, Blob>,
  where: string,
): Promise<OnnxHeader[]> {
  const headers: OnnxHeader[] = [];
  for (const graph of graphs) {
    const blob = files.get(graph);
    if (!blob) throw new LabError('hub-file-missing', { file: graph, where });
    const header = await readOnnxHeader(blob, graph);
    const folder = graph.slice(0, graph.lastIndexOf('/') + 1);
    const missing = header.externalFiles.map((file) => folder + file).find((path) => !files.has(path));
    if (missing !== undefined) throw new LabError('hub-file-missing', { file: missing, where });
    headers.push(header);
  }
  return headers;
}

/** The config's geometry; the graph's where this version does not know the config's family, or a field is missing. */
function geometryOf(
  config: unknown,
  decoder: OnnxHeader,
): { geometry: Geometry; geometryFrom: ModelSource['geometryFrom']; notes: string[] } {
  const { geometry, why } = configGeometry(config);
  if (geometry !== null) return { ...withStatesOf(decoder, geometry, config), geometryFrom: 'config' };
  const note = `${why}; the geometry is read from the graph’s cache inputs, so it cannot be wrong about the graph.`;
  return { geometry: graphGeometry(decoder.inputs, config), geometryFrom: 'graph', notes: [note] };
}

/** Kinds whose bytes follow from config.json; how wide a state is and of which type, an export chooses. */
const BY_CONFIG: readonly LayerCacheKind[] = ['full', 'sliding', 'chunked', 'latent', 'shared', 'none'];

/**
 * What the export keeps by config.json: keys and values under the graph's rule. States of fixed size, where the config has
 * any, are the graph's own: exports differ in their width and type, and nothing in config.json tells.
 */
function withStatesOf(
  decoder: OnnxHeader,
  geometry: Geometry,
  config: unknown,
): { geometry: Geometry; notes: string[] } {
  const ruled = underGraphRule(geometry);
  const byConfig = ruled.caches.filter(({ kind }) => BY_CONFIG.includes(kind));
  if (byConfig.length === ruled.caches.length) return { geometry: ruled, notes: [] };
  const states = graphGeometry(decoder.inputs, config).caches.filter(({ kind }) => !BY_CONFIG.includes(kind));
  const caches = [...byConfig, ...states].sort((a, b) => a.layer - b.layer);
  return {
    geometry: { ...ruled, caches },
    notes: [
      'Keys and values are by config.json; the sizes of states that do not grow are read from the graph.',
    ],
  };
}

/** The config's geometry, or why it cannot be relied on. @throws GeometryError for impossible values. */
function configGeometry(config: unknown): { geometry: Geometry; why: '' } | { geometry: null; why: string } {
  try {
    const geometry = readGeometry(config);
    if (isCertain(geometry)) return { geometry, why: '' };
    return { geometry: null, why: unread(geometry.modelType) };
  } catch (error) {
    if (!(error instanceof GeometryError)) throw error;
    if (error.code === 'config-missing-field') {
      return { geometry: null, why: `config.json lacks “${String(error.params['field'])}”` };
    }
    if (error.code !== 'config-unknown-family' && error.code !== 'config-no-cache') throw error;
    return { geometry: null, why: unread(String(error.params['modelType'])) };
  }
}

function unread(modelType: string): string {
  return `This version does not read the cache of model_type “${modelType}” from config.json`;
}

/** Parameters by the graphs; null when one has quantised weights. */
function graphParameters(headers: readonly OnnxHeader[]): number | null {
  return headers.reduce<number | null>(
    (sum, { parameters }) => (sum === null || parameters === null ? null : sum + parameters),
    0,
  );
}

/** @throws LabError config-missing-field when neither config.json nor the graph's logits tell. */
function vocabSizeOf(config: unknown, decoder: OnnxHeader): number {
  const logits = decoder.outputs.find(({ name }) => name === 'logits')?.dims.at(-1);
  const size = [field(config, 'vocab_size'), field(field(config, 'text_config'), 'vocab_size'), logits].find(
    (value) => typeof value === 'number' && Number.isInteger(value) && value > 0,
  );
  if (typeof size !== 'number') throw new LabError('config-missing-field', { field: 'vocab_size' });
  return size;
}
