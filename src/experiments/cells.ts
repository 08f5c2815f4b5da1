/** The cells of a record: made from a measurement and the formula, or from the reason why there is none; kept in order. */
import { formulaBytes } from '../geometry/bytes';
import type { Geometry } from '../geometry/geometry';
import { describeFault } from '../protocol/faults';
import type { Fault } from '../protocol/faults';
import type { MeasuredCell } from '../protocol/messages';
import { DTYPE_BYTES } from '../protocol/recipe';
import type { Cell, LabRecord } from '../protocol/record';
import type { PassSettings } from './plan';

/** tensor / formula bytes: exactly 1 when the integers are equal, and never when they are not. */
export function exactRatio(tensorBytes: number, formula: number): number {
  if (tensorBytes === formula) return 1;
  const ratio = tensorBytes / formula;
  // Above 2^52 bytes the quotient of two neighbours rounds to 1.
  return ratio === 1 ? 1 + Math.sign(tensorBytes - formula) * Number.EPSILON : ratio;
}

/** Formula bytes of a pass's cache at a number of tokens per sequence. */
export function formulaAt(pass: PassSettings, geometry: Geometry, tokens: number): number {
  return formulaBytes(geometry, { batch: pass.batch, tokens, elementBytes: DTYPE_BYTES[pass.dtype] });
}

export function measuredCell(
  pass: PassSettings,
  measured: MeasuredCell,
  formula: number,
  background: boolean,
): Cell {
  return {
    ...settings(pass),
    tokens: measured.tokens,
    formulaBytes: formula,
    tensorBytes: measured.tensorBytes,
    residentBytes: measured.residentBytes,
    deviceBytes: measured.deviceBytes,
    processBytes: null,
    ratio: exactRatio(measured.tensorBytes, formula),
    prefillMs: measured.prefillMs,
    skipped: null,
    fault: null,
    background,
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
    processBytes: null,
    ratio: null,
    prefillMs: null,
    skipped: describeFault(fault),
    fault,
    background: false,
  };
}

/** Whether the record says something, a measurement or a reason, about that point of the pass. */
export function hasCell(
  record: LabRecord,
  pass: Pick<PassSettings, 'model' | 'repeat'>,
  tokens: number,
): boolean {
  return record.cells.some(
    (cell) => cell.model === pass.model && cell.repeat === pass.repeat && cell.tokens === tokens,
  );
}

/** The record with one more cell, in the table's order: model as in the recipe, repeat, tokens. The first word on a point stands. */
export function withCell(record: LabRecord, cell: Cell): LabRecord {
  if (hasCell(record, cell, cell.tokens)) return record;
  const place = (model: string): number => record.recipe.model.indexOf(model);
  const cells = [...record.cells, cell].sort(
    (a, b) => place(a.model) - place(b.model) || a.repeat - b.repeat || a.tokens - b.tokens,
  );
  return { ...record, cells };
}

function settings(
  pass: PassSettings,
): Pick<Cell, 'model' | 'dtype' | 'batch' | 'policy' | 'allocator' | 'device' | 'repeat'> {
  const { model, dtype, batch, policy, allocator, device, repeat } = pass;
  return { model, dtype, batch, policy, allocator, device, repeat };
}
