/** What the experiments beyond length and growth say in their verdict: parts of one sentence, made from a record's data. Pure. */
import { counterfactualOf, findModel } from '../model/catalog';
import { repeatRows, spreadOf, type RepeatRow, type Spread } from '../experiments/repeats';
import { contentBytes } from '../protocol/content';
import type { Cell, LabRecord } from '../protocol/record';
import { modelName } from './model-name';
import { cacheTypeOf, pointRows, type PointRow } from './points';
import type { Words } from './verdict-text';
import type { WeightsRow } from './weights-rows';

/** Largest share by which page memory may miss the cache's bytes and still count as following them. */
const FOLLOWS_WITHIN = 0.05;

/** Dtypes: what float16 takes of float32, what quantised weights change, and what ran elsewhere. */
export function dtypeParts(record: LabRecord, { tr, int }: Words): string[] {
  const rows = pointRows(record).filter(({ cells }) => cells.length > 0);
  const [first] = rows;
  if (first === undefined) return [];
  const of = (dtype: string) => atSamePoint(rows, first).find((row) => row.dtype === dtype) ?? null;
  const [full, half] = [of('fp32'), of('fp16')];
  const parts: string[] = [];
  if (full !== null && half !== null) {
    const [a, b] = [tensorOf(half), tensorOf(full)];
    parts.push(tr(2 * a === b ? 'dtype.half' : 'dtype.notHalf', { half: int(a), full: int(b) }));
  }
  const quantised = atSamePoint(rows, first).filter(({ dtype }) => !['fp32', 'fp16'].includes(dtype));
  // A quantised variant is set against the plain one whose cache has the same element type.
  const { policy } = record.recipe;
  const typeOf = (row: PointRow): string | null => cacheTypeOf(record, { ...row, policy });
  const pairs = quantised.flatMap((row) => {
    const plain = [full, half].find((one) => one !== null && typeOf(one) === typeOf(row));
    return plain == null ? [] : [{ row, same: tensorOf(plain) === tensorOf(row) }];
  });
  if (pairs.length > 0) {
    const list = pairs.map(({ row }) => `${row.dtype} ${int(tensorOf(row))}`).join(', ');
    parts.push(
      tr(pairs.every(({ same }) => same) ? 'dtype.quantisedSame' : 'dtype.quantisedOther', { list }),
    );
  }
  const moved = rows.filter(({ device }) => device !== record.recipe.device);
  if (moved.length > 0) {
    parts.push(tr('dtype.onWasm', { list: [...new Set(moved.map(({ dtype }) => dtype))].join(', ') }));
  }
  return parts;
}

/** Batches: proportion, repeats, what page memory made of it, and the token more. */
export function batchParts(record: LabRecord, { tr, int }: Words): string[] {
  const measured = pointRows(record).filter(({ cells }) => cells.length > 0);
  const [start] = measured;
  if (start === undefined) return [];
  const rows = measured.filter((row) => row.model === start.model && row.dtype === start.dtype);
  const [first = start] = rows;
  const same = rows.filter(({ tokens }) => tokens === first.tokens);
  const last = same.at(-1) ?? first;
  const proportional = same.every((row) => tensorOf(row) * first.batch === tensorOf(first) * row.batch);
  const parts = [
    same.length > 1
      ? tr(proportional ? 'batch.linear' : 'batch.notLinear', {
          first: int(tensorOf(first)),
          from: first.batch,
          last: int(tensorOf(last)),
          to: last.batch,
        })
      : tr('batch.one', { bytes: int(tensorOf(first)), batch: first.batch }),
  ];
  const repeats = repeatRows(record);
  parts.push(...identicalPart(repeats, tr), processPart(measured, { tr, int }));
  const step = repeats.find(({ kind }) => kind === 'step');
  if (step?.tensor != null) {
    const bytes = int(step.tensor.bytes);
    parts.push(
      step.process === null
        ? tr('batch.stepGrewOnly', { bytes, batch: step.batch })
        : tr('batch.stepGrew', { bytes, batch: step.batch, ...endsOf(step.process, int) }),
    );
  }
  return parts;
}

function identicalPart(rows: readonly RepeatRow[], tr: Words['tr']): string[] {
  const several = rows.filter(({ tensor }) => (tensor?.count ?? 0) > 1);
  const [first] = several;
  if (first?.tensor == null) return [];
  const stray = several.filter(({ tensor }) => tensor !== null && tensor.identical < tensor.count);
  if (stray.length > 0) return [tr('batch.stray', { different: stray.length, points: several.length })];
  const count = Math.min(...several.map(({ tensor }) => tensor?.count ?? Infinity));
  return [tr('batch.identical', { identical: count, count })];
}

