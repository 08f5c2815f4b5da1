/** Parts of the page that are loaded when they are needed: readers of files and links. */
import { emptyRecord } from '../experiments/empty-record';
import { LabError, toFault } from '../protocol/faults';
import type { Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import type { compareResults, ExpectedResults } from '../record/compare';
import { isOutside, isTwinToOpen } from './models';
import { nothingOpened, type OpenModels } from './opening';
import { processReason } from './process-bytes';
import { isAnchor } from './recipe-url';
import { unlessOffline } from './reload';
import type { RunOnce } from './run';
import { IDLE } from './run-state';

/**
 * The record in a file.
 * @throws LabError record-too-large (before anything is read), record-not-json, record-foreign, record-newer, page-outdated.
 */
export async function readRecordFile(file: Pick<File, 'size' | 'text'>): Promise<LabRecord> {
  const { parseRecordText, RECORD_LIMIT_BYTES } = await loaded(import('../protocol/schemas'));
  if (file.size > RECORD_LIMIT_BYTES) {
    throw new LabError('record-too-large', { bytes: file.size, limit: RECORD_LIMIT_BYTES });
  }
  return parseRecordText(await file.text());
}

/** What a record is compared with, and the code that does it. */
export interface Sent {
  expected: ExpectedResults;
  compare: typeof compareResults;
}

/** The record in a file, with what follows from its bytes worked out anew, and itself as expected results. Throws as {@link readRecordFile}. */
export async function readSentFile(file: Pick<File, 'size' | 'text'>): Promise<Sent & { record: LabRecord }> {
  const parsed = await readRecordFile(file);
  const [{ trusted }, { compareResults, expectedFromRecord }] = await loaded(
    Promise.all([import('./imported'), import('../record/compare')]),
  );
  const record = trusted(parsed);
  return { record, expected: expectedFromRecord(record), compare: compareResults };
}

/** The record that the session storage kept, if it belongs to this page; see `restoreRecord`. Null also when that code is gone. */
export async function restoreLazily(
  text: string,
  recipe: Recipe,
  isReload: boolean,
): Promise<LabRecord | null> {
  try {
    return (await import('./restore')).restoreRecord(text, recipe, isReload);
  } catch {
    return null;
  }
}

/**
 * The expected results in the page's hash; null when it has none.
 * @throws LabError link-damaged, link-newer, link-too-long, page-outdated.
 */
export async function readResults(hash: string): Promise<Sent | null> {
  if (hash === '' || hash === '#' || isAnchor(hash)) return null;
  const [{ decodeResults }, { compareResults }] = await loaded(
    Promise.all([import('../record/link'), import('../record/compare')]),
  );
  return { expected: await decodeResults(hash), compare: compareResults };
}

/** The link with a record's results. @throws LabError page-outdated. */
export async function resultsLinkOf(
  base: string,
  record: LabRecord,
): Promise<{ url: string; complete: boolean }> {
  return await (await loaded(import('../record/link'))).resultsLink(base, record);
}

/** Opens twins of the catalogue and models from outside; without such models nothing of that is loaded. */
export const openModelsLazily: OpenModels = async (request) => {
  const twins = request.recipe.model.some(isTwinToOpen)
    ? (await loaded(import('./open-twins'))).openTwins(request.recipe, request.budget)
    : nothingOpened(request.recipe);
  if (!twins.model.some(isOutside)) return twins;
  const recipe = { ...request.recipe, model: twins.model };
  const outside = await (await loaded(import('./open-models'))).openModels({ ...request, recipe });
  return {
    sources: [...twins.sources, ...outside.sources],
    refused: [...twins.refused, ...outside.refused],
    model: outside.model,
  };
};

/** Does a run. Without the code for that, the run has failed before it began. */
export const runLazily: RunOnce = async (deps, request) => {
  let part;
  try {
    if (request.recipe.experiment === 'capacity') part = await loaded(import('./capacity-run'));
    else part = await loaded(import('./run'));
  } catch (error) {
    const fault = await unlessOffline(deps.page, toFault(error, 'page-outdated'));
    const { recipe, url } = request;
    const record = emptyRecord({
      recipe,
      url,
      createdAt: deps.today(),
      processReason: processReason(deps.measureProcess, recipe),
    });
    return {
      begun: false,
      record: { ...record, status: 'failed', faults: [fault] },
      state: { ...IDLE, status: 'failed', fault },
    };
  }
  return await ('runCapacity' in part ? part.runCapacity : part.runOnce)(deps, request);
};

/** A part that cannot be fetched was most likely replaced by a newer page. */
async function loaded<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch {
    throw new LabError('page-outdated');
  }
}
