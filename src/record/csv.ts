/** A record as CSV (RFC 4180): one line a cell, prompt, step, pair of layers, pool or moment of a pool; raw integers, empty with a reason where not measured. */
import { loadedModel } from '../protocol/loaded-model';
import { contentBytes } from '../protocol/content';
import { isLatentId } from '../protocol/model-name';
import type { Cell, Growth, LabRecord, MaybeBytes, Preallocated, Step } from '../protocol/record';
import type { RedundancyResult } from '../protocol/redundancy';
import type { ServingResult } from '../protocol/serving';
import type { PairResult } from '../redundancy/types';
import { isTwin } from './badges';
import { capacityCsv } from './capacity-tables';
import { cellSkip, growthSkip } from './expected';
import { leakWarning, noteText, WRONG_WAY } from './redundancy-text';
import { wholeFormulaBytes } from './scaled';
import { SERVING_COLUMNS, servingLines } from './serving-tables';
import { cutShort, REAL, SIMULATED } from './serving-text';
import { field, type Value } from './tables';

export const CSV_COLUMNS = [
  'kind',
  'model',
  'dtype',
  'cache_type',
  'batch',
  'policy',
  'allocator',
  'device',
  'repeat',
  'tokens',
  'formula_bytes',
  'tensor_bytes',
  'ratio',
  'resident_bytes',
  'slack',
  'device_before_bytes',
  'device_after_bytes',
  'device_peak_bytes',
  'process_before_bytes',
  'process_bytes',
  'logits_bytes',
  'delta_tensor_bytes',
  'delta_resident_bytes',
  'time_ms',
  'cache_twin',
  'software_adapter',
  'background_tab',
  'reason_code',
  'reason',
  'latent_twin',
  'layers_measured',
  'layers_of',
  'whole_model_formula_bytes',
  'layer_from',
  'layer_to',
  'kv',
  'adjacent',
  'r2_mean',
  'r2_min',
  'r2_max',
  'shuffled_mean',
  'shuffled_min',
  'shuffled_max',
  'channel_correlation',
  'saved_bits',
  'used_bytes',
  'room_tokens',
  'room_formula_bytes',
  'moves',
  ...SERVING_COLUMNS,
  'block_bytes',
  'prompt_tokens',
  'copied_bytes',
  'compiled_pipelines',
] as const;

type Row = Partial<Record<(typeof CSV_COLUMNS)[number], Value>>;

const quotient = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole === 0 ? null : part / whole;

/** What is said of every line's subject. */
type Part = Pick<Cell | Growth, 'model' | 'dtype' | 'batch' | 'policy' | 'allocator' | 'device' | 'repeat'>;

/** What all lines have in common. */
function shared(record: LabRecord, part: Part, tokens: number): Row {
  const { model, dtype, batch, policy, allocator, device, repeat } = part;
  const software = record.environment?.adapter?.fallback ?? null;
  const loaded = loadedModel(record, part);
  return {
    ...{ model, dtype, batch, policy, allocator, device, repeat },
    cache_type: loaded?.cacheType ?? null,
    cache_twin: isTwin(record, model),
    latent_twin: isLatentId(model),
    layers_measured: loaded?.scaled?.layersMeasured ?? null,
    layers_of: loaded?.scaled?.layersOf ?? null,
    whole_model_formula_bytes: loaded === null ? null : wholeFormulaBytes(loaded, { batch, tokens }),
    software_adapter: device === 'webgpu' ? software : false,
  };
}

/** Why levels of a measured line are empty. */
function missing(record: LabRecord, levels: { resident: boolean; device: boolean }): string {
  return (['resident', 'device'] as const)
    .filter((level) => levels[level])
    .map((level) => `${level} not measured: ${record.notMeasured[level] ?? 'no reason given'}`)
    .join('; ');
}

/** What only a preallocated cache has. */
function preallocated({ usedBytes, roomTokens, roomFormulaBytes, moves, blockBytes }: Preallocated): Row {
  return {
    used_bytes: usedBytes ?? null,
    room_tokens: roomTokens ?? null,
    room_formula_bytes: roomFormulaBytes ?? null,
    moves: moves ?? null,
    block_bytes: blockBytes ?? null,
  };
}

function cellRow(record: LabRecord, cell: Cell): Row {
  const { before, after, peak } = cell.deviceBytes;
  return {
    ...shared(record, cell, cell.tokens),
    ...preallocated(cell),
    kind: 'cell',
    tokens: cell.tokens,
    formula_bytes: cell.formulaBytes,
    tensor_bytes: cell.tensorBytes,
    ratio: quotient(contentBytes(cell), cell.formulaBytes),
    resident_bytes: cell.residentBytes,
    slack: quotient(cell.residentBytes, cell.tensorBytes),
    device_before_bytes: before,
    device_after_bytes: after,
    device_peak_bytes: peak,
    process_before_bytes: cell.processBytesBefore,
    process_bytes: cell.processBytes,
    logits_bytes: cell.logitsBytes,
    compiled_pipelines: cell.compiled ?? null,
    time_ms: cell.prefillMs,
    background_tab: cell.background,
    reason_code: cellSkip(cell),
    reason: cell.skipped ?? missing(record, { resident: cell.residentBytes === null, device: peak === null }),
  };
}

