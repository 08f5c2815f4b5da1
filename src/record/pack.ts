/** The compact JSON inside a results link: cells grouped by subject, steps as run lengths of their deltas. */
import * as v from 'valibot';
import { isModelId } from '../protocol/options';
import { ALLOCATORS, DEVICES, DTYPES, POLICIES } from '../protocol/recipe';
import type { MaybeBytes } from '../protocol/record';
import type { ExpectedCell, ExpectedGrowth, ExpectedResults, ExpectedStep, Subject } from './expected';
import { subjectOf } from './expected';
import { packedRedundancy, packRedundancy, unpackRedundancy } from './pack-redundancy';
import { packedServing, packServing, unpackServing } from './pack-serving';

const MAX_ROWS = 1000;
const MAX_GROWTHS = 1000;
const MAX_STEPS = 4096;
const MAX_FACT_LENGTH = 100;

/** Run lengths: [delta, how often, delta, how often, …]; the delta null stands for "not measured". */
type Runs = (number | null)[];

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const fact = v.optional(v.pipe(v.string(), v.maxLength(MAX_FACT_LENGTH)));
const reason = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/));
const runs = v.pipe(v.array(v.nullable(v.pipe(v.number(), v.safeInteger()))), v.maxLength(2 * MAX_STEPS));
const list = <T extends v.GenericSchema>(item: T, most: number) => v.pipe(v.array(item), v.maxLength(most));

const subject = v.tuple([
  v.pipe(v.string(), v.check(isModelId)),
  v.picklist(DTYPES),
  count,
  v.picklist(POLICIES),
  v.picklist(ALLOCATORS),
  v.picklist(DEVICES),
  count,
]);

const payload = v.object({
  /** createdAt, adapter, software, backend, browser, onnxruntime. */
  t: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  a: fact,
  s: v.optional(v.picklist([0, 1])),
  b: v.optional(v.picklist(DEVICES)),
  w: fact,
  o: fact,
  /**
   * Cells: subject, then rows of tokens, tensor bytes, resident bytes and, of a preallocated cache, used bytes — or tokens and why
   * it was skipped.
   */
  c: list(
    v.tuple([
      subject,
      list(
        v.union([
          v.strictTuple([count, count, v.nullable(count)]),
          v.strictTuple([count, count, v.nullable(count), count]),
          v.strictTuple([count, reason]),
        ]),
        MAX_ROWS,
      ),
    ]),
    MAX_ROWS,
  ),
  /**
   * Growth: subject; prompt tokens, bytes, resident bytes, steps planned, steps measured; why cut short; tokens, tensor, resident.
   * Used bytes of a preallocated cache come last: of the prompt, and of the steps.
   */
  g: list(
    v.tuple([
      subject,
      v.union([
        v.strictTuple([count, count, v.nullable(count), count, count]),
        v.strictTuple([count, count, v.nullable(count), count, count, count]),
      ]),
      v.nullable(reason),
      v.union([v.strictTuple([runs, runs, runs]), v.strictTuple([runs, runs, runs, runs])]),
    ]),
    MAX_GROWTHS,
  ),
  /** Redundancy; not in links of before it. */
  d: v.optional(packedRedundancy),
  /** Serving; not in links of before it. */
  v: v.optional(packedServing),
});

type Payload = v.InferOutput<typeof payload>;

const packSubject = (of: Subject): v.InferOutput<typeof subject> => [
  of.model,
  of.dtype,
  of.batch,
  of.policy,
  of.allocator,
  of.device,
  of.repeat,
];

const unpackSubject = ([model, dtype, batch, policy, allocator, device, repeat]: v.InferOutput<
  typeof subject
>): Subject => ({ model, dtype, batch, policy, allocator, device, repeat });

/** Values as run lengths of their differences; a null value does not move the level that the next one starts from. */
function packRuns(start: number, values: readonly MaybeBytes[]): Runs {
  const packed: Runs = [];
  let level = start;
  for (const value of values) {
    const delta = value === null ? null : value - level;
    level = value ?? level;
    const at = packed.length - 2;
    if (at >= 0 && packed[at] === delta) packed[at + 1] = (packed[at + 1] ?? 0) + 1;
    else packed.push(delta, 1);
  }
  return packed;
}

/** The values again; throws an Error on lengths and levels that no run of ours can have. */
function unpackRuns(start: number, packed: Runs, length: number): MaybeBytes[] {
  const values: MaybeBytes[] = [];
  let level = start;
  for (let at = 0; at < packed.length; at += 2) {
    const delta = packed[at] ?? null;
    const times = packed[at + 1] ?? 0;
    if (times < 1 || values.length + times > length) throw new Error('bad run length');
    for (let n = 0; n < times; n += 1) {
      level += delta ?? 0;
      if (!Number.isSafeInteger(level) || level < 0) throw new Error('bad level');
      values.push(delta === null ? null : level);
    }
  }
  if (values.length !== length) throw new Error('too few steps');
  return values;
}

/** Groups of cells that follow each other and have the same subject. */
function packCells(cells: readonly ExpectedCell[]): Payload['c'] {
  const groups: Payload['c'] = [];
  let last = '';
  for (const cell of cells) {
    const of = packSubject(subjectOf(cell));
    const key = JSON.stringify(of);
    if (key !== last) groups.push([of, []]);
    last = key;
    const row: Payload['c'][number][1][number] =
      cell.tensorBytes === null
        ? [cell.tokens, cell.skipped ?? 'skipped']
        : cell.usedBytes === undefined
          ? [cell.tokens, cell.tensorBytes, cell.residentBytes]
          : [cell.tokens, cell.tensorBytes, cell.residentBytes, cell.usedBytes];
    groups.at(-1)?.[1].push(row);
  }
  return groups;
}

