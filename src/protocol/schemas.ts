/** Records from outside: parsed by schema before anyone touches them. Loaded only when a file is imported. */
import * as v from 'valibot';
import { capacityResult, capacityState } from './capacity-schema';
import type { FaultCode } from './faults';
import { CHECK_PHRASES, type CheckPhraseKey } from './checks';
import { FAULT_SENTENCES, LabError } from './faults';
import { environment } from './environment-schema';
import { geometry } from './geometry-schema';
import { cut, valueFault } from './options';
import { policiesResult, policiesState, servingResult, servingState } from './policies-schema';
import { ALLOCATORS, CACHE_BITS, DEVICES, DTYPES, EXPERIMENTS, LANGS, OVERFLOWS, POLICIES } from './recipe';
import type { LabRecord } from './record';
import { CHECK_NAMES, RECORD_SCHEMA } from './record';
import { redundancyContradiction } from './redundancy-consistency';
import { redundancyResult, redundancyState } from './redundancy-schema';
import { amount, count, list, MAX_NAMES, name, table, text } from './schema-parts';
import { upgradeChain } from './upgrade';

/** Bytes of a file that is read at all. */
export const RECORD_LIMIT_BYTES = 20_000_000;

const RECORD_VERSION = 1;

const upgrade = upgradeChain('kvlab.record', RECORD_VERSION, {});

const signed = v.pipe(v.number(), v.safeInteger());
const maybeBytes = v.nullable(count);

/** A list, or one value alone: recipes of the first versions had one dtype and one batch. */
const oneOrMore = <T extends v.GenericSchema>(item: T) =>
  v.pipe(
    v.unknown(),
    v.transform((value): unknown[] => (Array.isArray(value) ? value : [value])),
    list(item),
  );

const fault = v.object({
  code: v.picklist(Object.keys(FAULT_SENTENCES) as FaultCode[], 'a known code'),
  params: table(v.union([text, v.pipe(v.number(), v.finite())])),
  detail: v.optional(text),
});

/** The types of each option; its limits are the options table's. */
const recipe = v.pipe(
  v.object({
    experiment: v.picklist(EXPERIMENTS),
    model: list(name),
    dtype: oneOrMore(v.picklist(DTYPES)),
    batch: oneOrMore(count),
    tokens: list(count),
    steps: count,
    prompt: text,
    policy: v.picklist(POLICIES),
    room: v.optional(count, 0),
    overflow: v.optional(v.picklist(OVERFLOWS), 'refuse'),
    bits: v.optional(v.picklist(CACHE_BITS), '8'),
    block: v.optional(count, 16),
    device: v.picklist(DEVICES),
    allocator: v.picklist(ALLOCATORS),
    chunk: count,
    seed: count,
    repeats: count,
    shard: v.optional(name, ''),
    lang: v.nullable(v.picklist(LANGS)),
    capacity: v.optional(capacityState),
    redundancy: v.optional(redundancyState),
    policies: v.optional(policiesState),
    serving: v.optional(servingState),
  }),
  v.check(
    (value) => valueFault(value) === null,
    (issue) => {
      const found = valueFault(issue.input);
      return found
        ? `no recipe (${String(found.params['option'])}: ${String(found.params['expected'])})`
        : 'no recipe';
    },
  ),
);

const modelFields = v.object({
  id: name,
  revision: name,
  source: v.picklist(['twin', 'built-in', 'hub', 'local']),
  dtype: v.picklist(DTYPES),
  geometry,
  geometryFrom: v.optional(v.picklist(['config', 'graph']), 'config'),
  cacheType: v.optional(name),
  graphCache: list(v.object({ name, type: name, dims: list(v.union([count, name]), 16) })),
  graphAttentionHeads: count,
  parameters: v.nullable(count),
  weightBytes: maybeBytes,
  graphBytes: count,
  bytesPerToken: count,
  cacheLocations: table(count),
  deviceBytes: v.object({
    beforeLoad: maybeBytes,
    loadPeak: v.optional(maybeBytes),
    loaded: maybeBytes,
    released: maybeBytes,
  }),
  loadMs: amount,
  notes: list(text, MAX_NAMES),
  quantised: v.optional(v.object({ bits: v.picklist(CACHE_BITS), scaleBytesBeside: count })),
  scaled: v.optional(
    v.object({
      layersMeasured: count,
      layersOf: count,
      whole: geometry,
      wholeFormulaBytes: v.optional(list(v.object({ batch: count, tokens: count, formulaBytes: count }))),
    }),
  ),
});

