/** A record as Markdown: badges, verdict, the article's table, growth, failed checks and the recipe link. */
import { loadedModel } from '../protocol/loaded-model';
import { contentBytes, contentDeltas, isPreallocated } from '../protocol/content';
import { formatInteger, formatRatio, formatSlack } from '../protocol/format';
import type { Device } from '../protocol/recipe';
import type { Cell, Growth, LabRecord, MaybeBytes } from '../protocol/record';
import { badgeWords } from './badges';
import { adapterLine } from './expected';
import { capacityMarkdown } from './capacity-tables';
import { policiesParts } from './policies-text';
import { linkSafe } from './recipe-link';
import { redundancyParts, redundancyWarnings } from './redundancy-tables';
import { redundancySentence } from './redundancy-text';
import { scaledLayers, scaledSentences } from './scaled';
import { servingParts } from './serving-tables';
import { servingSentence } from './serving-text';
import { numbers, plain, table, words } from './tables';

const NOT_MEASURED = 'not measured';

const bytes = (value: MaybeBytes): string => (value === null ? NOT_MEASURED : formatInteger(value));

const milliseconds = (value: number | null): string =>
  value === null ? NOT_MEASURED : `${value.toLocaleString('en-US', { maximumFractionDigits: 1 })} ms`;

const backend = (device: Device): string => (device === 'webgpu' ? 'WebGPU' : 'WASM');

/** What the model's graph keeps in its cache, for instance `float32`; unknown where it was never loaded. */
function cacheType(record: LabRecord, cell: Cell): string {
  const loaded = loadedModel(record, cell);
  return loaded === null ? NOT_MEASURED : plain(loaded.cacheType);
}

/** Columns beyond the article's are there where they tell rows apart, or where they were measured. */
function cellsTable(record: LabRecord): string {
  const { cells } = record;
  const repeated = cells.some((cell) => cell.repeat > 0);
  const several = (trait: (cell: Cell) => unknown): boolean => new Set(cells.map(trait)).size > 1;
  const [dtypes, devices] = [several((cell) => cell.dtype), several((cell) => cell.device)];
  const [policies, modes] = [several((cell) => cell.policy), several((cell) => cell.allocator)];
  const process = cells.some((cell) => cell.processBytes !== null);
  const preallocated = cells.some(isPreallocated);
  const columns = [
    words('model'),
    words('dtype'),
    ...(dtypes ? [words('cache elements')] : []),
    ...(policies ? [words('policy')] : []),
    ...(modes ? [words('allocator')] : []),
    ...(devices ? [words('backend')] : []),
    numbers('batch'),
    numbers('tokens'),
    ...(repeated ? [numbers('repeat')] : []),
    numbers('formula bytes'),
    ...(preallocated ? [numbers('used bytes'), numbers('room')] : []),
    numbers(preallocated ? 'tensor bytes (capacity)' : 'tensor bytes'),
    numbers('ratio'),
    numbers('resident bytes'),
    numbers('slack'),
    numbers('device peak'),
    ...(process ? [numbers('process before'), numbers('process with cache')] : []),
    numbers('time'),
  ];
  const rows = cells.map((cell) => {
    const { tensorBytes, residentBytes, formulaBytes } = cell;
    const content = contentBytes(cell);
    const skipped = cell.skipped === null ? NOT_MEASURED : `skipped: ${plain(cell.skipped)}`;
    return [
      plain(cell.model),
      cell.dtype,
      ...(dtypes ? [cacheType(record, cell)] : []),
      ...(policies ? [cell.policy] : []),
      ...(modes ? [cell.allocator] : []),
      ...(devices ? [tensorBytes === null ? '–' : backend(cell.device)] : []),
      formatInteger(cell.batch),
      formatInteger(cell.tokens),
      ...(repeated ? [formatInteger(cell.repeat + 1)] : []),
      formatInteger(formulaBytes),
      ...(preallocated ? [bytes(cell.usedBytes ?? null), bytes(cell.roomTokens ?? null)] : []),
      tensorBytes === null ? skipped : formatInteger(tensorBytes),
      (content === null ? null : formatRatio(content, formulaBytes)) ?? NOT_MEASURED,
      bytes(residentBytes),
      (tensorBytes === null || residentBytes === null ? null : formatSlack(residentBytes, tensorBytes)) ??
        NOT_MEASURED,
      bytes(cell.deviceBytes.peak),
      ...(process ? [bytes(cell.processBytesBefore), bytes(cell.processBytes)] : []),
      `${milliseconds(cell.prefillMs)}${(cell.compiled ?? 0) > 0 ? ' (with warm-up)' : ''}`,
    ];
  });
  return table(columns, rows);
}

function growthRow(growth: Growth, preallocated: boolean, keeping: boolean): string[] {
  const deltas = contentDeltas(growth);
  const last = growth.steps.at(-1);
  const of = (value: number | undefined): string =>
    value === undefined ? NOT_MEASURED : formatInteger(value);
  const done = `${formatInteger(growth.steps.length)} of ${formatInteger(growth.stepsPlanned)}`;
  return [
    plain(growth.model),
    growth.dtype,
    ...(keeping ? [growth.policy, growth.allocator] : []),
    formatInteger(growth.batch),
    formatInteger(growth.promptTokens),
    growth.interrupted === null ? done : `${done}: ${plain(growth.interrupted)}`,
    last ? formatInteger(Math.min(...deltas)) : NOT_MEASURED,
    last ? formatInteger(Math.max(...deltas)) : NOT_MEASURED,
    last ? formatInteger(new Set(deltas).size) : NOT_MEASURED,
    of(last?.tokens),
    of(last?.formulaBytes),
    ...(preallocated ? [of(last?.usedBytes), of(last?.roomTokens), of(last?.moves)] : []),
    of(last?.tensorBytes),
    (last ? formatRatio(last.usedBytes ?? last.tensorBytes, last.formulaBytes) : null) ?? NOT_MEASURED,
    bytes(last?.residentBytes ?? null),
  ];
}

