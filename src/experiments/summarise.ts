/** What a record says in all: its checks, the summary of a growth, and the data of the verdict sentence. Pure. */
import { formulaBytes } from '../geometry/bytes';
import type { Geometry } from '../geometry/geometry';
import { makeCheck, say } from '../protocol/checks';
import { contentBytes, contentDeltas, isPreallocated, promptContent } from '../protocol/content';
import { loadedModel } from '../protocol/loaded-model';
import { formatRatio } from '../protocol/format';
import type { Check, CheckName, Growth, LabRecord } from '../protocol/record';
import { exactRatio } from './cells';
import { itemSizeFor } from './item-size';
import { keptGeometry, type KeptAs } from './quantised';
import { withCheckOf } from './once';
import { shuffledCheck } from './redundancy';
import { repeatsCheck } from './repeats';
import { capacityCheck, flatCheck, preallocatedVerdict, type PreallocatedVerdict } from './static-checks';

/** One measured size of a cache, with all that the formula needs. */
export interface Measurement {
  /** Bytes of one cache element, by the loaded graph. */
  itemSize: number;
  batch: number;
  tokens: number;
  /** Those that hold tokens: of a preallocated cache its used bytes. */
  tensorBytes: number;
  /** Whether they are a part of the tensors. */
  used?: boolean;
  /** How keys and values are kept; floats when left out. */
  kept?: KeptAs;
}

export interface GrowthSummary {
  /** Bytes that a step added to those that hold tokens; null without steps. */
  smallestDelta: number | null;
  largestDelta: number | null;
  distinctDeltas: number;
  finalBytes: number;
  /** Tokens per sequence. */
  finalTokens: number;
  /** Final bytes / (batch x bytes per token): the number of final tokens when the formula holds. */
  multipleOfBytesPerToken: number;
}

export interface Verdict {
  /** Cells measured, of them equal to the formula to the byte, and cells skipped. */
  measured: number;
  equal: number;
  skipped: number;
  /** The same for decode steps. */
  steps: number;
  equalSteps: number;
  /** The ratio farthest from 1; null when nothing was measured. */
  worstRatio: number | null;
  /** The largest resident / tensor bytes, and where; null when resident bytes were not measured. */
  largestSlack: { slack: number; model: string; tokens: number } | null;
  /** The last point of a preallocated cache; null where none was. */
  preallocated: PreallocatedVerdict | null;
  growth: (GrowthSummary & { model: string; repeat: number })[];
  failedChecks: number;
}

/** Checks that are made from the whole record; {@link recordChecks} makes them anew. */
const RECORD_CHECKS: readonly CheckName[] = [
  'ratio',
  'wrong-geometry',
  'growth-delta',
  'repeats-identical',
  'shuffled-control',
  'static-capacity',
  'static-flat',
];

/** Everything that was measured on a model: cells, and a growth's prompt and steps. */
function measurementsOf(record: LabRecord, model: string): Measurement[] {
  const cells = record.cells.flatMap((cell) => {
    const { dtype, batch, tokens } = cell;
    const kept = keptAs(record, cell);
    const tensorBytes = contentBytes(cell);
    const itemSize = itemSizeFor(record, model, dtype);
    return cell.model === model && tensorBytes !== null
      ? [{ itemSize, batch, tokens, tensorBytes, used: isPreallocated(cell), kept }]
      : [];
  });
  const growth = record.growth
    .filter((series) => series.model === model)
    .flatMap((series) => {
      const { batch } = series;
      const kept = keptAs(record, series);
      const itemSize = itemSizeFor(record, model, series.dtype);
      return [
        { itemSize, batch, tokens: series.promptTokens, tensorBytes: promptContent(series), kept },
        ...series.steps.map(({ tokens, tensorBytes, usedBytes }) => ({
          ...{ itemSize, batch, tokens },
          tensorBytes: usedBytes ?? tensorBytes,
          used: usedBytes !== undefined,
          kept,
        })),
      ];
    });
  return [...cells, ...growth];
}

function keptAs({ recipe }: LabRecord, { policy, device }: Pick<KeptAs, 'policy' | 'device'>): KeptAs {
  return { policy, device, bits: recipe.bits };
}

/** Passes when something was measured and every size is what the geometry says, to the byte. */
export function ratioCheck(
  model: string,
  geometry: Geometry | null,
  measurements: readonly Measurement[],
): Check {
  const expected = say('ratio-all');
  if (geometry === null || measurements.length === 0) {
    return makeCheck('ratio', model, false, { expected, measured: say('nothing') });
  }
  const rows = measurements.map((row) => ({ ...row, formula: formulaOf(geometry, row) }));
  const count = rows.length;
  const different = rows.filter((row) => row.tensorBytes !== row.formula);
  const [first] = different;
  if (first === undefined) {
    return makeCheck('ratio', model, true, {
      expected,
      measured: say('ratio-is', { ratio: '1.0000' }),
      detail: say(rows.some(({ used }) => used === true) ? 'ratio-used' : 'ratio-equal', { count }),
    });
  }
  const { tokens, tensorBytes: measured, formula } = first;
  return makeCheck('ratio', model, false, {
    expected,
    measured: say('ratio-is', { ratio: worstRatio(rows) }),
    detail: say('ratio-differs', { different: different.length, count, tokens, measured, formula }),
  });
}

