/** The one table of recipe options: it drives the query parser, the serialiser and the form controls of the page. */
import type { CapacityState } from './capacity';
import { CAPACITY_KEYS, CAPACITY_OPTIONS } from './capacity-options';
import type { Fault } from './faults';
import {
  choice,
  cut,
  integer,
  once,
  optional,
  wholeNumber,
  wholeNumbers,
  type Option,
  type Parsed,
} from './option-kinds';
import type { Recipe } from './recipe';
import {
  ALLOCATORS,
  defaultRecipe,
  DEVICES,
  DTYPES,
  EXPERIMENTS,
  LANGS,
  OVERFLOWS,
  POLICIES,
} from './recipe';

export { cut } from './option-kinds';

const MAX_MODELS = 16;
const MAX_MODEL_LENGTH = 200;
const MAX_STOPS = 32;
const MAX_BATCHES = 8;
const MAX_TOKENS = 1_000_000;
/** UTF-8 bytes of a prompt; percent-encoded it is three times as long, and a link has at most 2,000 characters. */
const MAX_PROMPT_BYTES = 500;
const MAX_NOTICES = 8;
const MODEL_ID = /^((twin|mha):)?[\w.-]+(\/[\w.-]+)?(@[\w.-]+)?$/;
/** A twin of some of its layers, of its latents, or of a config.json that was pasted. */
const TWIN_ID = /^((twin|latent):[\w.-]+\/[\w.-]+|(latent:)?config:[\w.-]+)(:layers=[1-9]\d{0,3})?$/;
/** A folder's name may be in any script; it is never part of an address. */
const LOCAL_ID = /^local:[\p{L}\p{N}\p{M} _.-]+$/u;
const MAX_SHARDS = 99;

/** Query parameters that are ours but no part of the recipe. */
const OTHER_PARAMETERS: readonly string[] = ['run'];

/**
 * Whether a text can be a model id at all: a catalog id or `owner/name[@revision]`, `twin:` or `mha:` before either,
 * `latent:owner/name`, `config:<name>`, each of these with `:layers=<count>` where only some layers are measured, or
 * `local:<folder>`; never a path or a URL.
 */
export function isModelId(text: string): boolean {
  if (text.length > MAX_MODEL_LENGTH || text.includes('..')) return false;
  return MODEL_ID.test(text) || TWIN_ID.test(text) || LOCAL_ID.test(text);
}

/** The two numbers of a shard such as `2/4`: which part, of how many; null for an empty text, and for what is no shard. */
export function readShard(text: string): { index: number; count: number } | null {
  const [, first = '', second = ''] = /^(\d{1,2})\/(\d{1,2})$/.exec(text) ?? [];
  const index = integer(first, 1, MAX_SHARDS);
  const count = integer(second, 1, MAX_SHARDS);
  return index === null || count === null || index > count ? null : { index, count };
}

/** Comma-separated choices, each once, in the order of `values`: the same choice gives the same link. */
function choices<T extends string>(values: readonly T[]): Option<T[]> {
  const listed = values.join(', ');
  const read = (text: string): T[] | null => {
    const parts = text.split(',', values.length + 1).map((part) => part.trim());
    const known = values.filter((value) => parts.includes(value));
    if (parts.length > values.length) return null;
    return known.length > 0 && parts.every((part) => known.some((value) => value === part)) ? known : null;
  };
  return {
    form: { control: 'choices', values },
    parse: once(read, {
      expected: `use one or more of ${listed}, separated by commas`,
      kind: 'choices',
      values: listed,
    }),
    serialise: (chosen) => [chosen.join(',')],
  };
}

function shard(): Option<string> {
  return {
    form: { control: 'text', maxBytes: 5 },
    parse: once((text) => (text === '' || readShard(text) !== null ? text : null), {
      expected: `use a part such as 2/4, of at most ${MAX_SHARDS}, or nothing for all`,
      kind: 'shard',
      max: MAX_SHARDS,
    }),
    serialise: (value) => [value],
  };
}

