/** The planner's options: parsed from a link or a form and written back, like a recipe's. Known only with experiment=capacity. */
import { GPUS } from '../geometry/capacity/gpus';
import type { EngineId } from '../geometry/engines/engine';
import { kvDtype, KV_DTYPES } from '../geometry/engines/kv-dtype';
import type { CapacityState } from './capacity';
import { cut, once, wholeNumber, wholeNumbers, type Option, type Parsed } from './option-kinds';

const MAX_MODELS = 8;
const MAX_CONTEXTS = 12;
export const MAX_CONTEXT_TOKENS = 16_777_216;
const MAX_SESSIONS = 1_000_000;
const MAX_GPUS = 1024;
/** 4 TiB: more than any GPU has or any weights take, and times 1,024 GPUs still an exact integer. */
const MAX_BYTES = 2 ** 42;

/** Ids of the engines; engines/index.ts has their rules, which the first paint does not load. */
export const ENGINE_IDS = [
  'ideal',
  'transformers.js',
  'vllm',
  'llama.cpp',
  'preallocated',
] as const satisfies readonly EngineId[];
const ENGINE_ALIASES: Readonly<Record<string, EngineId>> = {
  onnx: 'transformers.js',
  llamacpp: 'llama.cpp',
  'llama-cpp': 'llama.cpp',
};

const HUB_ID = /^[\w.-]+\/[\w.-]+(@[\w.-]+)?$/;
const CONFIG_ID = /^config:[\w.-]+$/;
const TYPED_ID =
  /^typed:([\p{L}\p{N}\p{M} _.()+-]{1,60}):(\d{1,13}(?:\.\d{1,3})?)(?::(\d{1,16})(?::(\d{1,16}))?)?$/u;

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  bytes: 1,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
};

/** A model that was typed: bytes as somebody reports them. */
export interface TypedModel {
  name: string;
  bytesPerToken: number;
  fixedBytes: number;
  /** Null where the text gives none. */
  weightBytes: number | null;
}

/** Reads `typed:<name>:<bytes per token>[:<fixed bytes>[:<weight bytes>]]`; null for any other text. */
export function readTyped(id: string): TypedModel | null {
  const [, name, perToken, fixed, weights] = TYPED_ID.exec(id) ?? [];
  if (name === undefined || perToken === undefined) return null;
  const bytesPerToken = Number(perToken);
  const fixedBytes = Number(fixed ?? 0);
  const weightBytes = weights === undefined ? null : Number(weights);
  const small = bytesPerToken > 0 && fixedBytes <= MAX_BYTES && (weightBytes ?? 0) <= MAX_BYTES;
  return small ? { name, bytesPerToken, fixedBytes, weightBytes } : null;
}

/** The id of a typed model, in the shortest form. */
export function typedId({ name, bytesPerToken, fixedBytes, weightBytes }: TypedModel): string {
  const rest = weightBytes === null ? (fixedBytes === 0 ? [] : [fixedBytes]) : [fixedBytes, weightBytes];
  return ['typed', name, bytesPerToken, ...rest].join(':');
}

/** Reads `<model id>:<bytes>` of the `weights` option; null for any other text. */
export function readWeights(text: string): { model: string; bytes: number } | null {
  const [, model = '', size = ''] = /^(.+):([^:]+)$/.exec(text) ?? [];
  const bytes = readBytes(size);
  return bytes !== null && isPlannedId(model) ? { model, bytes } : null;
}

/** Whether a text can name a model of the planner. */
export function isPlannedId(text: string): boolean {
  if (text.length > 200 || text.includes('..')) return false;
  return HUB_ID.test(text) || CONFIG_ID.test(text) || readTyped(text) !== null;
}

/** Whole bytes from `85899345920`, `80GiB` or `79.6 GB` (thousands may be parted by commas); null for any other text. */
export function readBytes(text: string): number | null {
  const plain = text.trim().replace(/(?<=\d),(?=\d{3}(\D|$))/g, '');
  const [, digits, unit = ''] = /^(\d{1,16}(?:\.\d{1,6})?)\s*([a-z]*)$/i.exec(plain) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (digits === undefined || factor === undefined || !Object.hasOwn(UNITS, unit.toLowerCase())) return null;
  const bytes = Number(digits) * factor;
  const whole = Math.round(bytes);
  return whole <= MAX_BYTES && (factor > 1 || Number.isSafeInteger(bytes)) ? whole : null;
}

