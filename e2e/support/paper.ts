/**
 * The first article's tables as recipes and as the numbers that must come out. Every expected number is a literal from
 * shared/golden/paper-tables.json (keys 000_…, made from the article), except where a comment names another source.
 */
import { repeatRows } from '../../src/experiments/repeats';
import { summariseGrowth } from '../../src/experiments/summarise';
import { crossover } from '../../src/geometry/crossover';
import { findModel, weightBytes } from '../../src/model/catalog';
import { formatRatio } from '../../src/protocol/format';
import type { Cell, LabRecord } from '../../src/protocol/record';

export const PAPER_PARTS = ['table', 'growth', 'dtype', 'batch', 'gqa', 'crossover'] as const;
export type PaperPartName = (typeof PAPER_PARTS)[number];

/** One line of a table: what the article says and what was found here. */
export interface PaperRow {
  what: string;
  /** Null for a line that only informs: the article has no such number to be equal to. */
  expected: string | null;
  found: string;
}

export interface PaperPart {
  title: string;
  /** The recipe's query; null for a table that takes no measurement. */
  query: string | null;
  /** @param record of the recipe; null for a table without one. */
  rows: (record: LabRecord | null) => PaperRow[];
}

const QWEN = 'twin:Qwen/Qwen2.5-0.5B-Instruct';
const QWEN_MHA = 'mha:Qwen/Qwen2.5-0.5B-Instruct';
const SMOL = 'twin:HuggingFaceTB/SmolLM2-135M-Instruct';
const GPT2 = 'twin:openai-community/gpt2';
const SKIPPED = 'skipped: over the maximum position';
const NOTHING = 'not measured';

/** 000_lengthSweep_fp32_batch1, 000_…crossover…: tensor bytes by tokens, and where the cache outgrows the weights. */
const SWEEP = [
  {
    model: QWEN,
    bytesPerToken: '24,576',
    cells: {
      128: '3,145,728',
      512: '12,582,912',
      1024: '25,165,824',
      2048: '50,331,648',
      4096: '100,663,296',
    },
    crossoverTokens: '80,409',
    crossoverRequests: '39.3',
  },
  {
    model: SMOL,
    bytesPerToken: '46,080',
    cells: {
      128: '5,898,240',
      512: '23,592,960',
      1024: '47,185,920',
      2048: '94,371,840',
      4096: '188,743,680',
    },
    crossoverTokens: '11,677',
    crossoverRequests: '5.7',
  },
  {
    model: GPT2,
    bytesPerToken: '73,728',
    cells: { 128: '9,437,184', 512: '37,748,736', 1024: '75,497,472', 2048: SKIPPED, 4096: SKIPPED },
    crossoverTokens: '6,751',
    crossoverRequests: '3.3',
  },
] as const;

/** 000_batch_Qwen2.5-0.5B_512. */
const BATCHES = [
  [1, '12,582,912'],
  [2, '25,165,824'],
  [4, '50,331,648'],
  [8, '100,663,296'],
] as const;

const count = (value: number | null | undefined): string =>
  value === null || value === undefined ? NOTHING : value.toLocaleString('en-US');

/** Bytes of a cell as the tables write them; with its formula where that is another number, which must not go unseen. */
function bytesOf(cell: Cell | undefined): string {
  if (cell === undefined) return NOTHING;
  if (cell.fault?.code === 'over-max-position') return SKIPPED;
  if (cell.tensorBytes === null) return cell.skipped ?? NOTHING;
  const measured = count(cell.tensorBytes);
  return cell.tensorBytes === cell.formulaBytes
    ? measured
    : `${measured} (formula ${count(cell.formulaBytes)})`;
}

function ratioOf(cell: Cell): string {
  return (cell.tensorBytes === null ? null : formatRatio(cell.tensorBytes, cell.formulaBytes)) ?? NOTHING;
}

function perToken(record: LabRecord, id: string): string {
  return count(record.models.find((model) => model.id === id)?.bytesPerToken);
}

