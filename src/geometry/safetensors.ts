/** Bytes of weights from a safetensors index or from the header of a safetensors file. */
import { isObject } from './fields';
import { showValue } from './geometry-error';

export type SafetensorsFault =
  | 'safetensors-index-foreign'
  | 'safetensors-index-no-size'
  | 'safetensors-header-short'
  | 'safetensors-header-foreign'
  | 'safetensors-header-tensor';

/** English sentences of the faults, `{name}` filled from the params. */
export const SAFETENSORS_FAULTS: Record<SafetensorsFault, string> = {
  'safetensors-index-foreign':
    'This is no safetensors index: its “{field}” is {value}; take model.safetensors.index.json.',
  'safetensors-index-no-size':
    'This safetensors index has no total_size in its metadata; sum its {files} files, or give the size of the weights.',
  'safetensors-header-short':
    'The header of this safetensors file needs {needed} bytes, and {received} are here.',
  'safetensors-header-foreign': 'This is no safetensors file: {detail}.',
  'safetensors-header-tensor':
    'The safetensors header gives the tensor “{tensor}” data_offsets {value}; they must be two whole numbers, the second not smaller.',
};

/** Thrown instead of a wrong size; codes and params are those of {@link SAFETENSORS_FAULTS}. */
export class SafetensorsError extends Error {
  constructor(
    readonly code: SafetensorsFault,
    readonly params: Record<string, string | number>,
  ) {
    super(SAFETENSORS_FAULTS[code].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])));
    this.name = 'SafetensorsError';
  }
}

export interface SafetensorsIndex {
  /** Bytes of all tensors by `metadata.total_size`. */
  bytes: number;
  tensors: number;
  /** Names of the shards, each once, in the order of the index. */
  files: string[];
}

/**
 * Reads a parsed `model.safetensors.index.json` as huggingface_hub writes it: `metadata.total_size` (bytes of the tensors
 * without headers; a float in older files) and `weight_map` (tensor → file).
 * @throws SafetensorsError safetensors-index-foreign, safetensors-index-no-size.
 */
export function parseSafetensorsIndex(json: unknown): SafetensorsIndex {
  const map = isObject(json) ? json['weight_map'] : undefined;
  if (!isObject(json) || !isObject(map) || Object.values(map).some((file) => typeof file !== 'string'))
    throw new SafetensorsError('safetensors-index-foreign', { field: 'weight_map', value: showValue(map) });
  const files = [...new Set(Object.values(map) as string[])];
  const metadata = json['metadata'];
  const size = isObject(metadata) ? metadata['total_size'] : undefined;
  if (size === undefined || size === null)
    throw new SafetensorsError('safetensors-index-no-size', { files: files.length });
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 1) {
    const params = { field: 'metadata.total_size', value: showValue(size) };
    throw new SafetensorsError('safetensors-index-foreign', params);
  }
  return { bytes: size, tensors: Object.keys(map).length, files };
}

export interface SafetensorsHeader {
  /** Bytes of all tensors of this file. */
  bytes: number;
  tensors: number;
  /** Bytes before the tensors: the length field and the header. */
  headerBytes: number;
}

/** Bytes of the length field: an unsigned 64-bit integer, little-endian (safetensors README, "Format"). */
const LENGTH_BYTES = 8;
/** Largest header that safetensors itself reads (safetensors tensor.rs MAX_HEADER_SIZE). */
const MAX_HEADER = 100_000_000;

/**
 * Bytes that the start of a safetensors file must have for {@link parseSafetensorsHeader}: the length field and the header.
 * @param bytes At least the first 8 bytes.
 * @throws SafetensorsError safetensors-header-short, safetensors-header-foreign.
 */
export function safetensorsHeaderBytes(bytes: Uint8Array): number {
  if (bytes.length < LENGTH_BYTES) throw short(LENGTH_BYTES, bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getBigUint64(0, true);
  if (length > MAX_HEADER || length < 2n) throw foreign('it does not begin with the length of a header');
  return LENGTH_BYTES + Number(length);
}

/**
 * Sums the tensors of one file: the end minus the begin of each `data_offsets`.
 * @param bytes The start of the file, at least {@link safetensorsHeaderBytes} long; what follows is not read.
 * @throws SafetensorsError safetensors-header-short, safetensors-header-foreign, safetensors-header-tensor.
 */
export function parseSafetensorsHeader(bytes: Uint8Array): SafetensorsHeader {
  const headerBytes = safetensorsHeaderBytes(bytes);
  if (bytes.length < headerBytes) throw short(headerBytes, bytes);
  const tensors = Object.entries(parseJson(bytes.subarray(LENGTH_BYTES, headerBytes))).filter(
    ([name]) => name !== '__metadata__',
  );
  const size = tensors.reduce((sum, [name, tensor]) => sum + tensorBytes(name, tensor), 0);
  return { bytes: size, tensors: tensors.length, headerBytes };
}

function parseJson(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isObject(value)) return value;
  } catch {
    // Falls through to the same sentence.
  }
  throw foreign('its header is no JSON object');
}

function tensorBytes(name: string, tensor: unknown): number {
  const offsets = isObject(tensor) ? tensor['data_offsets'] : undefined;
  const [begin, end] = (Array.isArray(offsets) && offsets.length === 2 ? offsets : []) as unknown[];
  if (isCount(begin) && isCount(end) && end >= begin) return end - begin;
  const params = { tensor: name.slice(0, 100), value: showValue(offsets) };
  throw new SafetensorsError('safetensors-header-tensor', params);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function foreign(detail: string): SafetensorsError {
  return new SafetensorsError('safetensors-header-foreign', { detail });
}

function short(needed: number, bytes: Uint8Array): SafetensorsError {
  return new SafetensorsError('safetensors-header-short', { needed, received: bytes.length });
}