function unpackCells(groups: Payload['c']): ExpectedCell[] {
  return groups.flatMap(([of, rows]) =>
    rows.map((row): ExpectedCell => {
      const shared = { ...unpackSubject(of), tokens: row[0] };
      return row.length === 2
        ? { ...shared, tensorBytes: null, residentBytes: null, skipped: row[1] }
        : {
            ...shared,
            tensorBytes: row[1],
            residentBytes: row[2],
            ...(row.length === 4 ? { usedBytes: row[3] } : {}),
            skipped: null,
          };
    }),
  );
}

function packGrowth(growth: ExpectedGrowth): Payload['g'][number] {
  const { promptTokens, promptBytes, promptResidentBytes, stepsPlanned, stepsMeasured, steps } = growth;
  const { promptUsedBytes } = growth;
  const levels: [Runs, Runs, Runs] = [
    packRuns(
      promptTokens,
      steps.map((step) => step.tokens),
    ),
    packRuns(
      promptBytes,
      steps.map((step) => step.tensorBytes),
    ),
    packRuns(
      promptResidentBytes ?? 0,
      steps.map((step) => step.residentBytes),
    ),
  ];
  const numbers: [number, number, MaybeBytes, number, number] = [
    promptTokens,
    promptBytes,
    promptResidentBytes,
    stepsPlanned,
    stepsMeasured,
  ];
  if (promptUsedBytes === undefined) return [packSubject(growth), numbers, growth.skipped, levels];
  const used = packRuns(
    promptUsedBytes,
    steps.map((step) => step.usedBytes ?? null),
  );
  return [packSubject(growth), [...numbers, promptUsedBytes], growth.skipped, [...levels, used]];
}

function unpackGrowth([
  of,
  numbers,
  skipped,
  [tokenRuns, tensorRuns, residentRuns, usedRuns],
]: Payload['g'][number]): ExpectedGrowth {
  const [promptTokens, promptBytes, promptResidentBytes, stepsPlanned, stepsMeasured, promptUsedBytes] =
    numbers;
  const length = tokenRuns.reduce<number>((sum, value, at) => sum + (at % 2 === 1 ? (value ?? 0) : 0), 0);
  if (length > MAX_STEPS) throw new Error('too many steps');
  const tokens = unpackRuns(promptTokens, tokenRuns, length);
  const tensors = unpackRuns(promptBytes, tensorRuns, length);
  const residents = unpackRuns(promptResidentBytes ?? 0, residentRuns, length);
  const used =
    usedRuns === undefined || promptUsedBytes === undefined
      ? []
      : unpackRuns(promptUsedBytes, usedRuns, length);
  const steps = tokens.map((at, index): ExpectedStep => {
    const tensorBytes = tensors[index] ?? null;
    if (at === null || tensorBytes === null) throw new Error('a step without bytes');
    const usedBytes = used[index] ?? null;
    return {
      ...{ tokens: at, tensorBytes, residentBytes: residents[index] ?? null },
      ...(usedBytes === null ? {} : { usedBytes }),
    };
  });
  return {
    ...unpackSubject(of),
    promptTokens,
    promptBytes,
    promptResidentBytes,
    ...(promptUsedBytes === undefined ? {} : { promptUsedBytes }),
    stepsPlanned,
    stepsMeasured,
    steps,
    skipped,
  };
}

const packFact = (text: string | null): string | undefined => text?.slice(0, MAX_FACT_LENGTH);

/** Expected results as the JSON text of a link, format 1. Absent facts are left out. */
export function packResults(results: ExpectedResults): string {
  return JSON.stringify({
    t: results.createdAt ?? undefined,
    a: packFact(results.adapter),
    s: results.software === null ? undefined : Number(results.software),
    b: results.backend ?? undefined,
    w: packFact(results.browser),
    o: packFact(results.onnxruntime),
    c: packCells(results.cells),
    g: results.growth.map(packGrowth),
    d: results.redundancy === null ? undefined : packRedundancy(results.redundancy),
    v: results.serving === null ? undefined : packServing(results.serving),
  });
}

/** All steps of a link; a short text can stand for many, since they are run lengths. */
const MAX_ALL_STEPS = 160 * MAX_STEPS;

function unpackGrowths(packed: Payload['g']): ExpectedGrowth[] {
  let left = MAX_ALL_STEPS;
  return packed.map((growth) => {
    const unpacked = unpackGrowth(growth);
    left -= unpacked.steps.length;
    if (left < 0) throw new Error('too many steps');
    return unpacked;
  });
}

/** Expected results from the parsed JSON of a link, format 1. @throws Error when it is not one of ours. */
export function unpackResults(json: unknown): ExpectedResults {
  const packed = v.parse(payload, json, { abortEarly: true });
  return {
    source: 'link',
    createdAt: packed.t ?? null,
    adapter: packed.a ?? null,
    software: packed.s === undefined ? null : packed.s === 1,
    backend: packed.b ?? null,
    browser: packed.w ?? null,
    onnxruntime: packed.o ?? null,
    cells: unpackCells(packed.c),
    growth: unpackGrowths(packed.g),
    redundancy: packed.d === undefined ? null : unpackRedundancy(packed.d),
    serving: packed.v === undefined ? null : unpackServing(packed.v),
  };
}
