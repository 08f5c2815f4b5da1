/** The documents of a redundancy as tokens, all of them long enough. */
import type { PassContext } from './run-experiment';
import { LabError } from '../protocol/faults';
import { documentTitle } from '../protocol/redundancy-options';
import type { MeasuredDocument, RedundancyState } from '../protocol/redundancy';

export interface TokenisedDocument extends MeasuredDocument {
  /** The `skip` + `keep` tokens that are fed. */
  ids: number[];
}

/**
 * Tokenises every document, in the recipe's order.
 * @throws LabError document-missing, no-tokenizer; documents-too-short naming all that are, before anything is fed.
 */
export async function tokeniseDocuments(
  { model, documents }: Pick<PassContext, 'model' | 'documents'>,
  { documents: names, skip, keep }: RedundancyState,
): Promise<TokenisedDocument[]> {
  const needed = skip + keep;
  const tokenised: TokenisedDocument[] = [];
  for (const name of names) {
    const document = documents.find((one) => one.name === name);
    if (document === undefined) throw new LabError('document-missing', { name: documentTitle(name) });
    const ids = await model.tokenize(document.text);
    tokenised.push({ name, tokens: ids.length, sha256: document.sha256, ids: ids.slice(0, needed) });
  }
  const short = tokenised.filter(({ tokens }) => tokens < needed);
  if (short.length > 0) {
    const list = short.map(
      ({ name, tokens }) => `“${documentTitle(name)}” (${tokens.toLocaleString('en-US')})`,
    );
    throw new LabError('documents-too-short', { list: list.join(', '), needed });
  }
  return tokenised;
}