/** Repeatable: one parameter a model. Whether a well-formed id exists is the catalog's to say. */
function models(): Option<string[]> {
  const refuse = (bad: string): Parsed<string[]> => ({
    ok: false,
    bad,
    expectation: {
      expected: `use at most ${MAX_MODELS} model ids such as tiny, twin:owner/name or owner/name@revision`,
      kind: 'models',
      items: MAX_MODELS,
    },
  });
  return {
    form: { control: 'models', maxItems: MAX_MODELS },
    parse: (texts) => {
      const bad = texts.find((text) => !isModelId(text));
      if (bad !== undefined) return refuse(bad);
      const ids = [...new Set(texts)];
      return ids.length === 0 || ids.length > MAX_MODELS ? refuse(ids.join(', ')) : { ok: true, value: ids };
    },
    serialise: (ids) => ids,
  };
}

function freeText(maxBytes: number): Option<string> {
  // URLSearchParams turns percent-encoding that is no UTF-8 into U+FFFD: such a text is not the one that was sent.
  const read = (text: string): string | null =>
    new TextEncoder().encode(text).length <= maxBytes && !text.includes('\uFFFD') ? text : null;
  return {
    form: { control: 'text', maxBytes },
    parse: once(read, {
      expected: `use a text of at most ${maxBytes.toLocaleString('en-US')} bytes in UTF-8`,
      kind: 'text',
      max: maxBytes,
    }),
    serialise: (value) => [value],
  };
}

/** The options of a recipe; the planner's own state has a table of its own, `CAPACITY_OPTIONS`. */
export type OptionKey = Exclude<keyof Recipe, 'capacity'>;

export const OPTIONS: { readonly [K in OptionKey]: Option<Recipe[K]> } = {
  experiment: choice(EXPERIMENTS),
  model: models(),
  dtype: choices(DTYPES),
  batch: wholeNumbers(1, 64, MAX_BATCHES),
  tokens: wholeNumbers(1, MAX_TOKENS, MAX_STOPS),
  steps: wholeNumber(1, 4096),
  prompt: freeText(MAX_PROMPT_BYTES),
  policy: choice(POLICIES),
  room: wholeNumber(0, MAX_TOKENS),
  overflow: choice(OVERFLOWS),
  device: choice(DEVICES),
  allocator: choice(ALLOCATORS),
  chunk: wholeNumber(0, 4096),
  seed: wholeNumber(0, 2 ** 32 - 1),
  repeats: wholeNumber(1, 10),
  shard: shard(),
  lang: optional(choice(LANGS)),
};

/** The options in the order in which they are written and shown. */
export const OPTION_KEYS = Object.keys(OPTIONS) as OptionKey[];

/** Those of a recipe that the planner has too; the others are unknown to it. */
const PLANNER_KEYS: readonly OptionKey[] = ['experiment', 'lang'];

type Table<T> = { readonly [K in keyof T]-?: Option<T[K]> };

/** The value of one option from its texts (query parameters or a form field), or the fault `recipe-bad-value`. */
export function parseOption<K extends OptionKey>(
  key: K,
  texts: readonly string[],
): { value: Recipe[K]; fault: null } | { value: null; fault: Fault } {
  return readOption(OPTIONS, key, texts);
}

/** The same of one of the planner's options. */
export function parseCapacityOption<K extends keyof CapacityState>(
  key: K,
  texts: readonly string[],
): { value: CapacityState[K]; fault: null } | { value: null; fault: Fault } {
  return readOption(CAPACITY_OPTIONS, key, texts);
}

function readOption<T, K extends keyof T & string>(
  table: Table<T>,
  key: K,
  texts: readonly string[],
): { value: T[K]; fault: null } | { value: null; fault: Fault } {
  const parsed = table[key].parse(texts);
  if (parsed.ok) return { value: parsed.value, fault: null };
  const params = { option: key, value: cut(parsed.bad), ...parsed.expectation };
  return { value: null, fault: { code: 'recipe-bad-value', params } };
}

