/** The one table of recipe options: it drives the query parser, the serialiser and the form controls of the page. */
import type { CapacityState } from './capacity';
import { CAPACITY_OPTIONS } from './capacity-options';
import type { Fault } from './faults';
import {
  choice,
  choices,
  cut,
  freeText,
  integer,
  once,
  optional,
  wholeNumber,
  wholeNumbers,
  type Option,
  type Parsed,
} from './option-kinds';
import { stateOf, type StateKey } from './option-states';
import { firstFault, readAll, readOption, writeAll, type OptionValue } from './option-table';
import type { PoliciesState } from './policies';
import { POLICIES_OPTIONS, SERVING_OPTIONS } from './policies-options';
import type { Experiment, Recipe } from './recipe';
import {
  ALLOCATORS,
  CACHE_BITS,
  defaultRecipe,
  DEVICES,
  DTYPES,
  EXPERIMENTS,
  LANGS,
  oneSubject,
  OVERFLOWS,
  POLICIES,
} from './recipe';
import type { RedundancyState } from './redundancy';
import { REDUNDANCY_OPTIONS } from './redundancy-options';
import type { ServingState } from './serving';

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

/** The common options; a state that an experiment brings (see option-states.ts) has a table of its own. */
export type OptionKey = Exclude<keyof Recipe, StateKey>;

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
  bits: choice(CACHE_BITS),
  block: wholeNumber(1, 1024),
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

/** The value of one option from its texts (query parameters or a form field), or the fault `recipe-bad-value`. */
export function parseOption<K extends OptionKey>(key: K, texts: readonly string[]): OptionValue<Recipe[K]> {
  return readOption(OPTIONS, key, texts);
}

/** The same of one of the planner's options. */
export function parseCapacityOption<K extends keyof CapacityState>(
  key: K,
  texts: readonly string[],
): OptionValue<CapacityState[K]> {
  return readOption(CAPACITY_OPTIONS, key, texts);
}

/** The same of one of the redundancy experiment's. */
export function parseRedundancyOption<K extends keyof RedundancyState>(
  key: K,
  texts: readonly string[],
): OptionValue<RedundancyState[K]> {
  return readOption(REDUNDANCY_OPTIONS, key, texts);
}

/** The same of one of the policies experiment's. */
export function parsePoliciesOption<K extends keyof PoliciesState>(
  key: K,
  texts: readonly string[],
): OptionValue<PoliciesState[K]> {
  return readOption(POLICIES_OPTIONS, key, texts);
}

/** The same of one of the serving experiment's. */
export function parseServingOption<K extends keyof ServingState>(
  key: K,
  texts: readonly string[],
): OptionValue<ServingState[K]> {
  return readOption(SERVING_OPTIONS, key, texts);
}

/** The common options that an experiment has. */
function commonKeys(experiment: Experiment): readonly OptionKey[] {
  return stateOf(experiment)?.common ?? OPTION_KEYS;
}

/** All names that a recipe of an experiment knows, in the order in which they are written. */
export function knownOptions(experiment: Experiment): readonly string[] {
  return [...commonKeys(experiment), ...(stateOf(experiment)?.keys ?? [])];
}

/** The first option of a recipe whose value the table would refuse, as its fault; null when all can be read back. */
export function valueFault(recipe: Recipe): Fault | null {
  return firstFault(OPTIONS, OPTION_KEYS, recipe) ?? stateOf(recipe.experiment)?.valueFault(recipe) ?? null;
}

/** Why a recipe cannot run: a value that is refused, or values that cannot be together; null when it can. */
export function recipeFault(recipe: Recipe): Fault | null {
  return valueFault(recipe) ?? stateOf(recipe.experiment)?.togetherFault(recipe) ?? null;
}

/**
 * Reads a recipe from a query. `faults`: nothing may run. Where a value is bad (recipe-bad-value) the recipe has its default;
 * values that cannot be together are as given, but for a model or variant too many, of which the first is kept.
 * `notices` (recipe-unknown-option): ignored parameters, the first 8 of them. Never throws.
 */
export function parseRecipe(query: URLSearchParams): { recipe: Recipe; faults: Fault[]; notices: Fault[] } {
  const experiments = query.getAll('experiment');
  const experiment = experiments.length > 0 ? parseOption('experiment', experiments).value : null;
  const recipe = defaultRecipe(experiment ?? undefined);
  const own = stateOf(recipe.experiment);
  const faults = readAll(OPTIONS, commonKeys(recipe.experiment), query, recipe);
  if (own !== null) faults.push(...own.read(query, recipe));
  const together = own?.togetherFault(recipe) ?? null;
  if (together !== null) faults.push(together);
  // A growth whose link gives a length and no text starts from that many random tokens.
  if (recipe.experiment === 'growth' && query.has('tokens') && !query.has('prompt')) recipe.prompt = '';
  const known = [...knownOptions(recipe.experiment), ...OTHER_PARAMETERS];
  const notices = [...new Set(query.keys())]
    .filter((key) => !known.includes(key))
    .slice(0, MAX_NOTICES)
    .map((key): Fault => ({ code: 'recipe-unknown-option', params: { option: cut(key) } }));
  return { recipe: oneSubject(recipe), faults, notices };
}

/** The query of a recipe: only what differs from the defaults of its experiment, in the table's order. */
export function recipeQuery(recipe: Recipe): URLSearchParams {
  const base = defaultRecipe(recipe.experiment);
  const query = new URLSearchParams();
  // The experiment decides the other defaults, so it is compared with the default experiment.
  if (recipe.experiment !== defaultRecipe().experiment) query.append('experiment', recipe.experiment);
  stateOf(recipe.experiment)?.write(recipe, query);
  writeAll(OPTIONS, commonKeys(recipe.experiment), recipe, base, query);
  return query;
}