/** Records of the first versions did not say the cache's element type: their dtypes were the type. */
const model = v.pipe(
  modelFields,
  v.transform(({ cacheType, ...fields }) => ({
    ...fields,
    cacheType: cacheType ?? (fields.dtype === 'fp16' ? 'float16' : 'float32'),
  })),
);

/** Bytes that records of the first versions did not have. */
const laterBytes = v.optional(maybeBytes, null);

/** What cells and growths have in common. */
const subject = {
  model: name,
  dtype: v.picklist(DTYPES),
  batch: count,
  policy: v.picklist(POLICIES),
  allocator: v.picklist(ALLOCATORS),
  device: v.picklist(DEVICES),
  repeat: count,
};

const checkPhrase = v.object({
  key: v.picklist(Object.keys(CHECK_PHRASES) as CheckPhraseKey[]),
  params: table(v.union([text, v.pipe(v.number(), v.finite())])),
});

/** Of a preallocated cache; absent for one that grows. */
const preallocated = {
  usedBytes: v.optional(count),
  roomTokens: v.optional(count),
  roomFormulaBytes: v.optional(count),
  moves: v.optional(count),
  blockBytes: v.optional(count),
};

const cell = v.object({
  ...subject,
  ...preallocated,
  tokens: count,
  formulaBytes: count,
  tensorBytes: maybeBytes,
  residentBytes: maybeBytes,
  deviceBytes: v.object({ before: maybeBytes, after: maybeBytes, peak: maybeBytes }),
  processBytesBefore: laterBytes,
  processBytes: maybeBytes,
  logitsBytes: laterBytes,
  ratio: v.nullable(amount),
  prefillMs: v.nullable(amount),
  compiled: v.optional(count),
  skipped: v.nullable(text),
  fault: v.nullable(fault),
  background: v.boolean(),
});

const step = v.object({
  ...preallocated,
  tokens: count,
  formulaBytes: count,
  tensorBytes: count,
  residentBytes: maybeBytes,
  deviceBytes: maybeBytes,
  processBytes: laterBytes,
  deltaTensor: signed,
  deltaResident: v.nullable(signed),
  ms: amount,
  compiled: v.optional(count),
  copiedBytes: v.optional(count),
  peakDeviceBytes: v.optional(maybeBytes),
  background: v.boolean(),
});

const growth = v.object({
  ...subject,
  promptTokens: count,
  promptBytes: count,
  promptResidentBytes: maybeBytes,
  promptUsedBytes: v.optional(count),
  promptProcessBytes: laterBytes,
  stepsPlanned: count,
  steps: list(step),
  interrupted: v.nullable(text),
  fault: v.nullable(fault),
});

const record: v.GenericSchema<unknown, LabRecord> = v.object({
  schema: v.literal(RECORD_SCHEMA),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  recipe,
  // Shown as a link, so no other scheme; empty where a record was made without a page.
  url: v.pipe(v.string(), v.maxLength(20_000), v.regex(/^(https?:\/\/.*)?$/, 'no web address')),
  status: v.picklist(['running', 'done', 'cancelled', 'failed', 'interrupted']),
  environment: v.nullable(environment),
  models: list(model, MAX_NAMES),
  cells: list(cell),
  growth: list(growth, MAX_NAMES),
  checks: list(
    v.object({
      name: v.picklist(CHECK_NAMES),
      model: v.nullable(name),
      pass: v.boolean(),
      expected: text,
      measured: text,
      detail: text,
      policy: v.optional(v.picklist(POLICIES)),
      allocator: v.optional(v.picklist(ALLOCATORS)),
      phrases: v.optional(
        v.object({ expected: checkPhrase, measured: checkPhrase, detail: v.nullable(checkPhrase) }),
      ),
    }),
  ),
  faults: list(fault, MAX_NAMES),
  notMeasured: v.object({ resident: v.nullable(text), device: v.nullable(text), process: v.nullable(text) }),
  parts: v.optional(
    list(
      v.object({
        createdAt: v.pipe(v.string(), v.isoTimestamp()),
        shard: name,
        environment: v.nullable(environment),
        points: count,
      }),
      MAX_NAMES,
    ),
  ),
  redundancy: v.optional(v.nullable(redundancyResult), null),
  capacity: v.optional(v.nullable(capacityResult), null),
  policies: v.optional(v.nullable(policiesResult)),
  serving: v.optional(v.nullable(servingResult)),
});