/** The first option of a recipe whose value the table would refuse, as its fault; null when the recipe can run. */
export function recipeFault(recipe: Recipe): Fault | null {
  const planned = recipe.experiment === 'capacity' ? (recipe.capacity ?? null) : null;
  return (
    firstFault(OPTIONS, OPTION_KEYS, recipe) ??
    (planned === null ? null : firstFault(CAPACITY_OPTIONS, CAPACITY_KEYS, planned))
  );
}

function firstFault<T, K extends keyof T & string>(
  table: Table<Pick<T, K>>,
  keys: readonly K[],
  values: Pick<T, K>,
): Fault | null {
  for (const key of keys) {
    const texts = table[key].serialise(values[key]);
    if (texts.length === 0 && values[key] === null) continue;
    const { fault } = readOption(table, key, texts);
    if (fault) return fault;
  }
  return null;
}

/**
 * Reads a recipe from a query. `faults` (recipe-bad-value): nothing may run; the recipe then has its default there.
 * `notices` (recipe-unknown-option): ignored parameters, the first 8 of them. Never throws.
 */
export function parseRecipe(query: URLSearchParams): { recipe: Recipe; faults: Fault[]; notices: Fault[] } {
  const experiments = query.getAll('experiment');
  const experiment = experiments.length > 0 ? parseOption('experiment', experiments).value : null;
  const recipe = defaultRecipe(experiment ?? undefined);
  const { capacity } = recipe;
  const keys = capacity === undefined ? OPTION_KEYS : PLANNER_KEYS;
  const faults = readAll(OPTIONS, keys, query, recipe);
  if (capacity !== undefined) faults.push(...readAll(CAPACITY_OPTIONS, CAPACITY_KEYS, query, capacity));
  // A growth whose link gives a length and no text starts from that many random tokens.
  if (recipe.experiment === 'growth' && query.has('tokens') && !query.has('prompt')) recipe.prompt = '';
  const known: readonly string[] = [
    ...keys,
    ...(capacity === undefined ? [] : CAPACITY_KEYS),
    ...OTHER_PARAMETERS,
  ];
  const notices = [...new Set(query.keys())]
    .filter((key) => !known.includes(key))
    .slice(0, MAX_NOTICES)
    .map((key): Fault => ({ code: 'recipe-unknown-option', params: { option: cut(key) } }));
  return { recipe, faults, notices };
}

/** Puts the options that the query has into `values`, and gives the faults of those that cannot be used. */
function readAll<T, K extends keyof T & string>(
  table: Table<Pick<T, K>>,
  keys: readonly K[],
  query: URLSearchParams,
  values: Pick<T, K>,
): Fault[] {
  return keys.flatMap((key) => {
    const texts = query.getAll(key);
    if (texts.length === 0) return [];
    const { value, fault } = readOption(table, key, texts);
    if (fault) return [fault];
    values[key] = value;
    return [];
  });
}

/** The query of a recipe: only what differs from the defaults of its experiment, in the table's order. */
export function recipeQuery(recipe: Recipe): URLSearchParams {
  const base = defaultRecipe(recipe.experiment);
  const query = new URLSearchParams();
  // The experiment decides the other defaults, so it is compared with the default experiment.
  if (recipe.experiment !== defaultRecipe().experiment) query.append('experiment', recipe.experiment);
  if (base.capacity === undefined) writeAll(OPTIONS, OPTION_KEYS, recipe, base, query);
  else {
    writeAll(CAPACITY_OPTIONS, CAPACITY_KEYS, recipe.capacity ?? base.capacity, base.capacity, query);
    writeAll(OPTIONS, PLANNER_KEYS, recipe, base, query);
  }
  return query;
}

function writeAll<T, K extends keyof T & string>(
  table: Table<Pick<T, K>>,
  keys: readonly K[],
  values: Pick<T, K>,
  base: Pick<T, K>,
  query: URLSearchParams,
): void {
  for (const key of keys) {
    const texts = table[key].serialise(values[key]);
    if (texts.join('\n') === table[key].serialise(base[key]).join('\n')) continue;
    for (const text of texts) query.append(key, text);
  }
}
