/** Which variants of its weights a repository or folder has, by transformers.js' file names, and the files of each. */
import { field } from './field';
import { LabError } from '../../protocol/faults';
import type { HubFile } from './listing';

/** Suffixes of file names (transformers.js 4.3.2, src/utils/dtypes.js, DEFAULT_DTYPE_SUFFIX_MAPPING). */
const SUFFIXES = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
  q2: '_q2',
  q2f16: '_q2f16',
  q1: '_q1',
  q1f16: '_q1f16',
} as const;
export type HubDtype = keyof typeof SUFFIXES;
const DTYPES = Object.keys(SUFFIXES) as HubDtype[];

/**
 * `model`: one graph. `embed+decoder`: multimodal exports (Qwen3.5, Gemma 3 4B), whose text part is two graphs
 * (transformers.js, src/models/session_config.js, text_only_sessions).
 */
export type Layout = 'model' | 'embed+decoder';
const GRAPHS: Record<Layout, readonly string[]> = {
  model: ['model'],
  'embed+decoder': ['embed_tokens', 'decoder_model_merged'],
};

/** Files beside the weights. transformers.js asks for them; only config.json has to be there. */
const SIDE_FILES = ['generation_config.json', 'tokenizer.json', 'tokenizer_config.json'];
const CONFIG_FILE = 'config.json';
/** transformers.js loads at most so many (src/utils/hub.js, MAX_EXTERNAL_DATA_CHUNKS). */
const MAX_DATA_FILES = 100;

export interface HubVariant {
  dtype: HubDtype;
  layout: Layout;
  /** Config and tokenizer files, graphs and their external data. */
  files: HubFile[];
  /** Paths of the graphs; the decoder, which has the cache inputs, is the last. */
  graphs: string[];
  /** Sum of all files; null when a size is unknown. */
  bytes: number | null;
  /** Files that the names or config.json promise, but that are not there: such a variant cannot run. */
  missing: string[];
}

/**
 * The variants of a repository, most exact first.
 * @param config the parsed config.json, whose `transformers.js_config` announces external data.
 * @throws LabError model-encoder-decoder, hub-no-onnx.
 */
export function variantsOf(files: readonly HubFile[], config: unknown): HubVariant[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const layout = layoutOf(byPath, config);
  if (layout === null) {
    const encoder = files.some(({ path }) => /^onnx\/(text_)?encoder_model\w*\.onnx$/.test(path));
    throw new LabError(encoder ? 'model-encoder-decoder' : 'hub-no-onnx');
  }
  return DTYPES.filter((dtype) => byPath.has(graphPath(layout, dtype))).map((dtype) =>
    variant(byPath, layout, dtype, config),
  );
}

/**
 * The variant of a dtype, with all its files.
 * @param where the repository or folder, for the sentence.
 * @throws LabError hub-dtype-missing naming those there are, hub-file-missing.
 */
export function variantFor(variants: readonly HubVariant[], dtype: string, where: string): HubVariant {
  const found = variants.find((candidate) => candidate.dtype === dtype);
  if (!found) {
    const known = variants.map((candidate) => candidate.dtype).join(', ');
    throw new LabError('hub-dtype-missing', { dtype, known, where });
  }
  const [file] = found.missing;
  if (file !== undefined) throw new LabError('hub-file-missing', { file, where });
  return found;
}

/** True for graphs and external data: the weights as they are loaded. */
export function isModelFile(path: string): boolean {
  return /\.onnx(_data(_\d+)?)?$/.test(path);
}

/** The decoder's path: the graph that has the cache inputs. */
function graphPath(layout: Layout, dtype: HubDtype): string {
  return `onnx/${GRAPHS[layout].at(-1) ?? ''}${SUFFIXES[dtype]}.onnx`;
}

/** A repository that has both layouts is read as its architecture says. Null when it has neither. */
function layoutOf(byPath: ReadonlyMap<string, HubFile>, config: unknown): Layout | null {
  const has = (layout: Layout): boolean => DTYPES.some((dtype) => byPath.has(graphPath(layout, dtype)));
  const embeds = DTYPES.some((dtype) => byPath.has(`onnx/embed_tokens${SUFFIXES[dtype]}.onnx`));
  const encodes = [...byPath.keys()].some((path) => /^onnx\/encoder_model\w*\.onnx$/.test(path));
  const split = embeds && !encodes && has('embed+decoder');
  if (!has('model')) return split ? 'embed+decoder' : null;
  const architectures = field(config, 'architectures');
  const multimodal =
    Array.isArray(architectures) &&
    architectures.some((name) => String(name).endsWith('ForConditionalGeneration'));
  return split && multimodal ? 'embed+decoder' : encodes ? null : 'model';
}

function variant(
  byPath: ReadonlyMap<string, HubFile>,
  layout: Layout,
  dtype: HubDtype,
  config: unknown,
): HubVariant {
  const graphs = GRAPHS[layout].map((name) => `onnx/${name}${SUFFIXES[dtype]}.onnx`);
  const data = GRAPHS[layout].flatMap((name) => dataFiles(byPath, name, SUFFIXES[dtype], config));
  const wanted = [CONFIG_FILE, ...graphs, ...data];
  const paths = [...wanted, ...SIDE_FILES].filter((path) => byPath.has(path));
  const files = paths.flatMap((path) => byPath.get(path) ?? []);
  const known = files.every(({ bytes }) => bytes !== null);
  return {
    dtype,
    layout,
    files,
    graphs,
    bytes: known ? files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) : null,
    missing: wanted.filter((path) => !byPath.has(path)),
  };
}

/** External data of a graph: what is listed under its name, and what config.json announces. */
function dataFiles(
  byPath: ReadonlyMap<string, HubFile>,
  name: string,
  suffix: string,
  config: unknown,
): string[] {
  const graph = `${name}${suffix}.onnx`;
  const prefix = `onnx/${graph}_data`;
  const listed = [...byPath.keys()].filter(
    (path) => path.startsWith(prefix) && /^(_\d+)?$/.test(path.slice(prefix.length)),
  );
  const announced = Array.from({ length: announcedData(config, graph, name) }, (_, n) =>
    n === 0 ? prefix : `${prefix}_${n}`,
  );
  return [...new Set([...announced, ...listed])];
}

/**
 * `use_external_data_format`: true or a number for all graphs, or one by file name or base name
 * (transformers.js, src/utils/model-loader.js, resolveExternalDataFormat).
 */
function announcedData(config: unknown, graph: string, name: string): number {
  const format = field(field(config, 'transformers.js_config'), 'use_external_data_format');
  const own = field(format, graph) ?? field(format, name) ?? format;
  const files = typeof own === 'boolean' ? Number(own) : own;
  return typeof files === 'number' && Number.isInteger(files) && files > 0
    ? Math.min(files, MAX_DATA_FILES)
    : 0;
}
