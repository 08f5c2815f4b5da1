/** The one table of recipe options: it drives the query parser, the serialiser and the form controls of the page. */
import type { Fault } from './faults';
import type { Recipe } from './recipe';
import { ALLOCATORS, defaultRecipe, DEVICES, DTYPES, EXPERIMENTS, LANGS, POLICIES } from './recipe';

/** What a form needs to draw a control, with the limits that the parser enforces. */
export type FormControl =
  | { control: 'select'; values: readonly string[] }
  | { control: 'number'; min: number; max: number }
  | { control: 'list'; min: number; max: number; maxItems: number }
  | { control: 'choices'; values: readonly string[] }
  | { control: 'text'; maxBytes: number }
  | { control: 'models'; maxItems: number };

/** What was expected: an English phrase, and the same as data (`kind` and numbers) for translation. */
export interface Expectation {
  expected: string;
  kind: 'choice' | 'choices' | 'integer' | 'integers' | 'models' | 'text' | 'shard' | 'once';
  values?: string;
  min?: number;
  max?: number;
  items?: number;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; bad: string; expectation: Expectation };

export interface Option<T> {
  form: FormControl;
  /** The texts of all parameters of this name, in order, at least one. */
  parse: (texts: readonly string[]) => Parsed<T>;
  /** The texts to write, one a parameter; none for a value that is the absence of the option. */
  serialise: (value: T) => string[];
}

const SHOWN_LENGTH = 80;
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