/** Bytes as the link has them: whole GiB or MiB with their unit, else the plain number. */
export function writeBytes(bytes: number): string {
  if (bytes > 0 && bytes % 2 ** 30 === 0) return `${bytes / 2 ** 30}GiB`;
  return bytes > 0 && bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20}MiB` : String(bytes);
}

/** Id, name and bytes of a GPU as the state names it. @throws RangeError for a text that the option would refuse. */
export function gpuOf(text: string): { id: string | null; name: string; bytes: number } {
  const known = findGpu(text);
  if (known !== null) return known;
  const bytes = readBytes(text);
  if (bytes === null || bytes === 0)
    throw new RangeError(`“${cut(text)}” is no GPU of the list and no number of bytes`);
  return {
    id: null,
    name: `${(bytes / 2 ** 30).toLocaleString('en-US', { maximumFractionDigits: 2 })} GiB GPU`,
    bytes,
  };
}

function findGpu(text: string): { id: string; name: string; bytes: number } | null {
  const wanted = text.trim().toLowerCase();
  return GPUS.find(({ id }) => id.toLowerCase() === wanted) ?? null;
}

function gpu(): Option<string> {
  const listed = GPUS.map(({ id }) => id).join(', ');
  const read = (text: string): string | null => {
    const known = findGpu(text);
    if (known !== null) return known.id;
    const bytes = readBytes(text);
    return bytes === null || bytes === 0 ? null : writeBytes(bytes);
  };
  return {
    form: { control: 'text', maxBytes: 40 },
    parse: once(read, {
      expected: `use bytes such as 80GiB or 85899345920, or one of ${listed}`,
      kind: 'gpu',
      values: listed,
    }),
    serialise: (value) => [value],
  };
}

/** Whole bytes, as {@link readBytes} reads and {@link writeBytes} writes them. */
export function byteCount(): Option<number> {
  return {
    form: { control: 'text', maxBytes: 40 },
    parse: once(readBytes, { expected: 'use bytes, such as 2GiB, 512MiB or 2147483648', kind: 'bytes' }),
    serialise: (value) => [writeBytes(value)],
  };
}

/** Percent. A number up to 1 is a share of one, as vLLM's `gpu_memory_utilization` is written. */
function percent(): Option<number> {
  const read = (text: string): number | null => {
    const [, digits, sign = ''] = /^(\d{1,3}(?:\.\d{1,4})?)\s*(%?)$/.exec(text.trim()) ?? [];
    const value = Number(digits);
    if (digits === undefined || value <= 0 || value > 100) return null;
    return value <= 1 && sign === '' ? Number((value * 100).toFixed(4)) : value;
  };
  return {
    form: { control: 'text', maxBytes: 10 },
    parse: once(read, {
      expected: 'use a percentage over 0 and up to 100, such as 90, or a share such as 0.9',
      kind: 'share',
    }),
    // From 1 % down the sign tells it from a share.
    serialise: (value) => [value <= 1 ? `${value}%` : String(value)],
  };
}

function kv(): Option<string> {
  const listed = KV_DTYPES.map(({ id }) => id).join(', ');
  const read = (text: string): string | null => {
    try {
      return kvDtype(text).id;
    } catch {
      return null;
    }
  };
  return {
    form: { control: 'text', maxBytes: 16 },
    parse: once(read, {
      expected: `use one of ${listed}, or bits per element such as 3bit`,
      kind: 'kv',
      values: listed,
    }),
    serialise: (value) => [value],
  };
}

function engine(): Option<EngineId> {
  const values = ENGINE_IDS.join(', ');
  const read = (text: string): EngineId | null => {
    const wanted = text.trim().toLowerCase();
    if (Object.hasOwn(ENGINE_ALIASES, wanted)) return ENGINE_ALIASES[wanted] ?? null;
    return ENGINE_IDS.find((id) => id === wanted) ?? null;
  };
  return {
    form: { control: 'select', values: ENGINE_IDS },
    parse: once(read, { expected: `use one of ${values}`, kind: 'choice', values }),
    serialise: (value) => [value],
  };
}

/** Repeatable texts, each once. */
function repeated(
  isGood: (text: string) => boolean,
  kind: 'planned-models' | 'weights',
  expected: string,
): Option<string[]> {
  return {
    form: { control: 'models', maxItems: MAX_MODELS },
    parse: (texts): Parsed<string[]> => {
      const bad =
        texts.find((text) => !isGood(text)) ?? (texts.length > MAX_MODELS ? texts.join(', ') : undefined);
      const expectation = { expected, kind, items: MAX_MODELS };
      return bad === undefined ? { ok: true, value: [...new Set(texts)] } : { ok: false, bad, expectation };
    },
    serialise: (values) => values,
  };
}

export const CAPACITY_OPTIONS: { readonly [K in keyof CapacityState]: Option<CapacityState[K]> } = {
  model: repeated(
    isPlannedId,
    'planned-models',
    `use at most ${MAX_MODELS} models such as Qwen/Qwen3-8B or typed:name:890 (bytes per token)`,
  ),
  weights: repeated(
    (text) => readWeights(text) !== null,
    'weights',
    'use a model and the bytes of its weights, such as Qwen/Qwen3-8B:16381470720',
  ),
  gpu: gpu(),
  gpus: wholeNumber(1, MAX_GPUS),
  reserve: byteCount(),
  share: percent(),
  kv: kv(),
  engine: engine(),
  contexts: wholeNumbers(1, MAX_CONTEXT_TOKENS, MAX_CONTEXTS),
  sessions: wholeNumber(1, MAX_SESSIONS),
};

/** The options in the order in which they are written. */
export const CAPACITY_KEYS = Object.keys(CAPACITY_OPTIONS) as (keyof CapacityState)[];
