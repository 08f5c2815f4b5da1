/** Results in a link: `#r=<version>.<base64url of deflate-raw of compact JSON>`, versioned, one upgrader per step. */
import { LabError } from '../protocol/faults';
import type { LabRecord } from '../protocol/record';
import { upgradeChain } from '../protocol/upgrade';
import { deflateText, inflateText } from './deflate';
import type { ExpectedResults } from './expected';
import { expectedFromRecord } from './expected';
import { packResults, unpackResults } from './pack';
import { recipeLink } from './recipe-link';

export { recipeLink } from './recipe-link';

/** Characters of a whole results link, so that chats and forms take it. */
export const LINK_LIMIT = 2000;
/** Characters of a hash that is looked at at all. */
export const HASH_LIMIT = 8192;

const LINK_VERSION = 1;
const INFLATED_LIMIT = 256 * 1024;

const upgrade = upgradeChain('results link', LINK_VERSION, {});

async function encode(results: ExpectedResults): Promise<string> {
  return `#r=${LINK_VERSION}.${await deflateText(packResults(results))}`;
}

/** The hash (`#r=1.…`) with all that a record lets others expect, however long. */
export function encodeResults(record: LabRecord): Promise<string> {
  return encode(expectedFromRecord(record));
}

const damaged = (): LabError => new LabError('link-damaged');

/** Some programs percent-encode a hash they pass on; ours needs no such character. */
function decoded(hash: string): string {
  if (!hash.includes('%')) return hash;
  try {
    return decodeURIComponent(hash);
  } catch {
    throw damaged();
  }
}

/**
 * The expected results in a hash, with or without its `#`.
 * @throws LabError link-too-long (before anything is unpacked), link-newer, or link-damaged for whatever else is not ours.
 */
export async function decodeResults(hash: string): Promise<ExpectedResults> {
  if (hash.length > HASH_LIMIT)
    throw new LabError('link-too-long', { bytes: hash.length, limit: HASH_LIMIT });
  const match = /^#?r=([1-9]\d{0,5})\.(.*)$/s.exec(decoded(hash));
  if (!match) throw damaged();
  const version = Number(match[1]);
  const packed = match[2] ?? '';
  if (version > LINK_VERSION) throw new LabError('link-newer', { version });
  if (!/^[\w-]+$/.test(packed)) throw damaged();
  try {
    return unpackResults(upgrade(version, JSON.parse(await inflateText(packed, INFLATED_LIMIT))));
  } catch {
    throw damaged();
  }
}

/** Of each growth only the last step, and of a heat map only neighbours, for links that have no room for all. */
function shortened(results: ExpectedResults): ExpectedResults {
  const { growth, redundancy } = results;
  return {
    ...results,
    growth: growth.map((each) => ({ ...each, steps: each.steps.slice(-1) })),
    redundancy: redundancy && { ...redundancy, pairs: redundancy.pairs.filter(({ adjacent }) => adjacent) },
  };
}

/**
 * The recipe link with the record's results, at most 2,000 characters in all: first every step goes but the last
 * and every pair of layers that are no neighbours, then all results. `complete` says whether everything is in it.
 */
export async function resultsLink(
  base: string,
  record: LabRecord,
): Promise<{ url: string; complete: boolean }> {
  const link = recipeLink(base, record.recipe);
  const results = expectedFromRecord(record);
  const full = link + (await encode(results));
  if (full.length <= LINK_LIMIT) return { url: full, complete: true };
  const short = link + (await encode(shortened(results)));
  return { url: short.length <= LINK_LIMIT ? short : link, complete: false };
}
