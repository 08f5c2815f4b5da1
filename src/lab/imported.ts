/** A record from a file, with everything that follows from its bytes worked out anew: a file may be edited by hand. */
import { finishRecord } from '../experiments/assemble';
import { exactRatio } from '../experiments/cells';
import type { LabRecord } from '../protocol/record';

/** Ratios and the checks of the whole record are recomputed; a run that was going on when it was saved is interrupted. */
export function trusted(record: LabRecord): LabRecord {
  const cells = record.cells.map((cell) => ({
    ...cell,
    ratio: cell.tensorBytes === null ? null : exactRatio(cell.tensorBytes, cell.formulaBytes),
  }));
  return finishRecord({ ...record, cells }, record.status === 'running' ? 'interrupted' : record.status);
}