function tableRows(record: LabRecord): PaperRow[] {
  const measured = record.cells.filter((cell) => cell.tensorBytes !== null);
  return [
    ...SWEEP.flatMap(({ model, bytesPerToken, cells }) => [
      { what: `${model}: bytes per token`, expected: bytesPerToken, found: perToken(record, model) },
      ...Object.entries(cells).map(([tokens, expected]) => ({
        what: `${model} at ${count(Number(tokens))} tokens`,
        expected,
        found: bytesOf(record.cells.find((cell) => cell.model === model && cell.tokens === Number(tokens))),
      })),
    ]),
    {
      what: 'cells measured, and of them with the ratio 1.0000',
      expected: '13 and 13',
      found: `${measured.length} and ${measured.filter((cell) => ratioOf(cell) === '1.0000').length}`,
    },
  ];
}

/** 000_growth_Qwen2.5-0.5B. The article's prompt has 6 tokens; the twins' tokenizer makes another number of it. */
function growthRows(record: LabRecord): PaperRow[] {
  const [growth] = record.growth;
  const bytesPerToken = record.models[0]?.bytesPerToken ?? 0;
  const summary = growth && summariseGrowth(growth, bytesPerToken);
  return [
    { what: 'prompt tokens', expected: '6', found: count(growth?.promptTokens) },
    { what: 'bytes of the prompt', expected: '147,456', found: count(growth?.promptBytes) },
    { what: 'steps', expected: '32', found: count(growth?.steps.length) },
    { what: 'smallest step', expected: '24,576', found: count(summary?.smallestDelta) },
    { what: 'largest step', expected: '24,576', found: count(summary?.largestDelta) },
    { what: 'distinct steps', expected: '1', found: count(summary?.distinctDeltas) },
    { what: 'final tokens', expected: '38', found: count(summary?.finalTokens) },
    { what: 'final bytes', expected: '933,888', found: count(summary?.finalBytes) },
  ];
}

/** 000_dtype_Qwen2.5-0.5B_512. ONNX Runtime Web has no bfloat16, so that row is the formula. */
function dtypeRows(record: LabRecord): PaperRow[] {
  const cell = (dtype: string): Cell | undefined => record.cells.find((one) => one.dtype === dtype);
  const where = (dtype: string): string => {
    const { device } = cell(dtype) ?? {};
    return device === undefined ? '' : ` on ${device === 'webgpu' ? 'WebGPU' : 'WASM'}`;
  };
  const bf16 = cell('bf16');
  return [
    { what: `float32${where('fp32')}`, expected: '12,582,912', found: bytesOf(cell('fp32')) },
    { what: `float16${where('fp16')}`, expected: '6,291,456', found: bytesOf(cell('fp16')) },
    { what: 'bfloat16, by formula', expected: '6,291,456', found: count(bf16?.formulaBytes) },
    { what: 'bfloat16, measured', expected: NOTHING, found: count(bf16?.tensorBytes) },
  ];
}

/** 000_batch_Qwen2.5-0.5B_512, each in 3 repeats; the step of one token from 000_processMemory. */
function batchRows(record: LabRecord): PaperRow[] {
  const all = repeatRows(record);
  return BATCHES.flatMap(([batch, bytes]): PaperRow[] => {
    const [cell, step] = (['cell', 'step'] as const).map((kind) =>
      all.find((row) => row.batch === batch && row.kind === kind),
    );
    const tensor = cell?.tensor;
    const spread = cell?.process ?? null;
    const process =
      spread === null
        ? `${NOTHING}${record.notMeasured.process === null ? '' : `: ${record.notMeasured.process}`}`
        : `${count(spread.median)} (${count(spread.smallest)} to ${count(spread.largest)})`;
    return [
      {
        what: `batch ${batch}: tensor bytes, identical in`,
        expected: `${bytes} in 3 of 3`,
        found: tensor ? `${count(tensor.bytes)} in ${tensor.identical} of ${tensor.count}` : NOTHING,
      },
      ...(batch === 1
        ? [
            {
              what: 'batch 1: what one more token adds',
              expected: '24,576 in 3 of 3',
              found: step?.tensor
                ? `${count(step.tensor.bytes)} in ${step.tensor.identical} of ${step.tensor.count}`
                : NOTHING,
            },
          ]
        : []),
      { what: `batch ${batch}: process bytes, median (range)`, expected: null, found: process },
    ];
  });
}

