/** Several records of one recipe, of its parts or of several machines, as one record. Pure. */
import { LabError, type Fault } from '../protocol/faults';
import { isSameGraph } from '../protocol/loaded-model';
import { stateOf } from '../protocol/option-states';
import { OPTION_KEYS, readShard } from '../protocol/options';
import { defaultRecipe, type Recipe } from '../protocol/recipe';
import type { Check, Environment, LabRecord, ModelRecord, RecordPart } from '../protocol/record';
import { tableOrder } from './cells';
import { mergeAgreesCheck, unionOfCells, unionOfGrowths } from './merge-points';
import { unionOfProbes, withRecommendation } from './policies';
import { mergeServing } from './serving';
import { recordChecks } from './summarise';

/** Options in which records that belong together may differ. */
const FREE_OPTIONS: readonly (keyof Recipe)[] = ['shard', 'lang'];

/**
 * One record of all. Cells, growths and models come in the table's order, each point once; the checks that need all of it are
 * made anew, and `merge-agrees` compares what was measured twice. When parts of the plan are missing the record says so
 * (fault `merge-missing`) and has failed; merged with them later it is whole. Merged records may be merged again.
 * @param records two or more.
 * @param names what faults call them, such as their files; one a record.
 * @throws LabError merge-too-few, merge-redundancy, merge-serving, merge-recipes (naming the first option that differs) or merge-models.
 */
export function mergeRecords(
  records: readonly LabRecord[],
  names: readonly string[] = records.map((_, index) => `record ${index + 1}`),
): LabRecord {
  const [first] = records;
  if (first === undefined || records.length < 2) throw new LabError('merge-too-few');
  records.forEach((record, index) => {
    const pair = { first: names[0] ?? '', second: names[index] ?? '' };
    // Its documents belong together: no part of them says anything, and two of them make no third.
    if (record.recipe.experiment === 'redundancy')
      throw new LabError('merge-redundancy', { name: pair.second });
    requireSameRecipe(first.recipe, record.recipe, pair);
    requireSameModels(first.models, record.models, pair);
  });

  const recipe: Recipe = { ...first.recipe, shard: '' };
  const order = tableOrder(recipe);
  const parts = records.flatMap(partsOf);
  const unfinished = records.find((record) => statusOf(record) !== 'done');
  const missing = missingFault(parts);
  const faults = unique(records.flatMap((record) => record.faults)).filter(isOwnFault);
  const merged: LabRecord = {
    ...first,
    createdAt: earliest(records.map((record) => record.createdAt)),
    recipe,
    url: withoutShard(records.find((record) => record.url !== '')?.url ?? ''),
    status: unfinished !== undefined ? statusOf(unfinished) : missing === null ? 'done' : 'failed',
    environment: environmentOf(records),
    models: unionOfModels(records, order),
    cells: unionOfCells(records).sort(order),
    growth: unionOfGrowths(records).sort((a, b) => order(withTokens(a), withTokens(b))),
    checks: partChecks(records),
    ...servingOf(records, names),
    ...policiesOf(records),
    // At the end it is why the record failed, which `statusOf` reads when the record is merged again.
    faults:
      missing === null ? faults : unfinished === undefined ? [...faults, missing] : [missing, ...faults],
    notMeasured: {
      resident: firstReason(records, 'resident'),
      device: firstReason(records, 'device'),
      process: firstReason(records, 'process'),
    },
    parts,
  };
  const agrees = mergeAgreesCheck(records);
  return {
    ...withRecommendation(merged),
    checks: [...recordChecks(merged), ...(agrees === null ? [] : [agrees])],
  };
}

/** What was found by trying in any record; what follows from all of them is made anew. */
function policiesOf(records: readonly LabRecord[]): Pick<LabRecord, 'policies'> {
  const policies = unionOfProbes(records);
  return policies === null ? {} : { policies };
}

/** The serving of all records, where any has one. */
function servingOf(records: readonly LabRecord[], names: readonly string[]): Pick<LabRecord, 'serving'> {
  const serving = mergeServing(records, names);
  return serving === undefined ? {} : { serving };
}

interface Pair {
  first: string;
  second: string;
}

function requireSameRecipe(first: Recipe, second: Recipe, pair: Pair): void {
  const different = [...optionsOf(first)].find(([option, value]) => {
    return canonical(value) !== canonical(optionsOf(second).get(option));
  });
  if (different === undefined) return;
  const [option, value] = different;
  const params = { ...pair, option, expected: shown(value), found: shown(optionsOf(second).get(option)) };
  throw new LabError('merge-recipes', params);
}

/** What two recipes must agree in, by option: the common ones and those of the experiment. */
function optionsOf(recipe: Recipe): Map<string, unknown> {
  const options = new Map<string, unknown>();
  for (const key of OPTION_KEYS) if (!FREE_OPTIONS.includes(key)) options.set(key, recipe[key]);
  const own = stateOf(recipe.experiment);
  if (own === null) return options;
  const state = new Map<string, unknown>(Object.entries(recipe[own.name] ?? {}));
  for (const key of own.keys) options.set(key, state.get(key));
  return options;
}

