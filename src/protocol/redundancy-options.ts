/** The redundancy experiment's options: parsed from a link or a form and written back. Known only with experiment=redundancy. */
import { byteCount } from './capacity-options';
import type { Fault } from './faults';
import { choice, cut, once, wholeNumber, type Option } from './option-kinds';
import type { Recipe } from './recipe';
import {
  BUILT_IN_DOCUMENTS,
  FEWEST_DOCUMENTS,
  FEWEST_KEPT,
  PAIR_CHOICES,
  SPLITS,
  type BuiltInDocument,
  type RedundancyState,
} from './redundancy';

export const MAX_DOCUMENTS = 8;
const MAX_NAME = 60;
const OWN = 'own:';
/** Letters of any script: a file's name is kept as it is. It is never part of an address. */
const OWN_ID = /^own:[\p{L}\p{N}_][\p{L}\p{N}\p{M} _.()+-]{0,59}$/u;

export function isBuiltInDocument(name: string): name is BuiltInDocument {
  return BUILT_IN_DOCUMENTS.some((known) => known === name);
}

/** Whether a text can name a document: a built-in one, or `own:<name>`. */
export function isDocumentName(name: string): boolean {
  return isBuiltInDocument(name) || (OWN_ID.test(name) && name.trim() === name);
}

/**
 * The recipe's name of a person's own text: `own:` and what its file is called, without the ending and without characters
 * that no name may have; composed, since macOS hands Korean names over in parts.
 */
export function ownDocumentName(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/\.(txt|md)$/i, '')
    .replace(/[^\p{L}\p{N}\p{M} _.()+-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}\p{N}_]+/u, '');
  const name = plain
    .slice(0, MAX_NAME)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
  return OWN + (name === '' ? 'text' : name);
}

/** What a document is called in a sentence: the recipe's name without `own:`. */
export function documentTitle(name: string): string {
  return name.startsWith(OWN) ? name.slice(OWN.length) : name;
}

/** Comma-separated names, each once, in the order given. No name at all is a list too: a form passes through it. */
function documents(): Option<string[]> {
  const listed = BUILT_IN_DOCUMENTS.join(', ');
  const read = (text: string): string[] | null => {
    const parts = text.split(',', 4 * MAX_DOCUMENTS).map((part) => part.trim().normalize('NFC'));
    const names = [...new Set(parts.filter((part, at) => part !== '' || at > 0))];
    return names.length <= MAX_DOCUMENTS && names.every(isDocumentName) ? names : null;
  };
  const parse = once(read, {
    expected: `use at most ${MAX_DOCUMENTS} of ${listed} or own:name, separated by commas`,
    kind: 'documents',
    values: listed,
    items: MAX_DOCUMENTS,
  });
  return {
    form: { control: 'choices', values: BUILT_IN_DOCUMENTS },
    parse: (texts) => {
      const parsed = parse(texts);
      if (parsed.ok || texts.length > 1) return parsed;
      // Among good names only the bad ones are told; where all are good they are too many.
      const names = parsed.bad.split(',', 4 * MAX_DOCUMENTS).map((name) => name.trim().normalize('NFC'));
      const bad = names.filter((name) => !isDocumentName(name));
      return bad.length === 0 ? parsed : { ...parsed, bad: bad.join(', ') };
    },
    serialise: (names) => [names.join(',')],
  };
}

export const REDUNDANCY_OPTIONS: { readonly [K in keyof RedundancyState]: Option<RedundancyState[K]> } = {
  documents: documents(),
  skip: wholeNumber(0, 100_000),
  keep: wholeNumber(FEWEST_KEPT, 16_384),
  split: choice(SPLITS),
  pairs: choice(PAIR_CHOICES),
  context: wholeNumber(1, 10_000_000),
  weights: byteCount(),
};

/** The options in the order in which they are written. */
export const REDUNDANCY_KEYS = Object.keys(REDUNDANCY_OPTIONS) as (keyof RedundancyState)[];

/** Why a recipe whose values are all good cannot run as a redundancy: more than one model or variant, bfloat16, too few documents; else null. */
export function redundancyFault({ model, dtype }: Recipe, state: RedundancyState): Fault | null {
  if (model.length !== 1) return { code: 'redundancy-one-model', params: { count: model.length } };
  if (dtype.length !== 1) {
    const params = { option: 'dtype', value: cut(dtype.join(',')), expected: 'give one', kind: 'one' };
    return { code: 'recipe-bad-value', params };
  }
  if (dtype[0] === 'bf16') return { code: 'redundancy-bf16', params: {} };
  const needed = fewestDocuments(state);
  const count = state.documents.length;
  if (count === 0 && needed === 1) return { code: 'documents-none', params: {} };
  return count < needed ? { code: 'documents-too-few', params: { count, needed } } : null;
}

/** Documents that a split needs at least: halves are told apart within each. */
export function fewestDocuments({ split }: Pick<RedundancyState, 'split'>): number {
  return split === 'halves' ? 1 : FEWEST_DOCUMENTS;
}
