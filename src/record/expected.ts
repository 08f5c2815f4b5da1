/** Expected results: of a record, what another machine must measure again to be called the same. */
import type { Device } from '../protocol/recipe';
import type { AdapterInfo, Cell, Environment, Growth, LabRecord, MaybeBytes } from '../protocol/record';
import { expectedRedundancy, type ExpectedRedundancy } from './redundancy-results';
import { expectedServing, type ExpectedServing } from './serving-results';

/** What was measured: a model, how, and which repeat. */
export type Subject = Pick<Cell, 'model' | 'dtype' | 'batch' | 'policy' | 'allocator' | 'device' | 'repeat'>;

export interface ExpectedCell extends Subject {
  tokens: number;
  tensorBytes: MaybeBytes;
  residentBytes: MaybeBytes;
  /** Of a preallocated cache: what holds tokens. */
  usedBytes?: number | undefined;
  /** Fault code of a skipped cell ("skipped" where it had none); null when it was measured. */
  skipped: string | null;
}

export interface ExpectedStep {
  tokens: number;
  tensorBytes: number;
  residentBytes: MaybeBytes;
  usedBytes?: number | undefined;
}

export interface ExpectedGrowth extends Subject {
  promptTokens: number;
  promptBytes: number;
  promptResidentBytes: MaybeBytes;
  promptUsedBytes?: number | undefined;
  stepsPlanned: number;
  /** Steps that were measured; `steps` has only the last of them where a link had no room for all. */
  stepsMeasured: number;
  steps: ExpectedStep[];
  /** Fault code of a growth that was cut short ("interrupted" where it had none); null when all steps were measured. */
  skipped: string | null;
}

export interface ExpectedResults {
  source: 'link' | 'file';
  /** ISO 8601. */
  createdAt: string | null;
  /** Vendor, architecture and so on, in one line. */
  adapter: string | null;
  /** Whether that adapter was a software one; null when there was none or it is not known. */
  software: boolean | null;
  backend: Device | null;
  browser: string | null;
  onnxruntime: string | null;
  /** The whole environment, where the results come from a file; a link has only the five facts above. */
  environment?: Environment | null | undefined;
  cells: ExpectedCell[];
  growth: ExpectedGrowth[];
  /** Only of the experiment `redundancy`. */
  redundancy: ExpectedRedundancy | null;
  /** Only of the experiment `serving`. */
  serving: ExpectedServing | null;
}

const MAX_ADAPTER_LENGTH = 100;

/** An adapter in one line of at most 100 characters, each of its names once; null when it has none. */
export function adapterLine(adapter: AdapterInfo | null): string | null {
  if (!adapter) return null;
  const names = [adapter.vendor, adapter.architecture, adapter.device, adapter.description].map((name) =>
    name.trim(),
  );
  const line = [...new Set(names.filter((name) => name !== ''))].join(' ').slice(0, MAX_ADAPTER_LENGTH);
  return line === '' ? null : line;
}

/** The subject of a cell or a growth, and nothing else of it. */
export function subjectOf({ model, dtype, batch, policy, allocator, device, repeat }: Subject): Subject {
  return { model, dtype, batch, policy, allocator, device, repeat };
}

/** Why a cell was not measured, as a code; null when it was. */
export function cellSkip(cell: Cell): string | null {
  return cell.fault?.code ?? (cell.skipped === null ? null : 'skipped');
}

/** Why a growth was cut short, as a code; null when it was not. */
export function growthSkip(growth: Growth): string | null {
  return growth.fault?.code ?? (growth.interrupted === null ? null : 'interrupted');
}

/** Only a preallocated cache has used bytes to expect. */
function used({ usedBytes }: Pick<Cell, 'usedBytes'>): Pick<Cell, 'usedBytes'> {
  return usedBytes === undefined ? {} : { usedBytes };
}

/** What a record lets others expect. Cells that are neither measured nor skipped (a run that was cut short) are left out. */
export function expectedFromRecord(record: LabRecord): ExpectedResults {
  const { environment } = record;
  return {
    source: 'file',
    createdAt: record.createdAt,
    adapter: adapterLine(environment?.adapter ?? null),
    software: environment?.adapter?.fallback ?? null,
    backend: environment?.backend ?? null,
    browser: environment?.browser ?? null,
    onnxruntime: environment?.onnxruntime ?? null,
    environment,
    cells: record.cells
      .map((cell) => ({
        ...subjectOf(cell),
        tokens: cell.tokens,
        tensorBytes: cell.tensorBytes,
        residentBytes: cell.residentBytes,
        ...used(cell),
        skipped: cellSkip(cell),
      }))
      .filter((cell) => cell.tensorBytes !== null || cell.skipped !== null),
    growth: record.growth.map((growth) => ({
      ...subjectOf(growth),
      promptTokens: growth.promptTokens,
      promptBytes: growth.promptBytes,
      promptResidentBytes: growth.promptResidentBytes,
      ...(growth.promptUsedBytes === undefined ? {} : { promptUsedBytes: growth.promptUsedBytes }),
      stepsPlanned: growth.stepsPlanned,
      stepsMeasured: growth.steps.length,
      steps: growth.steps.map(({ tokens, tensorBytes, residentBytes, usedBytes }) => ({
        ...{ tokens, tensorBytes, residentBytes },
        ...used({ usedBytes }),
      })),
      skipped: growthSkip(growth),
    })),
    redundancy: expectedRedundancy(record),
    serving: expectedServing(record),
  };
}