/** What an issue finds wrong, as the words after “its field … is”. */
function problemOf(issue: v.BaseIssue<unknown>): string {
  if (issue.received === 'undefined') return 'missing';
  if (issue.type === 'check' || issue.type === 'regex') return cut(issue.message);
  const [, sign, limit] = /^([<>]=)(.+)$/.exec(issue.expected ?? '') ?? [];
  if (limit !== undefined) {
    // A limit that was given words of its own is told in these.
    const words = issue.message.startsWith('Invalid ')
      ? `at ${sign === '<=' ? 'most' : 'least'} ${limit} is allowed`
      : issue.message;
    return `${cut(issue.received)}${issue.type.endsWith('length') ? ' long' : ''}; ${words}`;
  }
  return `${cut(issue.received)}, not ${issue.expected === null ? 'what it should be' : cut(issue.expected)}`;
}

function foreign(field: string, problem: string): LabError {
  return new LabError('record-foreign', { field: cut(field), problem });
}

/** The version number in a record's `schema` field. */
function versionOf(json: unknown): number {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw foreign('(whole file)', Array.isArray(json) ? 'a list, not an object' : 'no object');
  }
  const schema: unknown = 'schema' in json ? json.schema : undefined;
  if (schema === undefined) throw foreign('schema', 'missing');
  const match = typeof schema === 'string' ? /^kvlab\.record\/([1-9]\d{0,8})$/.exec(schema) : null;
  if (!match) throw foreign('schema', `${cut(JSON.stringify(schema))}, not "${RECORD_SCHEMA}"`);
  const version = Number(match[1]);
  if (version > RECORD_VERSION) {
    throw new LabError('record-newer', { schema: `kvlab.record/${version}`, known: RECORD_SCHEMA });
  }
  return version;
}

/**
 * A record from JSON, with unknown fields left out.
 * @throws LabError record-foreign with the path of the first wrong field (such as `cells.3.tokens`), or record-newer.
 */
export function parseRecord(json: unknown): LabRecord {
  const result = v.safeParse(record, upgrade(versionOf(json), json), { abortEarly: true });
  if (result.success) {
    const contradiction = redundancyContradiction(result.output);
    if (contradiction !== null) throw foreign(contradiction.field, cut(contradiction.problem));
    return result.output;
  }
  const [issue] = result.issues;
  throw foreign(v.getDotPath(issue) ?? '(whole file)', problemOf(issue));
}

/**
 * A record from a file's text.
 * @throws LabError record-too-large over 20,000,000 bytes, record-not-json, record-foreign or record-newer.
 */
export function parseRecordText(file: string): LabRecord {
  // UTF-8 has at least one byte a character, so a text over the limit need not be encoded to be refused.
  const bytes = file.length > RECORD_LIMIT_BYTES ? file.length : new TextEncoder().encode(file).length;
  if (bytes > RECORD_LIMIT_BYTES)
    throw new LabError('record-too-large', { bytes, limit: RECORD_LIMIT_BYTES });
  let json: unknown;
  try {
    json = JSON.parse(file.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new LabError('record-not-json', {
      detail: cut(error instanceof Error ? error.message : String(error)),
    });
  }
  return parseRecord(json);
}