/** Whether page memory moved as the cache did, said with the smallest and largest of what it did. */
function processPart(rows: readonly PointRow[], { tr, int }: Words): string {
  const moved = rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => {
      const { processBytes: after, processBytesBefore: before, tensorBytes } = cell;
      return after === null || before === null || tensorBytes === null
        ? []
        : [{ change: after - before, tensorBytes }];
    }),
  );
  const spread = spreadOf(moved.map(({ change }) => change));
  if (spread === null) return tr('batch.noProcess');
  const follows = moved.every(
    ({ change, tensorBytes }) => Math.abs(change - tensorBytes) <= FOLLOWS_WITHIN * tensorBytes,
  );
  return follows ? tr('batch.processFollows') : tr('batch.processBlind', endsOf(spread, int));
}

/** KV heads: what sharing them saves, by the formula and as measured; a model without sharing says so. */
export function gqaParts(record: LabRecord, { tr, int }: Words): string[] {
  const rows = pointRows(record).filter(({ cells }) => cells.length > 0);
  return record.recipe.model.flatMap((id) => {
    const model = record.models.find((one) => one.id === id);
    const geometry = findModel(id)?.geometry ?? model?.geometry;
    if (geometry === undefined) return [];
    const { attentionHeads: heads, kvHeads } = geometry;
    const name = modelName(id, tr);
    if (heads === kvHeads) return [tr('gqa.none', { name })];
    const factor = (heads / kvHeads).toFixed(1);
    const other = counterfactualOf(id);
    const figures =
      model === undefined
        ? null
        : {
            ...{ name, kvHeads, heads, factor },
            perToken: int(model.bytesPerToken),
            without: int((model.bytesPerToken * heads) / kvHeads),
          };
    if (other === null) return figures === null ? [] : [tr('gqa.noTwin', figures)];
    const own = rows.filter((row) => row.model === id).at(-1);
    const without = rows.find((row) => row.model === other && own !== undefined && samePlace(row, own));
    const saves = figures === null ? [] : [tr('gqa.saves', figures)];
    return own === undefined || without === undefined
      ? saves
      : [
          ...saves,
          tr('gqa.measured', {
            bytes: int(tensorOf(own)),
            without: int(tensorOf(without)),
            tokens: own.tokens,
          }),
        ];
  });
}

/** Who owns the memory where, one part a model whose weights are known. */
export function weightsParts(rows: readonly WeightsRow[], { tr, int }: Words): string[] {
  return rows.flatMap(({ id, crossover }) => {
    if (crossover === null) return [];
    const name = modelName(id, tr);
    const below = crossover.requestsOwning - 1;
    return below === 0
      ? [tr('weights.ownerAlways', { name })]
      : [tr('weights.owner', { name, below: int(below), from: int(crossover.requestsOwning) })];
  });
}

/** The parts of a record's experiment; empty for those whose sentence counts cells or steps alone. */
export function experimentParts(record: LabRecord, words: Words): string[] {
  switch (record.recipe.experiment) {
    case 'dtype':
      return dtypeParts(record, words);
    case 'batch':
      return batchParts(record, words);
    case 'gqa':
      return gqaParts(record, words);
    // Who owns the memory stands above the report of the weights, with or without a run; so do the planner's sentences, and
    // those of experiments with a report of their own.
    case 'weights':
    case 'length':
    case 'growth':
    case 'capacity':
    case 'redundancy':
    case 'policies':
    case 'serving':
      return [];
  }
}

function endsOf({ smallest, largest }: Spread, int: Words['int']): { smallest: string; largest: string } {
  return { smallest: signed(smallest, int), largest: signed(largest, int) };
}

/** A change in bytes with its sign. */
export function signed(value: number, int: Words['int']): string {
  return value > 0 ? `+${int(value)}` : int(value);
}

function tensorOf({ cells }: PointRow): number {
  const [first] = cells;
  return first === undefined ? 0 : (contentBytes(first) ?? 0);
}

type Place = Pick<Cell, 'model' | 'dtype' | 'batch' | 'tokens'>;

function atSamePoint<Row extends Place>(rows: readonly Row[], { model, batch, tokens }: Place): Row[] {
  return rows.filter((row) => row.model === model && row.batch === batch && row.tokens === tokens);
}

function samePlace(a: Place, b: Place): boolean {
  return a.dtype === b.dtype && a.batch === b.batch && a.tokens === b.tokens;
}
