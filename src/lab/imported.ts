/** A record from a file, with everything that follows from its bytes and R² worked out anew: a file may be edited by hand. */
import { finishRecord } from '../experiments/assemble';
import { exactRatio } from '../experiments/cells';
import { contentBytes } from '../protocol/content';
import type { LabRecord } from '../protocol/record';
import type { RedundancyResult } from '../protocol/redundancy';
import { weightsOf } from '../experiments/redundancy';
import { leaks, meanSavedBits, savedBits, savingsOf, spreadOf } from '../redundancy/savings';

/** Ratios, what a redundancy saves and whether it leaks, and the checks of the whole record are recomputed; a run that was going on when it was saved is interrupted. */
export function trusted(record: LabRecord): LabRecord {
  const cells = record.cells.map((cell) => {
    const content = contentBytes(cell);
    return { ...cell, ratio: content === null ? null : exactRatio(content, cell.formulaBytes) };
  });
  const redundancy = record.redundancy && trustedRedundancy(record.redundancy, record);
  return finishRecord(
    { ...record, cells, redundancy },
    record.status === 'running' ? 'interrupted' : record.status,
  );
}

/** R² of each document, layers, channels and context are what was found; all else follows, weights from the recipe or the models. */
function trustedRedundancy(result: RedundancyResult, { recipe, models }: LabRecord): RedundancyResult {
  const pairs = result.pairs.map((pair) => {
    const r2 = spreadOf(pair.r2.perDocument);
    return {
      ...pair,
      adjacent: result.layers.indexOf(pair.to) === result.layers.indexOf(pair.from) + 1,
      r2,
      shuffled: spreadOf(pair.shuffled.perDocument),
      savedBits: savedBits(r2.mean),
    };
  });
  const bits = meanSavedBits(pairs);
  const { savings, channels } = result;
  const loaded = models.find(({ id, dtype }) => id === result.model && dtype === result.dtype);
  const weights = weightsOf(recipe.redundancy?.weights ?? 0, loaded?.weightBytes ?? null);
  return {
    ...result,
    pairs,
    leak: leaks(pairs),
    savings:
      savings === null || bits === null
        ? null
        : { ...savingsOf(channels, savings.context, bits), ...weights },
  };
}