/** @param before process bytes before the step. */
function stepRow(record: LabRecord, growth: Growth, step: Step, before: MaybeBytes): Row {
  return {
    ...shared(record, growth, step.tokens),
    ...preallocated(step),
    kind: 'step',
    tokens: step.tokens,
    formula_bytes: step.formulaBytes,
    tensor_bytes: step.tensorBytes,
    ratio: quotient(contentBytes(step), step.formulaBytes),
    resident_bytes: step.residentBytes,
    slack: quotient(step.residentBytes, step.tensorBytes),
    device_after_bytes: step.deviceBytes,
    device_peak_bytes: step.peakDeviceBytes ?? null,
    prompt_tokens: growth.promptTokens,
    copied_bytes: step.copiedBytes ?? null,
    compiled_pipelines: step.compiled ?? null,
    process_before_bytes: before,
    process_bytes: step.processBytes,
    delta_tensor_bytes: step.deltaTensor,
    delta_resident_bytes: step.deltaResident,
    time_ms: step.ms,
    background_tab: step.background,
    reason: missing(record, { resident: step.residentBytes === null, device: step.deviceBytes === null }),
  };
}

function promptRow(record: LabRecord, growth: Growth): Row {
  return {
    ...shared(record, growth, growth.promptTokens),
    kind: 'prompt',
    tokens: growth.promptTokens,
    prompt_tokens: growth.promptTokens,
    tensor_bytes: growth.promptBytes,
    used_bytes: growth.promptUsedBytes ?? null,
    resident_bytes: growth.promptResidentBytes,
    process_bytes: growth.promptProcessBytes,
    slack: quotient(growth.promptResidentBytes, growth.promptBytes),
    reason_code: growthSkip(growth),
    reason:
      growth.interrupted ?? missing(record, { resident: growth.promptResidentBytes === null, device: false }),
  };
}

/** R² of one layer from another. A leak or the wrong way of splitting is its reason not to be believed. */
function pairRow(record: LabRecord, result: RedundancyResult, pair: PairResult): Row {
  const { model, dtype, split, skip, keep } = result;
  const { policy, allocator } = record.recipe;
  const device = record.environment?.backend ?? record.recipe.device;
  const reasons = [
    leakWarning(result) ?? '',
    split === 'halves' ? WRONG_WAY : '',
    ...pair.notes.map(noteText),
  ];
  return {
    ...shared(record, { model, dtype, batch: 1, policy, allocator, device, repeat: 0 }, skip + keep),
    kind: 'pair',
    tokens: keep,
    layer_from: pair.from,
    layer_to: pair.to,
    kv: pair.kind,
    adjacent: pair.adjacent,
    r2_mean: pair.r2.mean,
    r2_min: pair.r2.min,
    r2_max: pair.r2.max,
    shuffled_mean: pair.shuffled.mean,
    shuffled_min: pair.shuffled.min,
    shuffled_max: pair.shuffled.max,
    channel_correlation: pair.channelCorrelation,
    saved_bits: pair.savedBits,
    whole_model_formula_bytes: null,
    reason: reasons.filter((reason) => reason !== '').join('; '),
  };
}

/** Each pool of a serving, and each moment at which it was read. What is simulated and what is real is said with every pool. */
function servingRows(record: LabRecord, { model, dtype, device, runs }: ServingResult): Row[] {
  const { allocator } = record.recipe;
  return runs.flatMap((run) => {
    const policy = run.system === 'paged' ? 'paged' : 'static';
    const subject = shared(record, { model, dtype, batch: 1, policy, allocator, device, repeat: 0 }, 0);
    const { before, pool, after } = run.deviceBytes;
    return servingLines(run).map((line): Row => {
      if (line.kind !== 'pool') return { ...subject, ...line };
      const memory = { device_before_bytes: before, device_peak_bytes: pool, device_after_bytes: after };
      const reasons = [cutShort(run), SIMULATED, REAL].filter((reason) => reason !== null);
      return { ...subject, ...line, ...memory, reason: reasons.join(' ') };
    });
  });
}

/** The record as CSV with a header line and CRLF line ends. Bytes are raw integers; an empty field was not measured. */
export function recordCsv(record: LabRecord): string {
  if (record.capacity !== null) return capacityCsv(record.capacity);
  const rows = [
    ...record.cells.map((cell) => cellRow(record, cell)),
    ...record.growth.flatMap((growth) => [
      promptRow(record, growth),
      ...growth.steps.map((step, index) =>
        stepRow(record, growth, step, growth.steps[index - 1]?.processBytes ?? growth.promptProcessBytes),
      ),
    ]),
  ];
  const { redundancy } = record;
  if (redundancy !== null) rows.push(...redundancy.pairs.map((pair) => pairRow(record, redundancy, pair)));
  if (record.serving) rows.push(...servingRows(record, record.serving));
  const lines = rows.map((row) => CSV_COLUMNS.map((column) => field(row[column])).join(','));
  return [CSV_COLUMNS.join(','), ...lines, ''].join('\r\n');
}