/** 000_gqa_Qwen2.5-0.5B. The bytes at 128 tokens are 128 times those per token: 128 x 172,032 = 22,020,096. */
function gqaRows(record: LabRecord): PaperRow[] {
  const cell = (model: string): Cell | undefined => record.cells.find((one) => one.model === model);
  const [shared, own] = [cell(QWEN)?.tensorBytes ?? 0, cell(QWEN_MHA)?.tensorBytes ?? 0];
  return [
    { what: 'bytes per token with 2 KV heads', expected: '24,576', found: perToken(record, QWEN) },
    { what: 'bytes per token with 14 KV heads', expected: '172,032', found: perToken(record, QWEN_MHA) },
    { what: '2 KV heads at 128 tokens', expected: '3,145,728', found: bytesOf(cell(QWEN)) },
    { what: '14 KV heads at 128 tokens', expected: '22,020,096', found: bytesOf(cell(QWEN_MHA)) },
    {
      what: 'measured: times as many bytes',
      expected: '7.0x',
      found:
        shared > 0 && own > 0
          ? `${Number.isInteger(own / shared) ? (own / shared).toFixed(1) : own / shared}x`
          : NOTHING,
    },
  ];
}

/** Weights by parameter count against the cache, both in float32: 000_lengthSweep_fp32_batch1, crossover…. */
function crossoverRows(): PaperRow[] {
  return SWEEP.flatMap(({ model, crossoverTokens, crossoverRequests }) => {
    const spec = findModel(model);
    const weights = spec?.parameters == null ? null : weightBytes(spec.parameters, 'fp32');
    const at = spec === null || weights === null ? null : crossover(spec.geometry, weights, 4);
    return [
      {
        what: `${model}: tokens of one sequence`,
        expected: crossoverTokens,
        found: at?.tokens == null ? NOTHING : count(Math.round(at.tokens)),
      },
      {
        what: `${model}: requests of 2,048 tokens`,
        expected: crossoverRequests,
        found: at === null ? NOTHING : at.requests.toFixed(1),
      },
    ];
  });
}

const ofRecord =
  (rows: (record: LabRecord) => PaperRow[]): PaperPart['rows'] =>
  (record) =>
    record === null ? [] : rows(record);

export const PAPER: Record<PaperPartName, PaperPart> = {
  table: {
    title: 'Length: three models, five lengths, 13 cells',
    query: `model=${QWEN}&model=${SMOL}&model=${GPT2}&tokens=128,512,1024,2048,4096`,
    rows: ofRecord(tableRows),
  },
  growth: {
    title: 'Growth: 32 decode steps after 6 tokens',
    query: `experiment=growth&model=${QWEN}&tokens=6&steps=32`,
    rows: ofRecord(growthRows),
  },
  dtype: {
    title: 'Element types at 512 tokens',
    query: `experiment=dtype&model=${QWEN}&tokens=512&dtype=fp32,fp16,bf16`,
    rows: ofRecord(dtypeRows),
  },
  batch: {
    title: 'Batches of 1, 2, 4 and 8 at 512 tokens, three times each',
    query: `experiment=batch&model=${QWEN}&tokens=512&batch=1,2,4,8&steps=1&repeats=3`,
    rows: ofRecord(batchRows),
  },
  gqa: {
    title: 'Grouped-query attention: the same model with a KV head for every head',
    query: `experiment=gqa&model=${QWEN}&tokens=128`,
    rows: ofRecord(gqaRows),
  },
  crossover: {
    title: 'Crossover: where the cache takes more than the weights',
    query: null,
    rows: crossoverRows,
  },
};

/** Lines with another number than the article's. */
export function differences(rows: readonly PaperRow[]): PaperRow[] {
  return rows.filter(({ expected, found }) => expected !== null && expected !== found);
}

/** A table as text: what it is, the article's number, the one found here, and whether they are the same. */
export function paperTable(title: string, rows: readonly PaperRow[]): string {
  const lines = [
    ['', 'article', 'here', ''],
    ...rows.map((row) => [
      row.what,
      row.expected ?? '',
      row.found,
      row.expected === null ? '' : row.expected === row.found ? 'ok' : 'different',
    ]),
  ];
  const width = (column: number): number => Math.max(...lines.map((line) => (line[column] ?? '').length));
  const text = lines.map((line) =>
    line
      .map((word, column) => (column === 0 ? word.padEnd(width(0)) : word.padStart(width(column))))
      .join('  ')
      .trimEnd(),
  );
  return [title, ...text].join('\n');
}
