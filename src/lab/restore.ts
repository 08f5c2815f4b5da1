/** Brings back the record of the page before this one: a reload or a crash loses nothing. */
import { finishRecord } from '../experiments/assemble';
import { planRun } from '../experiments/plan';
import { skipRemaining } from '../experiments/retry';
import type { Fault } from '../protocol/faults';
import type { Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { parseRecordText } from '../protocol/schemas';
import { labModels } from './models';
import { nothingOpened } from './opening';
import { sameRecipe } from './recipe-url';

/**
 * The record in a text that the session storage kept, or null when it does not belong to this page: a finished record
 * belongs to its own recipe; a running one also to any reload of the tab, and comes back as `interrupted`.
 */
export function restoreRecord(text: string, recipe: Recipe, isReload: boolean): LabRecord | null {
  try {
    const record = parseRecordText(text);
    const running = record.status === 'running';
    if (!sameRecipe(record.recipe, recipe) && !(running && isReload)) return null;
    return running ? interrupt(record) : record;
  } catch {
    // Left by another version of the page: of no use to this one.
    return null;
  }
}

function interrupt(record: LabRecord): LabRecord {
  const fault: Fault = { code: 'interrupted', params: {} };
  return finishRecord(fillGaps(record, fault), 'interrupted');
}

/** Gives every point that was not reached its reason, as far as the record's own models tell what was planned. */
function fillGaps(record: LabRecord, fault: Fault): LabRecord {
  try {
    const models = labModels(nothingOpened(record.recipe), record);
    return skipRemaining(record, planRun(record.recipe, models), fault, models);
  } catch {
    // A model from outside that was never loaded: nothing is known of its points.
    return record;
  }
}