/** At most 80 characters of a text from outside, for showing it. */
export function cut(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH - 1)}…`;
}

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

/** A decimal integer within limits, or null. No sign, exponent, fraction or blank is read. */
function integer(text: string, min: number, max: number): number | null {
  if (!/^\d{1,10}$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

/** Lets `read` see the only text; several parameters of the same name are refused, since none of them is the one meant. */
function once<T>(read: (text: string) => T | null, expectation: Expectation): Option<T>['parse'] {
  return (texts) => {
    const [text = ''] = texts;
    if (texts.length > 1) {
      return { ok: false, bad: texts.join(', '), expectation: { expected: 'give it once', kind: 'once' } };
    }
    const value = read(text);
    return value === null ? { ok: false, bad: text, expectation } : { ok: true, value };
  };
}

function choice<T extends string>(values: readonly T[]): Option<T> {
  const listed = values.join(', ');
  return {
    form: { control: 'select', values },
    parse: once((text) => values.find((value) => value === text) ?? null, {
      expected: `use one of ${listed}`,
      kind: 'choice',
      values: listed,
    }),
    serialise: (value) => [value],
  };
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

function wholeNumber(min: number, max: number): Option<number> {
  const range = `${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`;
  return {
    form: { control: 'number', min, max },
    parse: once((text) => integer(text.trim(), min, max), {
      expected: `use a whole number from ${range}`,
      kind: 'integer',
      min,
      max,
    }),
    serialise: (value) => [String(value)],
  };
}

/** Comma-separated whole numbers, made ascending and unique. */
function wholeNumbers(min: number, max: number, maxItems: number): Option<number[]> {
  const range = `${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`;
  const read = (text: string): number[] | null => {
    // Room for the digits, a comma and a blank each; a longer text is not split at all.
    if (text.length > maxItems * 12) return null;
    const values = text.split(',').map((part) => integer(part.trim(), min, max));
    const good = values.filter((value) => value !== null);
    return good.length === values.length && good.length <= maxItems
      ? [...new Set(good)].sort((a, b) => a - b)
      : null;
  };
  return {
    form: { control: 'list', min, max, maxItems },
    parse: once(read, {
      expected: `use at most ${maxItems} whole numbers from ${range}, separated by commas`,
      kind: 'integers',
      min,
      max,
      items: maxItems,
    }),
    serialise: (values) => [values.join(',')],
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

/** An option whose absence is a value of its own. */
function optional<T>(option: Option<T>): Option<T | null> {
  return { ...option, serialise: (value) => (value === null ? [] : option.serialise(value)) };
}

export const OPTIONS: { readonly [K in keyof Recipe]: Option<Recipe[K]> } = {
  experiment: choice(EXPERIMENTS),
  model: models(),
  dtype: choices(DTYPES),
  batch: wholeNumbers(1, 64, MAX_BATCHES),
  tokens: wholeNumbers(1, MAX_TOKENS, MAX_STOPS),
  steps: wholeNumber(1, 4096),
  prompt: freeText(MAX_PROMPT_BYTES),
  policy: choice(POLICIES),
  device: choice(DEVICES),
  allocator: choice(ALLOCATORS),
  chunk: wholeNumber(0, 4096),
  seed: wholeNumber(0, 2 ** 32 - 1),
  repeats: wholeNumber(1, 10),
  shard: shard(),
  lang: optional(choice(LANGS)),
};

/** The options in the order in which they are written and shown. */
export const OPTION_KEYS = Object.keys(OPTIONS) as (keyof Recipe)[];

/** The value of one option from its texts (query parameters or a form field), or the fault `recipe-bad-value`. */
export function parseOption<K extends keyof Recipe>(
  key: K,
  texts: readonly string[],
): { value: Recipe[K]; fault: null } | { value: null; fault: Fault } {
  const option: Option<Recipe[K]> = OPTIONS[key];
  const parsed = option.parse(texts);
  if (parsed.ok) return { value: parsed.value, fault: null };
  const fault: Fault = {
    code: 'recipe-bad-value',
    params: { option: key, value: cut(parsed.bad), ...parsed.expectation },
  };
  return { value: null, fault };
}

/** The first option of a recipe whose value the table would refuse, as its fault; null when the recipe can run. */
export function recipeFault(recipe: Recipe): Fault | null {
  for (const key of OPTION_KEYS) {
    const texts = serialiseOption(key, recipe[key]);
    if (texts.length === 0 && recipe[key] === null) continue;
    const { fault } = parseOption(key, texts);
    if (fault) return fault;
  }
  return null;
}

function serialiseOption<K extends keyof Recipe>(key: K, value: Recipe[K]): string[] {
  const option: Option<Recipe[K]> = OPTIONS[key];
  return option.serialise(value);
}

/**
 * Reads a recipe from a query. `faults` (recipe-bad-value): nothing may run; the recipe then has its default there.
 * `notices` (recipe-unknown-option): ignored parameters, the first 8 of them. Never throws.
 */
export function parseRecipe(query: URLSearchParams): { recipe: Recipe; faults: Fault[]; notices: Fault[] } {
  const faults: Fault[] = [];
  const experiments = query.getAll('experiment');
  const experiment = experiments.length > 0 ? parseOption('experiment', experiments).value : null;
  const recipe = defaultRecipe(experiment ?? undefined);
  for (const key of OPTION_KEYS) {
    const texts = query.getAll(key);
    if (texts.length === 0) continue;
    const { value, fault } = parseOption(key, texts);
    if (fault) faults.push(fault);
    else Object.assign(recipe, { [key]: value });
  }
  // A growth whose link gives a length and no text starts from that many random tokens.
  if (recipe.experiment === 'growth' && query.has('tokens') && !query.has('prompt')) recipe.prompt = '';
  const unknown = [...new Set(query.keys())].filter(
    (key) => !Object.hasOwn(OPTIONS, key) && !OTHER_PARAMETERS.includes(key),
  );
  const notices = unknown
    .slice(0, MAX_NOTICES)
    .map((key): Fault => ({ code: 'recipe-unknown-option', params: { option: cut(key) } }));
  return { recipe, faults, notices };
}

/** The query of a recipe: only what differs from the defaults of its experiment, in the table's order. */
export function recipeQuery(recipe: Recipe): URLSearchParams {
  const base = defaultRecipe(recipe.experiment);
  const query = new URLSearchParams();
  // The experiment decides the other defaults, so it is compared with the default experiment.
  if (recipe.experiment !== defaultRecipe().experiment) query.append('experiment', recipe.experiment);
  for (const key of OPTION_KEYS) {
    const texts = serialiseOption(key, recipe[key]);
    if (texts.join('\n') === serialiseOption(key, base[key]).join('\n')) continue;
    for (const text of texts) query.append(key, text);
  }
  return query;
}