/** Proves that the lab can say "no": with one KV head more in the geometry (one element more in the states of a model without any), the ratio check has to fail everywhere. */
export function wrongGeometryCheck(
  model: string,
  geometry: Geometry,
  measurements: readonly Measurement[],
): Check {
  const stateOnly = geometry.kvHeads === 0;
  const wrong = stateOnly ? withLargerStates(geometry) : withMoreKvHeads(geometry);
  const rows = measurements.map((row) => ({ ...row, formula: formulaOf(wrong, row) }));
  const refused = rows.length > 0 && rows.every((row) => row.tensorBytes !== row.formula);
  return makeCheck('wrong-geometry', model, refused && !ratioCheck(model, wrong, measurements).pass, {
    expected: stateOnly ? say('wrong-state-expected') : say('wrong-expected', { kvHeads: wrong.kvHeads }),
    measured: rows.length === 0 ? say('nothing') : say('ratio-is', { ratio: worstRatio(rows) }),
    detail: stateOnly
      ? say('wrong-state-how')
      : say('wrong-how', { kvHeads: wrong.kvHeads, trueKvHeads: geometry.kvHeads }),
  });
}

/** Passes when there are steps and each added exactly batch x bytes per token. */
export function growthDeltaCheck(growth: Growth, bytesPerToken: number): Check {
  const expected = growth.batch * bytesPerToken;
  const { smallestDelta, largestDelta, distinctDeltas } = summariseGrowth(growth, bytesPerToken);
  const measured =
    smallestDelta === null || largestDelta === null
      ? say('nothing')
      : smallestDelta === largestDelta
        ? say('bytes', { bytes: smallestDelta })
        : say('delta-range', { smallest: smallestDelta, largest: largestDelta });
  return makeCheck('growth-delta', growth.model, distinctDeltas === 1 && smallestDelta === expected, {
    expected: say('delta-expected', { bytes: expected }),
    measured,
    detail: say('delta-count', { steps: growth.steps.length, distinct: distinctDeltas }),
  });
}

/** @param bytesPerToken formula bytes of one token of one sequence. */
export function summariseGrowth(growth: Growth, bytesPerToken: number): GrowthSummary {
  const deltas = contentDeltas(growth);
  const last = growth.steps.at(-1);
  const finalBytes = last === undefined ? promptContent(growth) : (last.usedBytes ?? last.tensorBytes);
  return {
    smallestDelta: deltas.length === 0 ? null : Math.min(...deltas),
    largestDelta: deltas.length === 0 ? null : Math.max(...deltas),
    distinctDeltas: new Set(deltas).size,
    finalBytes,
    finalTokens: last?.tokens ?? growth.promptTokens,
    multipleOfBytesPerToken: finalBytes / (growth.batch * bytesPerToken),
  };
}

/**
 * The record's checks, those of the whole record made anew. A run that was cut short on purpose is not blamed for models
 * and growths that it never reached; any other run is.
 */
export function recordChecks(record: LabRecord): Check[] {
  const cutShort = record.status === 'cancelled' || record.status === 'interrupted';
  const seen = [...record.cells, ...record.growth].map(({ model }) => model);
  // A serving measures pools, not a model's cache.
  const whole = record.recipe.shard === '' && record.recipe.experiment !== 'serving';
  const named = whole ? record.recipe.model : [];
  const perModel = [...new Set([...named, ...seen])].flatMap((id) => {
    const geometry = record.models.find((model) => model.id === id)?.geometry ?? null;
    const measurements = measurementsOf(record, id);
    if (measurements.length === 0 && (cutShort || formulaAlone(record, id) || refused(record))) return [];
    const ratio = ratioCheck(id, geometry, measurements);
    const capacity = capacityCheck(record, id);
    return geometry === null || measurements.length === 0
      ? [ratio]
      : [ratio, wrongGeometryCheck(id, geometry, measurements), ...(capacity === null ? [] : [capacity])];
  });
  const side = record.recipe.experiment === 'policies';
  const perGrowth = record.growth.reduce<Check[]>((checks, growth) => {
    const bytes = bytesPerTokenOf(record, growth);
    // Side by side, what a policy or mode could not do is a finding and no failure.
    const nothingToCheck = growth.steps.length === 0 && (side || cutShort || growth.stepsPlanned === 0);
    const made = [
      ...(bytes === null || nothingToCheck ? [] : [growthDeltaCheck(growth, bytes)]),
      flatCheck(growth),
    ].filter((check) => check !== null);
    return side
      ? made.reduce((done, check) => withCheckOf(done, growth, check), checks)
      : [...checks, ...made];
  }, []);
  const ofAll = [repeatsCheck(record), shuffledCheck(record)];
  return [
    ...record.checks.filter((check) => !RECORD_CHECKS.includes(check.name)),
    ...perModel,
    ...perGrowth,
    ...ofAll.filter((check) => check !== null),
  ];
}

