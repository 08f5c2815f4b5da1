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
  // Merging records
  'merge-too-few': 'One record alone is nothing to merge: give two or more.',
  'merge-recipes':
    '{first} and {second} have different recipes ({option} is “{expected}” in the first and “{found}” in the second), so they cannot be merged.',
  'merge-models':
    '{first} and {second} measured different models under the id {model} (its {field} differs), so they cannot be merged.',
  'merge-redundancy':
    '{name} is a record of the experiment redundancy, which is worked out as a whole and cannot be merged. Compare such records instead.',
  'merge-missing':
    'The merged record is not complete; missing of the plan: {missing}. Measure that with verify --shard, then merge it too.',
  // The history
  'history-blocked':
    'This browser keeps no history here (a private window, or blocked storage): {detail}. Everything else works; export JSON to keep a record.',
  'history-full':
    'The browser has no room for another record in the history. Delete some there, or export this one as JSON.',
  'history-newer':
    'The history was made by a newer version of KV Cache Lab. Reload the page to get the newest version.',
  'history-other-tab':
    'Another tab has an older version of this page open and holds the history. Close that tab, then try again.',
  'history-gone': 'This record is no longer in the history; it was deleted in another tab.',
  'history-damaged': 'This record of the history is damaged and can only be deleted: {detail}',
  // The config.json
  'config-empty': 'There is no text to read: paste the config.json of a model.',
  'config-html':
    'This is a web page, not a config.json: take the raw file (on the hub, “resolve” instead of “blob” in its address).',
  'config-truncated':
    'The object in this text is never closed, so fields may be missing: paste the whole config.json.',
  'config-not-json': 'This is not JSON: {detail}.',
  'config-too-long':
    'This text has {characters} characters; a config.json has a few thousand, and at most {limit} are read.',
  'config-not-object': 'A config.json is a JSON object; this is {found}.',
  'config-missing-field': 'config.json lacks “{field}”, without which the cache size is unknown.',
  'config-bad-field': 'config.json has “{field}” = {value}; it must be {expected}.',
  'config-unknown-family':
    'The cache of model_type “{modelType}” is not known to this version (see its “{field}”): it is of another kind than those that are read. Set the numbers by hand.',
  'config-no-cache':
    'Going by its “{field}”, “{modelType}” is an encoder: it sees all tokens at once and keeps no KV cache. Choose a model that generates text.',
  // The device
  'webgpu-insecure': 'WebGPU needs a secure page: open this page over HTTPS or from localhost.',
  'webgpu-missing': 'This browser has no WebGPU.',
  'webgpu-no-adapter': 'The browser has WebGPU, but no GPU adapter is available.',
  'webgpu-device-refused': 'The GPU refused to open a device: {detail}.',
  'webgpu-limit': 'The GPU allows {limit} = {offered}, but {asked} was asked for.',
  'fp16-unsupported':
    'This GPU does not offer shader-f16, so float16 cannot run on WebGPU here. Choose float32 or the WASM backend.',
  'download-needed':
    'A model has to be downloaded first ({bytes} bytes): press Run in the page and agree, or give verify --download.',
  'download-declined': 'The model was not downloaded, so nothing was run.',
  'local-needs-folder':
    'The folder “{folder}” has to be chosen again: a page cannot keep or share the place of a folder.',
  'bf16-unsupported':
    'bfloat16 is not measurable in onnxruntime-web, which has no such tensors; this row is the formula alone.',
  'dtype-not-built':
    'A model that the page builds has the variants {available}; “{dtype}” exists only in repositories of the hub.',
  'twin-not-built':
    'No twin of this {model} can be built: its cache has a part that this version does not build ({what}). Its formula stands.',
  'config-needs-paste':
    'The model “{model}” is a config.json that was pasted; a link cannot carry it. Paste the same config.json again to measure it.',
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
  'static-full':
    'The static cache has room for {room} tokens per sequence, so {tokens} were refused. Choose more room, or let the cache move to larger buffers.',
  'paged-full':
    'The pool has blocks of {block} tokens for {room} tokens per sequence, so {tokens} were refused. Choose more room, or let the pool get more blocks.',
  'paged-not-grouped':
    'The paged policy needs a graph whose attention appends in place (GroupQueryAttention in every layer); that of {model} joins old and new tokens instead. Choose the dynamic policy for it.',
  'paged-states':
    'The paged policy keeps blocks of keys and values only; the graph of {model} also keeps states ({tensor}). Choose the dynamic policy for it.',
  'static-not-grouped':
    'The static policy needs a graph whose attention appends in place (GroupQueryAttention in every layer); that of {model} joins old and new tokens instead. Choose the dynamic policy for it.',
  'static-states':
    'The static policy holds keys and values only; the graph of {model} also keeps states ({tensor}). Choose the dynamic policy for it.',
  'static-dims':
    'The graph made the cache tensor {tensor} with the dims [{found}], which do not fit the preallocated [{expected}]. Choose the dynamic policy for this model.',
  'quantised-states':
    'The quantised policy keeps keys and values in integers, nothing else; the graph of {model} also keeps states ({tensor}). Choose the dynamic policy for it.',
  'quantised-not-grouped':
    'The quantised policy needs GroupQueryAttention in every layer, which {model} does not have (a head dim of {headDim}, or values unlike keys). Choose the dynamic policy for it.',
  'quantised-head-dim':
    'ONNX Runtime does not quantise heads of {headDim} elements to {bits} bits on this backend, so {model} cannot be measured so. Choose other bits, WASM, or the dynamic policy.',
  'quantised-fixed-graph':
    'The quantised policy needs a graph made for it: the ONNX file of {model} says how long a row of floats is, and a row of integers is shorter. Choose its twin, or the dynamic policy.',
  'quantised-not-offered': 'A quantised cache is not offered by this onnxruntime-web on {backend}: {detail}.',
  'allocator-failed': 'The allocator mode “{mode}” failed in this onnxruntime-web: {detail}.',
  'runtime-load-failed': 'ONNX Runtime could not be loaded: {detail}.',
  'model-load-failed': 'The model “{model}” could not be loaded: {detail}.',
  // The model file
  'model-corrupt':
    'The model file “{file}” is no ONNX file, or is damaged: {detail}. Delete its stored copy and load it again.',
  'model-no-cache':
    'The model file has no cache inputs (past_key_values…), so it cannot keep a KV cache; choose an export with past.',
  'model-cache-shape':
    'The size of the cache input “{tensor}” [{dims}] cannot be told from the model file; choose another export.',
  'model-cache-type':
    'The cache inputs have elements of type “{type}”, whose size this version does not know.',
  // The hub and local folders
  'hub-bad-id': '“{id}” is no model id: write owner/name, or owner/name@revision for one revision.',
  'hub-bad-host':
    '“{host}” is no address of a model hub: write https:// and its name (http:// only on this computer), without user, query or token.',
  'hub-gated':
    '{host} does not give out {repo} without access (HTTP {status}): it is gated, private or misspelt. This page never asks for a token; choose a public repository, or load a local folder.',
  'hub-not-found':
    'There is no repository {repo} with the revision “{revision}” at {host}. Check its spelling, or choose one from the list.',
  'hub-file-missing': '{where} lacks the file {file}. Choose another dtype or another repository.',
  'hub-no-onnx':
    'This repository has no onnx/model….onnx that transformers.js loads. Choose one with ONNX files, such as those of onnx-community.',
  'hub-dtype-missing': '{where} has no variant “{dtype}”. Choose one of: {known}.',
  'hub-busy':
    '{host} is too busy or out of order (HTTP {status} after {tries} tries). Try again in some minutes; what was downloaded is kept.',
  'hub-unreachable':
    '{host} cannot be reached ({tries} tries). Check the connection and the host in the settings; what was downloaded is kept.',
  'hub-stalled':
    'The download of {file} from {host} stalled {tries} times: no byte came for {seconds} seconds. Start it again; it goes on from what was stored.',
  'hub-truncated':
    'The file {file} ended after {received} of {expected} bytes. Start the download again; if it ends there again, the host has a damaged copy.',
  'hub-overlong':
    'The file {file} has more than the {expected} bytes that the repository lists, so it is another file. Choose another host, or report it there.',
  'hub-wrong-type':
    'In place of {file} came {found}; nothing of it was stored. Check the host in the settings, then try again.',
  'hub-bad-listing':
    'The file list from {host} cannot be read ({detail}). Check whether the host in the settings is a model hub.',
  'hub-status': '{host} refused {file} (HTTP {status}). Try again later, or choose another host.',
  'storage-full':
    'The browser’s storage is full: {needed} bytes are needed and {free} are free. The model stays in memory for this run and is downloaded again for the next one.',
  'storage-failed':
    'The browser’s storage failed ({detail}). The model stays in memory for this run and is downloaded again for the next one.',
  'storage-none':
    'This page has no storage for models here: open it over HTTPS or from localhost. The model stays in memory for this run.',
  'storage-stalled':
    'The browser’s storage did not answer for {seconds} seconds. The model is downloaded without it and stays in memory for this run.',
  'model-encoder-decoder':
    'This is an encoder-decoder model; this version runs decoders only. Choose a text-generation model.',
  'model-too-large':
    'The model’s files have {bytes} bytes; ONNX Runtime Web has room for at most {limit} in its 32-bit memory. Choose a smaller dtype or model.',
  'model-file-too-large':
    'The file {file} has {bytes} bytes; an ONNX file has at most {limit}. Choose a smaller dtype, or an export with external data.',
  'local-no-config':
    'The folder “{folder}” has no config.json. Choose the folder of a model: config.json with the ONNX files beside it or in “onnx”.',
  'local-no-onnx':
    'The folder “{folder}” has a config.json, but no .onnx file beside it or in “onnx”. Add the ONNX files.',
  'local-several': 'Here are several models ({folders}). Choose the folder of one.',
  'run-failed': 'The forward pass failed: {detail}.',
  'worker-failed': 'The measuring worker stopped unexpectedly: {detail}.',
  'page-outdated':
    'A newer version of this page was published, so a part of it is gone. Reload the page; the link keeps your settings.',
  'page-offline':
    'The page’s own server cannot be reached, so a part of the page could not be loaded. Connect again and press Run; nothing measured is lost.',
  'no-tokenizer':
    'The model has no tokenizer.json, so a text cannot be turned into tokens; leave the prompt empty for random tokens.',
  'cache-type-unknown': 'The model’s cache has the element type “{type}”, which this version cannot make.',
  'prompt-empty': 'The prompt has no tokens.',
  // Serving
  'serving-pool-too-large':
    'A pool of {pool} tokens of this model needs {bytes} bytes, more than the {limit} that are allowed here. Choose a pool of at most {most} tokens, a smaller model, or fp16.',
  'serving-no-rows':
    'A token of the model “{model}” adds {bytes} bytes to its cache; a pool needs rows of a fixed size, a multiple of 4 bytes. Choose a model that keeps keys and values of every token.',
  'serving-no-memory':
    'The browser gave no memory for a pool of {bytes} bytes ({detail}). Choose a smaller pool or a smaller model.',
  'merge-serving':
    '{first} and {second} found different pools in the experiment serving ({system}), so they cannot be merged. Compare them instead.',
  // Redundancy and its documents
  // The list, with each document's tokens in brackets, is the same in every language.
  'documents-too-short':
    'Too short (tokens in brackets): {list}; {needed} are needed. Choose longer texts, or keep or skip fewer tokens.',
  'documents-none': 'No document is chosen: choose at least one.',
  'documents-too-few':
    'Documents: {count} given, at least {needed} needed. Leaving one out to test and one more to choose lambda takes 3. Add documents.',
  'document-missing':
    'The document “{name}” is not here: a link cannot carry a text of your own. Add the text under the same name, or choose another.',
  'document-page-only':
    'The document “{name}” is a text of your own, which only the page can take: add it there, or choose built-in texts.',
  'document-empty': 'The text is empty: paste one, or choose a file.',
  'document-not-text':
    'The document “{name}” is not text in UTF-8: {detail}. Save it as UTF-8 text (.txt or .md).',
  'document-too-large':
    'The document “{name}” has {bytes} bytes; at most {limit} are read. Give its first part: only its first tokens are used.',
  'redundancy-few-layers':
    'Layers with a full KV cache in the model “{model}”: {layers}. At least 2 are needed, so that one can predict another. Choose another model.',
  'redundancy-one-model':
    'This experiment looks into one model at a time, and {count} were given. Choose one.',
  'redundancy-too-large':
    'Layers with {channels} channels need {bytes} bytes for the Gram matrices, more than the {limit} that are allowed here. Choose a smaller model.',
  'redundancy-over-maximum':
    'Tokens skipped + kept are {tokens}; this model takes {maximum}: keep at most {keep}.',
  'redundancy-skip-over-maximum':
    'Tokens skipped + kept are {tokens}; this model takes {maximum}: skip at most {skip}, and keep at most what is left.',
  'redundancy-bf16':
    'The page cannot measure bfloat16, so there are no keys and values to predict: choose fp32 or fp16.',
  'cache-not-finite':
    'The cache has a value that is no finite number: layer {layer}, {kind}, document “{name}”, token {token}. Nothing can be worked out from it; try another dtype or device.',
  'solver-failed': 'The regression could not be solved: {detail}.',
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
