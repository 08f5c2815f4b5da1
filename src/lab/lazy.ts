/** Parts of the page that are loaded when they are needed: readers of files and links. */
import { LabError } from '../protocol/faults';
import type { LabRecord } from '../protocol/record';
import type { ExpectedResults } from '../record/compare';
import { isOutside } from './models';
import { nothingOpened, type OpenModels } from './opening';
import { isAnchor } from './recipe-url';

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

/** The record in a text of ours, such as what the session storage kept. Throws as {@link readRecordFile}. */
export async function readRecordText(text: string): Promise<LabRecord> {
  return (await loaded(import('../protocol/schemas'))).parseRecordText(text);
}

/**
 * The expected results in the page's hash; null when it has none.
 * @throws LabError link-damaged, link-newer, link-too-long, page-outdated.
 */
export async function readResults(hash: string): Promise<ExpectedResults | null> {
  if (hash === '' || hash === '#' || isAnchor(hash)) return null;
  return await (await loaded(import('../record/link'))).decodeResults(hash);
}

/** The link with a record's results. @throws LabError page-outdated. */
export async function resultsLinkOf(
  base: string,
  record: LabRecord,
): Promise<{ url: string; complete: boolean }> {
  return await (await loaded(import('../record/link'))).resultsLink(base, record);
}

/** Opens models from outside; without such models nothing of that is loaded. */
export const openModelsLazily: OpenModels = async (request) => {
  if (!request.recipe.model.some(isOutside)) return nothingOpened(request.recipe);
  return await (await loaded(import('./open-models'))).openModels(request);
};

/** A part that cannot be fetched was most likely replaced by a newer page. */
async function loaded<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch {
    throw new LabError('page-outdated');
  }
}