/** Whether nothing but the formula was asked of a model: rows of bfloat16, which no runtime here can measure. */
function formulaAlone(record: LabRecord, id: string): boolean {
  const cells = record.cells.filter(({ model }) => model === id);
  return cells.length > 0 && cells.every(({ fault }) => fault?.code === 'bf16-unsupported');
}

/** Whether a redundancy ended before anything was fed, by a document for instance: no byte was there to be judged. */
function refused({ recipe, faults }: LabRecord): boolean {
  return recipe.experiment === 'redundancy' && faults.length > 0;
}

/** The data of the one verdict sentence. */
export function verdict(record: LabRecord): Verdict {
  const measured = record.cells.filter((cell) => cell.tensorBytes !== null);
  const steps = record.growth.flatMap((growth) => growth.steps);
  const ratios = [
    ...measured.map((cell) => exactRatio(contentBytes(cell) ?? 0, cell.formulaBytes)),
    ...steps.map((step) => exactRatio(contentBytes(step) ?? 0, step.formulaBytes)),
  ];
  return {
    measured: measured.length,
    equal: measured.filter((cell) => contentBytes(cell) === cell.formulaBytes).length,
    skipped: record.cells.length - measured.length,
    steps: steps.length,
    equalSteps: steps.filter((step) => contentBytes(step) === step.formulaBytes).length,
    worstRatio: farthestFromOne(ratios),
    largestSlack: largestSlack(record),
    preallocated: preallocatedVerdict(record),
    growth: record.growth.flatMap((growth) => {
      const bytes = bytesPerTokenOf(record, growth);
      return bytes === null
        ? []
        : [{ ...summariseGrowth(growth, bytes), model: growth.model, repeat: growth.repeat }];
    }),
    failedChecks: record.checks.filter((check) => !check.pass).length,
  };
}

/** The ratio farthest from 1, to four places or as many as it takes to show that it is not 1. */
function worstRatio(rows: readonly { tensorBytes: number; formula: number }[]): string {
  const worst = farthestFromOne(rows.map((row) => exactRatio(row.tensorBytes, row.formula)));
  const row = rows.find(({ tensorBytes, formula }) => exactRatio(tensorBytes, formula) === worst);
  return (row && formatRatio(row.tensorBytes, row.formula)) ?? '';
}

function bytesPerTokenOf(record: LabRecord, growth: Growth): number | null {
  return loadedModel(record, growth)?.bytesPerToken ?? null;
}

function formulaOf(geometry: Geometry, { itemSize, batch, tokens, kept }: Measurement): number {
  return formulaBytes(kept === undefined ? geometry : keptGeometry(geometry, kept), {
    batch,
    tokens,
    elementBytes: itemSize,
  });
}

/** The same geometry with one KV head more in every layer that has some. */
function withMoreKvHeads(geometry: Geometry): Geometry {
  const caches = geometry.caches.map((cache) => {
    if (cache.kvHeads === 0) return cache;
    const kvHeads = cache.kvHeads + 1;
    return { ...cache, kvHeads, elementsPerToken: kvHeads * (cache.keyDim + cache.valueDim) };
  });
  return { ...geometry, kvHeads: geometry.kvHeads + 1, caches };
}

/** The same geometry with one element more in every state. */
function withLargerStates(geometry: Geometry): Geometry {
  const caches = geometry.caches.map((cache) => ({ ...cache, fixedElements: cache.fixedElements + 1 }));
  return { ...geometry, caches };
}

function farthestFromOne(ratios: readonly number[]): number | null {
  return ratios.reduce<number | null>(
    (worst, ratio) => (worst === null || Math.abs(ratio - 1) > Math.abs(worst - 1) ? ratio : worst),
    null,
  );
}

function largestSlack(record: LabRecord): Verdict['largestSlack'] {
  const rows = [
    ...record.cells,
    ...record.growth.flatMap((growth) => growth.steps.map((step) => ({ ...step, model: growth.model }))),
  ];
  return rows.reduce<Verdict['largestSlack']>((largest, { model, tokens, tensorBytes, residentBytes }) => {
    if (tensorBytes === null || residentBytes === null || tensorBytes <= 0) return largest;
    const slack = residentBytes / tensorBytes;
    return largest === null || slack > largest.slack ? { slack, model, tokens } : largest;
  }, null);
}
