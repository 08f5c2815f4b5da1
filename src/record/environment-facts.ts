/** Two or more environments side by side: every fact that differs, and those that are the same. */
import type { Allocator, Device } from '../protocol/recipe';
import type { Environment } from '../protocol/record';

/** Facts with one value each. `allocator` comes from what was measured. */
const PLAIN = [
  'backend',
  'allocator',
  'browser',
  'os',
  'platform',
  'logicalProcessors',
  'deviceMemoryGiB',
  'threads',
  'crossOriginIsolated',
  'app',
  'commit',
  'transformers',
  'onnxruntime',
  'runtimeBuild',
] as const;
const ADAPTER = [
  'vendor',
  'architecture',
  'device',
  'description',
  'fallback',
  'subgroupMinSize',
  'subgroupMaxSize',
] as const;

/** A fact's kind. `feature`, `limit` and `adapterLimit` are many facts, told apart by their name. */
export type FactField =
  (typeof PLAIN)[number] | `adapter.${(typeof ADAPTER)[number]}` | 'feature' | 'limit' | 'adapterLimit';

/** Null: not known, or not there at all (a WASM run has no GPU). It differs from nothing. */
export type FactValue = string | number | boolean | null;

export interface Fact {
  field: FactField;
  /** The WebGPU name of a feature or limit; null for all other fields. */
  name: string | null;
  /** One value a record, in their order. */
  values: FactValue[];
}

export interface EnvironmentComparison {
  /** Facts of which at least two records have different values. */
  different: Fact[];
  /** Facts that are known of every record and the same. */
  same: Fact[];
  /** Facts that are the same where they are known, but not known of every record. */
  partial: Fact[];
}

/** What is compared of a record. */
export interface Surroundings {
  environment: Environment | null;
  cells: readonly { allocator: Allocator }[];
  growth: readonly { allocator: Allocator }[];
}

type Facts = Map<string, FactValue>;

const SEPARATOR = ' ';
const keyOf = (field: FactField, name: string | null): string =>
  name === null ? field : `${field}${SEPARATOR}${name}`;

/** The allocators that cells and growths were measured with; null when nothing was, and on WASM, which has none. */
export function allocatorOf({
  backend,
  cells,
  growth,
}: Omit<Surroundings, 'environment'> & { backend: Device | null }): string | null {
  const used = new Set([...cells, ...growth].map((part) => part.allocator));
  return backend === 'wasm' || used.size === 0 ? null : [...used].sort().join(', ');
}

/** Browsers give an empty text where they do not tell. */
const known = (value: string | number | boolean | undefined): FactValue =>
  value === undefined || value === '' ? null : value;

function factsOf(record: Surroundings, features: readonly string[]): Facts {
  const facts: Facts = new Map();
  const { environment } = record;
  if (environment === null) return facts;
  const { backend } = environment;
  for (const field of PLAIN) {
    facts.set(field, field === 'allocator' ? allocatorOf({ ...record, backend }) : known(environment[field]));
  }
  for (const field of ADAPTER) facts.set(`adapter.${field}`, known(environment.adapter?.[field]));
  if (backend === 'webgpu') {
    for (const name of features) facts.set(keyOf('feature', name), environment.features.includes(name));
  }
  for (const [name, limit] of Object.entries(environment.limits)) facts.set(keyOf('limit', name), limit);
  for (const [name, limit] of Object.entries(environment.adapterLimits)) {
    facts.set(keyOf('adapterLimit', name), limit);
  }
  return facts;
}

const names = (
  environments: readonly (Environment | null)[],
  of: (each: Environment) => string[],
): string[] => [...new Set(environments.flatMap((each) => (each === null ? [] : of(each))))].sort();

/** All facts that any of the records knows, in one order: plain facts, the adapter, features, limits. */
function allFacts(records: readonly Surroundings[]): Fact[] {
  const environments = records.map((record) => record.environment);
  const features = names(environments, (each) => each.features);
  const fields: [FactField, string | null][] = [
    ...PLAIN.map((field): [FactField, null] => [field, null]),
    ...ADAPTER.map((field): [FactField, null] => [`adapter.${field}`, null]),
    ...features.map((name): [FactField, string] => ['feature', name]),
    ...names(environments, (each) => Object.keys(each.limits)).map((name): [FactField, string] => [
      'limit',
      name,
    ]),
    ...names(environments, (each) => Object.keys(each.adapterLimits)).map((name): [FactField, string] => [
      'adapterLimit',
      name,
    ]),
  ];
  const facts = records.map((record) => factsOf(record, features));
  return fields.map(([field, name]) => ({
    field,
    name,
    values: facts.map((each) => each.get(keyOf(field, name)) ?? null),
  }));
}

/** Compares the environments of two or more records. A record without an environment has no known fact. */
export function compareEnvironments(records: readonly Surroundings[]): EnvironmentComparison {
  const result: EnvironmentComparison = { different: [], same: [], partial: [] };
  for (const fact of allFacts(records)) {
    const knownValues = fact.values.filter((value) => value !== null);
    const distinct = new Set(knownValues).size;
    if (distinct > 1) result.different.push(fact);
    else if (distinct === 1) {
      (knownValues.length === records.length ? result.same : result.partial).push(fact);
    }
  }
  return result;
}