/** The same id may be another model: another revision of it, or a later version of the app that reads its geometry otherwise. */
function requireSameModels(first: readonly ModelRecord[], second: readonly ModelRecord[], pair: Pair): void {
  for (const model of second) {
    const other = first.find((one) => isSameGraph(one, model));
    const fields = ['revision', 'cacheType', 'geometry'] as const;
    const field = other && fields.find((name) => canonical(other[name]) !== canonical(model[name]));
    if (field !== undefined) throw new LabError('merge-models', { ...pair, model: model.id, field });
  }
}

/** A record's own parts when it was merged itself, else itself as the only one. */
function partsOf(record: LabRecord): RecordPart[] {
  const { createdAt, recipe, environment, cells, growth, parts } = record;
  return parts ?? [{ createdAt, shard: recipe.shard, environment, points: cells.length + growth.length }];
}

/** How the measurement itself ended. A merged record that only lacks parts is done as far as it goes. */
function statusOf(record: LabRecord): LabRecord['status'] {
  if (record.status === 'failed' && record.faults.at(-1)?.code === 'merge-missing') return 'done';
  return record.status === 'running' ? 'interrupted' : record.status;
}

function isOwnFault(fault: Fault): boolean {
  return fault.code !== 'merge-missing';
}

/** The fault that names the parts that are not there; null when all are, or one record has the whole plan. */
function missingFault(parts: readonly RecordPart[]): Fault | null {
  if (parts.some((part) => part.shard === '')) return null;
  const shards = parts.flatMap((part) => readShard(part.shard) ?? []);
  const lacking = [...new Set(shards.map(({ count }) => count))]
    .map((count) => {
      const there = new Set(shards.filter((shard) => shard.count === count).map(({ index }) => index));
      return Array.from({ length: count }, (_, at) => at + 1)
        .filter((index) => !there.has(index))
        .map((index) => `${index}/${count}`);
    })
    // Parts of two ways to share the plan out do not add up, so one way has to be complete; the one that lacks least is told.
    .sort((a, b) => a.length - b.length)[0];
  if (lacking === undefined || lacking.length === 0) return null;
  return { code: 'merge-missing', params: { missing: lacking.join(', ') } };
}

/**
 * The one environment of all records. Where there are several: one with a software adapter, so that its badge is worn, else a
 * GPU's, which alone has an adapter, else the first. The record's parts keep them all.
 */
function environmentOf(records: readonly LabRecord[]): Environment | null {
  const all = environmentsOf(records);
  const software = all.find(({ adapter }) => adapter?.fallback === true);
  return software ?? all.find(({ backend }) => backend === 'webgpu') ?? all[0] ?? null;
}

/** Every environment that is not the same as an earlier one. */
function environmentsOf(records: readonly LabRecord[]): Environment[] {
  return unique(records.flatMap(partsOf).flatMap(({ environment }) => environment ?? []));
}

/** Each variant of a model once, with the notes of all its records. */
function unionOfModels(records: readonly LabRecord[], order: ReturnType<typeof tableOrder>): ModelRecord[] {
  const environments = environmentsOf(records).length;
  const several =
    environments > 1
      ? [`merged from records of ${environments} different environments; the record shows one of them`]
      : [];
  const all = records.flatMap((record) => record.models);
  const firsts = all.filter((model, place) => all.findIndex((other) => isSameGraph(other, model)) === place);
  const { policy, allocator } = records[0]?.recipe ?? defaultRecipe();
  const point = ({ id, dtype }: ModelRecord) => ({
    ...{ model: id, dtype, policy, allocator },
    ...{ batch: 1, repeat: 0, tokens: 0 },
  });
  return firsts
    .map((model) => {
      const same = all.filter((other) => isSameGraph(other, model));
      return { ...model, notes: [...new Set([...same.flatMap(({ notes }) => notes), ...several])] };
    })
    .sort((a, b) => order(point(a), point(b)));
}

/** The checks that came from a run itself, each once a model and expectation; one that failed anywhere stands. */
function partChecks(records: readonly LabRecord[]): Check[] {
  const kept = new Map<string, Check>();
  for (const check of records.flatMap((record) => record.checks)) {
    // How an earlier merge agreed is said anew; that it did not must not be lost.
    if (check.name === 'merge-agrees' && check.pass) continue;
    const { name, model, policy = null, allocator = null } = check;
    const key = JSON.stringify([name, model, policy, allocator, check.expected]);
    const old = kept.get(key);
    if (old === undefined || (old.pass && !check.pass)) kept.set(key, check);
  }
  return [...kept.values()];
}

function firstReason(records: readonly LabRecord[], level: keyof LabRecord['notMeasured']): string | null {
  return records.map((record) => record.notMeasured[level]).find((reason) => reason !== null) ?? null;
}

/** The earliest of ISO 8601 times, which may be written with different offsets. */
function earliest(times: readonly string[]): string {
  return times.reduce((first, time) => (Date.parse(time) < Date.parse(first) ? time : first));
}

/** A link without its `shard`, everything else as it was written. */
function withoutShard(url: string): string {
  return url.replace(/([?&])shard=[^&#]*(&|(?=#|$))/, (_, before: string, after: string) =>
    after === '&' ? before : '',
  );
}

function withTokens<T extends { promptTokens: number }>(growth: T): T & { tokens: number } {
  return { ...growth, tokens: growth.promptTokens };
}

function unique<T>(values: readonly T[]): T[] {
  const texts = values.map(canonical);
  return values.filter((_, place) => texts.indexOf(texts[place] ?? '') === place);
}

/** A value as text that does not depend on the order of an object's fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
