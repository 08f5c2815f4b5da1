/** What a document is called: a built-in one in the page's language, one of the person's own by the name it was given. Pure. */
import { isBuiltInDocument } from '../../protocol/redundancy-options';
import type { RedundancyTranslate } from './words';

export function documentName(name: string, tr: RedundancyTranslate): string {
  if (isBuiltInDocument(name)) return tr(`red.doc.${name}`);
  return name.replace(/^own:/, '');
}