function growthTable(growths: readonly Growth[]): string {
  const preallocated = growths.some(({ steps }) => steps.some(isPreallocated));
  const keeping = new Set(growths.map(({ policy, allocator }) => `${policy} ${allocator}`)).size > 1;
  const columns = [
    words('model'),
    words('dtype'),
    ...(keeping ? [words('policy'), words('allocator')] : []),
    numbers('batch'),
    numbers('prompt tokens'),
    words('steps'),
    numbers('smallest step'),
    numbers('largest step'),
    numbers('distinct steps'),
    numbers('final tokens'),
    numbers('formula bytes'),
    ...(preallocated ? [numbers('used bytes'), numbers('room'), numbers('moves')] : []),
    numbers(preallocated ? 'tensor bytes (capacity)' : 'tensor bytes'),
    numbers('ratio'),
    numbers('resident bytes'),
  ];
  return table(
    columns,
    growths.map((growth) => growthRow(growth, preallocated, keeping)),
  );
}

/** What the bytes and the checks say, counted. */
function countedVerdict(record: LabRecord): string {
  const { redundancy } = record;
  const sentences = redundancy === null ? [] : [redundancySentence(redundancy)];
  if (record.serving) sentences.push(servingSentence(record.serving));
  const measured = record.cells.filter((cell) => cell.tensorBytes !== null);
  if (record.cells.length > 0) {
    const equal = measured.filter((cell) => contentBytes(cell) === cell.formulaBytes).length;
    const left = record.cells.length - measured.length;
    sentences.push(
      `${equal} of ${measured.length} measured cells equal the formula to the byte${left > 0 ? `; ${left} not measured` : ''}.`,
    );
  }
  const steps = record.growth.flatMap((growth) => growth.steps);
  if (record.growth.length > 0) {
    const equal = steps.filter((step) => contentBytes(step) === step.formulaBytes).length;
    sentences.push(`${equal} of ${steps.length} measured steps equal the formula to the byte.`);
  }
  const rooms = [...measured, ...steps].filter(isPreallocated);
  if (rooms.length > 0) {
    const equal = rooms.filter((point) => point.tensorBytes === point.roomFormulaBytes).length;
    sentences.push(
      `The cache was preallocated (policy static): the formula is compared with its used bytes; ${equal} of ${rooms.length} capacities equal the formula at the room.`,
    );
  }
  for (const { model, measured: layers, of } of scaledLayers(record))
    sentences.push(
      `Of the ${formatInteger(of)} layers of ${plain(model)} only the first ${formatInteger(layers)} were measured.`,
    );
  const passed = record.checks.filter((check) => check.pass).length;
  sentences.push(`${passed} of ${record.checks.length} checks pass.`);
  if (record.status !== 'done') sentences.push(`The run is not complete (${record.status}).`);
  return sentences.join(' ');
}

function environmentLine(record: LabRecord): string {
  const { environment } = record;
  if (!environment) return 'Environment: unknown.';
  const facts = [
    backend(environment.backend),
    environment.backend === 'webgpu' ? `adapter ${adapterLine(environment.adapter) ?? 'unknown'}` : '',
    environment.backend === 'webgpu' ? `allocator ${environment.allocator}` : '',
    record.recipe.policy === 'dynamic' ? '' : `cache policy ${record.recipe.policy}`,
    environment.browser,
    environment.os,
    `ONNX Runtime ${environment.onnxruntime}`,
    `transformers.js ${environment.transformers}`,
    `KV Cache Lab ${environment.app}`,
  ];
  return `Environment: ${plain(facts.filter((fact) => fact !== '').join(', '))}.`;
}

/**
 * The record as Markdown, in English. Bytes are exact integers; what was not measured says so in words, never 0.
 * @param verdict the page's own verdict sentence; without it the equal cells and passed checks are counted.
 */
export function recordMarkdown(record: LabRecord, verdict?: string): string {
  if (record.capacity !== null) return capacityMarkdown(record, record.capacity, verdict);
  const badges = [
    ...badgeWords(record),
    ...scaledLayers(record).map(
      ({ measured, of }) => `${formatInteger(measured)} of ${formatInteger(of)} layers`,
    ),
  ];
  const failed = record.checks.filter((check) => !check.pass);
  const reasons = Object.entries(record.notMeasured).filter(([, reason]) => reason !== null);
  const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
  const parts = [
    `**KV Cache Lab**: ${record.recipe.experiment}, ${plain(record.createdAt)}`,
    ...redundancyWarnings(record),
    badges.length > 0 ? `Badges: ${badges.join(', ')}` : '',
    verdict === undefined ? countedVerdict(record) : plain(verdict),
    ...(record.redundancy === null ? [] : redundancyParts(record.redundancy)),
    ...(record.serving ? servingParts(record.serving, record.recipe.serving) : []),
    ...policiesParts(record),
    record.cells.length > 0 ? cellsTable(record) : '',
    record.growth.length > 0 ? growthTable(record.growth) : '',
    list(scaledSentences(record).map(plain)),
    list(reasons.map(([level, reason]) => `${level} bytes not measured: ${plain(reason ?? '')}`)),
    list(
      failed.map(
        (check) =>
          `Check failed: ${check.name}${check.model === null ? '' : ` (${plain(check.model)})`}: ` +
          `expected ${plain(check.expected)}, measured ${plain(check.measured)}. ${plain(check.detail)}`,
      ),
    ),
    environmentLine(record),
    record.url === '' ? '' : `[Run it again](${linkSafe(record.url)})`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
