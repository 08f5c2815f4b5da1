/** A plan's tables for files: Markdown in English, CSV with raw integers. */
import type { SessionRow, WhatIf } from '../geometry/capacity/types';
import type { CapacityResult, PlannedModel } from '../protocol/capacity';
import { formatBytes, formatInteger } from '../protocol/format';
import type { LabRecord } from '../protocol/record';
import { capacitySentence, countText, reasonText, tokenSentence } from './capacity-text';
import { bytesPerTokenRatios } from './capacity-verdict';
import { field, plain, table, numbers, words } from './tables';
import { linkSafe } from './recipe-link';

const WHAT: Record<WhatIf, string> = {
  'no-gqa': 'as many KV heads as attention heads',
  'fp8-cache': 'fp8 cache',
  'utilisation-low': '20.4 % of the room used',
  'utilisation-high': '38.2 % of the room used',
};

const whole = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

/** The record of a plan as Markdown. */
export function capacityMarkdown(record: LabRecord, result: CapacityResult, verdict?: string): string {
  const { state, gpu, models } = result;
  const reserve = state.reserve === 0 ? '' : `, ${formatInteger(state.reserve)} bytes kept free on each`;
  const parts = [
    `**KV Cache Lab**: capacity, ${plain(record.createdAt)}`,
    plain(verdict ?? capacitySentence(result)),
    `${formatInteger(state.gpus)} x ${plain(gpu.name)} (${formatInteger(gpu.bytes)} bytes each), ${state.share} % usable${reserve}; ` +
      `cache in ${plain(state.kv)}, engine ${state.engine}. Nothing was measured.`,
    modelsTable(result),
    sessionsTable(result),
    models
      .flatMap(({ id, name, reason }) =>
        reason === null ? [] : [`- ${plain(name)}: ${plain(reasonText(reason, id))}`],
      )
      .join('\n'),
    bytesPerTokenRatios(models)
      .map((pair) => `- ${plain(tokenSentence(pair))}`)
      .join('\n'),
    record.url === '' ? '' : `[Open this plan](${linkSafe(record.url)})`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Bytes per token, or that the engine reserves them in advance. */
function perTokenText({ state }: CapacityResult, { rows, bytesPerTokenFirst }: PlannedModel): string {
  if (rows.length === 0) return 'unknown';
  return state.engine === 'preallocated' && bytesPerTokenFirst === 0
    ? 'reserved in advance'
    : whole(bytesPerTokenFirst);
}

function modelsTable(result: CapacityResult): string {
  const columns = [
    words('model'),
    numbers('weight bytes'),
    words('weights from'),
    numbers('room bytes'),
    numbers('bytes per token'),
    numbers('fixed bytes'),
    numbers('tokens of one sequence that fills the room'),
  ];
  return table(
    columns,
    result.models.map((model) => [
      plain(model.name),
      model.weights === null ? 'unknown' : formatInteger(model.weights.bytes),
      model.weights === null ? '–' : plain(model.weights.source),
      model.budgetBytes === null ? 'unknown' : formatInteger(model.budgetBytes),
      perTokenText(result, model),
      model.rows.length === 0 ? 'unknown' : whole(model.fixedBytes),
      countText(model.kvTokens),
    ]),
  );
}

function sessionsTable({ models }: CapacityResult): string {
  const columns = [
    words('model'),
    words('case'),
    numbers('tokens per session'),
    numbers('bytes per session'),
    numbers('size'),
    numbers('sessions'),
  ];
  const rows = models.flatMap((model) =>
    casesOf(model).flatMap(({ what, rows: lines }) =>
      lines.map((row) => [
        plain(model.name),
        what === null ? 'as planned' : WHAT[what],
        formatInteger(row.tokens),
        row.sessionBytes === null ? 'not possible' : formatInteger(row.sessionBytes),
        row.sessionBytes === null ? '–' : formatBytes(row.sessionBytes),
        countText(row.sessions),
      ]),
    ),
  );
  return rows.length === 0 ? '' : table(columns, rows);
}

function casesOf({ rows, whatIf }: PlannedModel): { what: WhatIf | null; rows: SessionRow[] }[] {
  return [{ what: null, rows }, ...whatIf];
}

export const CAPACITY_CSV_COLUMNS = [
  'model',
  'case',
  'gpu',
  'gpu_bytes',
  'gpus',
  'reserve_bytes',
  'share_percent',
  'kv_type',
  'engine',
  'weight_bytes',
  'weights_from',
  'room_bytes',
  'missing_bytes',
  'bytes_per_token_first',
  'bytes_per_token_far',
  'fixed_bytes',
  'kv_tokens',
  'context_tokens',
  'session_bytes',
  'sessions',
  'over_maximum',
  'wanted_sessions',
  'gpus_needed',
  'copies_needed',
  'reason',
] as const;

type Row = Partial<Record<(typeof CAPACITY_CSV_COLUMNS)[number], string | number | boolean | null>>;

/** One line a model, case and context; empty where nothing is known, `unbounded` where there is no end. */
export function capacityCsv({ state, gpu, models }: CapacityResult): string {
  const rows = models.flatMap((model): Row[] => {
    const shared: Row = {
      model: model.id,
      gpu: gpu.name,
      gpu_bytes: gpu.bytes,
      gpus: state.gpus,
      reserve_bytes: state.reserve,
      share_percent: state.share,
      kv_type: state.kv,
      engine: state.engine,
      weight_bytes: model.weights?.bytes ?? null,
      weights_from: model.weights?.from ?? null,
      room_bytes: model.budgetBytes,
      missing_bytes: model.missingBytes,
      wanted_sessions: state.sessions,
      reason: model.reason === null ? null : reasonText(model.reason, model.id),
    };
    if (model.rows.length === 0) return [{ ...shared, case: 'planned' }];
    return casesOf(model).flatMap(({ what, rows: lines }) =>
      lines.map((row, at) => ({
        ...shared,
        case: what ?? 'planned',
        ...(what === null
          ? {
              bytes_per_token_first: model.bytesPerTokenFirst,
              bytes_per_token_far: model.bytesPerTokenFar,
              fixed_bytes: model.fixedBytes,
              kv_tokens: model.kvTokens,
              gpus_needed: model.gpusNeeded[at]?.gpus ?? null,
              copies_needed: model.gpusNeeded[at]?.copies ?? null,
            }
          : {
              bytes_per_token_first:
                model.whatIf.find((each) => each.what === what)?.bytesPerTokenFirst ?? null,
              kv_tokens: model.whatIf.find((each) => each.what === what)?.kvTokens ?? null,
            }),
        context_tokens: row.tokens,
        session_bytes: row.sessionBytes,
        sessions: row.sessions,
        over_maximum: row.overMaximum,
        ...(row.reason === null ? {} : { reason: reasonText(row.reason) }),
      })),
    );
  });
  const lines = rows.map((row) => CAPACITY_CSV_COLUMNS.map((column) => field(row[column])).join(','));
  return [CAPACITY_CSV_COLUMNS.join(','), ...lines, ''].join('\r\n');
}
