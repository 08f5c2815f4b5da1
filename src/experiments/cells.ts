/** The cells of a record: made from a measurement and the formula, or from the reason why there is none; kept in order. */
import { formulaBytes } from '../geometry/bytes';
import { contentBytes } from '../protocol/content';
import { describeFault } from '../protocol/faults';
import type { Fault } from '../protocol/faults';
import { ALLOCATORS, POLICIES, type Recipe } from '../protocol/recipe';
import type { MeasuredCell } from '../protocol/messages';
import type { Cell, LabRecord, Preallocated } from '../protocol/record';
import { itemSizeIn } from './item-size';
import type { Models } from './models';
import type { PassSettings } from './plan';
import { keptGeometry, type KeptAs } from './quantised';

/** tensor / formula bytes: exactly 1 when the integers are equal, and never when they are not. */
export function exactRatio(tensorBytes: number, formula: number): number {
  if (tensorBytes === formula) return 1;
  const ratio = tensorBytes / formula;
  // Above 2^52 bytes the quotient of two neighbours rounds to 1.
  return ratio === 1 ? 1 + Math.sign(tensorBytes - formula) * Number.EPSILON : ratio;
}

/** Formula bytes of a pass's cache at a number of tokens per sequence, with the element type that the record knows. */
export function formulaAt(
  record: LabRecord,
  pass: Pick<PassSettings, 'model' | 'dtype' | 'batch'> & KeptAs,
  models: Pick<Models, 'geometryOf' | 'itemSizeOf'>,
  tokens: number,
): number {
  const { model, dtype, batch } = pass;
  const elementBytes = itemSizeIn(record, model, dtype) ?? models.itemSizeOf(model, dtype);
  return formulaBytes(keptGeometry(models.geometryOf(model), pass), { batch, tokens, elementBytes });
}

/** What a point of a preallocated cache has besides, with the formula at its room; empty for a cache that grows. */
export function preallocatedAt(
  record: LabRecord,
  pass: PassSettings,
  models: Pick<Models, 'geometryOf' | 'itemSizeOf'>,
  { usedBytes, roomTokens, moves, blockBytes }: Preallocated,
): Preallocated {
  if (roomTokens === undefined) return {};
  const roomFormulaBytes = formulaAt(record, pass, models, roomTokens);
  return {
    ...{ usedBytes, roomTokens, roomFormulaBytes, moves },
    ...(blockBytes === undefined ? {} : { blockBytes }),
  };
}

export function measuredCell(
  pass: PassSettings,
  measured: MeasuredCell,
  formula: number,
  background: boolean,
  preallocated: Preallocated = {},
): Cell {
  return {
    ...settings(pass),
    tokens: measured.tokens,
    formulaBytes: formula,
    tensorBytes: measured.tensorBytes,
    residentBytes: measured.residentBytes,
    deviceBytes: measured.deviceBytes,
    processBytesBefore: measured.processBytesBefore,
    processBytes: measured.processBytes,
    logitsBytes: measured.logitsBytes,
    ratio: exactRatio(contentBytes(measured) ?? 0, formula),
    prefillMs: measured.prefillMs,
    ...(measured.compiled === undefined ? {} : { compiled: measured.compiled }),
    skipped: null,
    fault: null,
    background,
    ...preallocated,
  };
}

export function skippedCell(pass: PassSettings, tokens: number, formula: number, fault: Fault): Cell {
  return {
    ...settings(pass),
    tokens,
    formulaBytes: formula,
    tensorBytes: null,
    residentBytes: null,
    deviceBytes: { before: null, after: null, peak: null },
    processBytesBefore: null,
    processBytes: null,
    logitsBytes: null,
    ratio: null,
    prefillMs: null,
    skipped: describeFault(fault),
    fault,
    background: false,
  };
}

/** Whether the record says something, a measurement or a reason, about that point of the pass. */
export function hasCell(record: LabRecord, pass: PointSubject, tokens: number): boolean {
  return record.cells.some((cell) => samePoint(cell, pass) && cell.tokens === tokens);
}

/** What tells the passes of one recipe apart. */
export type PointSubject = Pick<
  PassSettings,
  'model' | 'dtype' | 'batch' | 'repeat' | 'policy' | 'allocator'
>;

/** Whether two measurements belong to the same pass of a recipe. */
export function samePoint(a: PointSubject, b: PointSubject): boolean {
  return (
    a.model === b.model &&
    a.dtype === b.dtype &&
    a.batch === b.batch &&
    a.repeat === b.repeat &&
    a.policy === b.policy &&
    a.allocator === b.allocator
  );
}

/** The record with one more cell, in the table's order: model, dtype, policy, allocator, batch, repeat, tokens. The first word on a point stands. */
export function withCell(record: LabRecord, cell: Cell): LabRecord {
  if (hasCell(record, cell, cell.tokens)) return record;
  return { ...record, cells: [...record.cells, cell].sort(tableOrder(record.recipe)) };
}

/** Orders points as the recipe names their models and dtypes; a counterfactual comes behind the model that it stands beside. */
export function tableOrder(recipe: Recipe): (a: TablePoint, b: TablePoint) => number {
  const place = (model: string): number => {
    const named = recipe.model.indexOf(model);
    return named >= 0 ? named : recipe.model.findIndex((id) => bare(id) === bare(model)) + 0.5;
  };
  const dtype = ({ dtype }: TablePoint): number => recipe.dtype.indexOf(dtype);
  return (a, b) =>
    place(a.model) - place(b.model) ||
    dtype(a) - dtype(b) ||
    POLICIES.indexOf(a.policy) - POLICIES.indexOf(b.policy) ||
    ALLOCATORS.indexOf(a.allocator) - ALLOCATORS.indexOf(b.allocator) ||
    a.batch - b.batch ||
    a.repeat - b.repeat ||
    a.tokens - b.tokens;
}

export type TablePoint = PointSubject & { tokens: number };

function bare(id: string): string {
  return id.replace(/^(twin|mha):/, '');
}

function settings(
  pass: PassSettings,
): Pick<Cell, 'model' | 'dtype' | 'batch' | 'policy' | 'allocator' | 'device' | 'repeat'> {
  const { model, dtype, batch, policy, allocator, device, repeat } = pass;
  return { model, dtype, batch, policy, allocator, device, repeat };
}
