/**
 * Everything that can go wrong, as data: a code from a closed list and the values that its sentence needs.
 * Faults cross the worker boundary and are stored in records; the sentence is made where it is shown.
 */
import { GeometryError } from '../geometry/geometry-error';

/** English sentences, one a code. `{name}` is replaced by the fault's parameter of that name. */
export const FAULT_SENTENCES = {
  // The recipe and the link
  'recipe-bad-value': '“{value}” is not a valid value for {option}: {expected}.',
  'recipe-unknown-option':
    'The link has an option “{option}” that this version does not know; it was ignored.',
  'recipe-unknown-model': 'There is no model “{model}” here. Choose one of: {known}.',
  'link-damaged': 'The results in this link are damaged and were ignored; the settings in it still work.',
  'link-newer':
    'This link was made by a newer version of KV Cache Lab (format {version}). Reload the page to get the newest version.',
  'link-too-long':
    'The results in this link are {bytes} bytes long; a link of ours has at most {limit}. They were ignored.',
  'record-not-json': 'This file is not JSON: {detail}.',
  'record-foreign': 'This file is not a KV Cache Lab record: its field “{field}” is {problem}.',
  'record-newer':
    'This record has the schema “{schema}”, which is newer than this version reads ({known}). Reload the page to get the newest version.',
  'record-too-large': 'This file is {bytes} bytes; a record is at most {limit} bytes.',
  // The config.json
  'config-not-json': 'This is not JSON: {detail}.',
  'config-too-long':
    'This text has {characters} characters; a config.json has a few thousand, and at most {limit} are read.',
  'config-not-object': 'A config.json is a JSON object; this is {found}.',
  'config-missing-field': 'config.json lacks “{field}”, without which the cache size is unknown.',
  'config-bad-field': 'config.json has “{field}” = {value}; it must be {expected}.',
  'config-unknown-family':
    'The cache of model_type “{modelType}” is not known to this version (see its “{field}”); only decoders that keep full keys and values in every layer are read.',
  // The device
  'webgpu-insecure': 'WebGPU needs a secure page: open this page over HTTPS or from localhost.',
  'webgpu-missing': 'This browser has no WebGPU.',
  'webgpu-no-adapter': 'The browser has WebGPU, but no GPU adapter is available.',
  'webgpu-device-refused': 'The GPU refused to open a device: {detail}.',
  'webgpu-limit': 'The GPU allows {limit} = {offered}, but {asked} was asked for.',
  'fp16-unsupported':
    'This GPU does not offer shader-f16, so float16 cannot run on WebGPU here. Choose float32 or the WASM backend.',
  'device-lost': 'The GPU device was lost ({detail}).',
  'out-of-memory': 'Out of GPU memory: the device held {bytes} bytes when an allocation failed ({detail}).',
  'wasm-out-of-memory': 'ONNX Runtime’s WASM memory is exhausted ({detail}).',
  'gpu-error': 'The GPU reported an error during the run, so its numbers cannot be trusted: {detail}.',
  'buffer-too-large':
    'One cache tensor would need {bytes} bytes, more than this device’s {limit} of {allowed} bytes ({tensor}).',
  // The run
  'over-max-position': '{tokens} tokens are over the model’s maximum position {maximum}.',
  'cache-mismatch':
    'The cache of layer “{tensor}” is {found} after a step; {expected} was expected. The run was stopped.',
  'allocator-failed': 'The allocator mode “{mode}” failed in this onnxruntime-web: {detail}.',
  'runtime-load-failed': 'ONNX Runtime could not be loaded: {detail}.',
  'model-load-failed': 'The model “{model}” could not be loaded: {detail}.',
  'run-failed': 'The forward pass failed: {detail}.',
  'worker-failed': 'The measuring worker stopped unexpectedly: {detail}.',
  'page-outdated':
    'A newer version of this page was published, so a part of it is gone. Reload the page; the link keeps your settings.',
  'prompt-empty': 'The prompt has no tokens.',
  cancelled: 'Cancelled.',
  interrupted: 'The page was reloaded or closed while this run was going on.',
} as const;

export type FaultCode = keyof typeof FAULT_SENTENCES;

/** What went wrong. `params` fill the sentence; `detail` is the raw text of the library or browser, for copying. */
export interface Fault {
  code: FaultCode;
  params: Record<string, string | number>;
  detail?: string | undefined;
}

/** An Error that carries a {@link Fault}. */
export class LabError extends Error {
  readonly fault: Fault;
  constructor(code: FaultCode, params: Fault['params'] = {}, detail?: string) {
    super(fillSentence(FAULT_SENTENCES[code], params));
    this.name = 'LabError';
    this.fault = { code, params, ...(detail === undefined ? {} : { detail }) };
  }
}

/** Replaces every `{name}` in a sentence by its parameter; a missing parameter stays visible as `{name}`. */
export function fillSentence(sentence: string, params: Fault['params']): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : typeof value === 'number' ? value.toLocaleString('en-US') : value;
  });
}

/** The English sentence of a fault, for records, terminals and logs. */
export function describeFault(fault: Fault): string {
  return fillSentence(FAULT_SENTENCES[fault.code], fault.params);
}

/**
 * Any thrown value as a fault: a LabError's own, a GeometryError under the same code, else `fallback` with the message as
 * its `detail` and what else its sentence needs in `params` (such as the model).
 */
export function toFault(error: unknown, fallback: FaultCode, params: Fault['params'] = {}): Fault {
  if (error instanceof LabError) return error.fault;
  if (error instanceof GeometryError) return { code: error.code, params: error.params };
  const message = error instanceof Error ? error.message : String(error);
  return { code: fallback, params: { ...params, detail: message }, detail: message };
}
