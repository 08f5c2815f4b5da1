/** Command line of `npm run verify`: what to run, where, and where to write the record. */
import { parseArgs } from 'node:util';
import { LabError } from '../../src/protocol/faults';
import { parseRecipe, readShard } from '../../src/protocol/options';
import { documentTitle, isBuiltInDocument } from '../../src/protocol/redundancy-options';
import { checkHost } from '../../src/model/hub/ids';
import { outputFile } from './command';

export const VERIFY_USAGE = `npm run verify -- [options]

Runs a recipe in the built page, in headless Chromium. The table goes to stdout, progress to stderr.

  --recipe TEXT    the recipe: a query string such as 'experiment=growth&steps=8', or a link of the page;
                   the results in a link (#r=…) are compared with what is measured
  --url ADDRESS    a page that is deployed somewhere, in place of the one built from this checkout
  --shard 2/4      measures one part of the plan; npm run merge makes one record of the parts
  --download       lets the run download models from the hub
  --hub ADDRESS    the hub or mirror that models come from, in place of https://huggingface.co
  --json FILE      writes the record
  --markdown FILE  writes the table
  --help           prints this

Exit code 0: all checks pass. 1: a check failed, or the bytes or R² are not those in the recipe's link.
2: it could not run, and one sentence says why.
`;

export interface VerifyOptions {
  /** The recipe's query string, without `?`; empty is the default recipe. */
  query: string;
  /** The hash of the recipe's link, with `#`, or empty. */
  hash: string;
  /** The deployed page; null serves the local build. */
  url: string | null;
  /** Whether models may be downloaded. */
  download: boolean;
  /** The hub's address; null leaves it to the page. */
  hub: string | null;
  json: string | null;
  markdown: string | null;
  help: boolean;
}

/** A query string, or a whole link of ours, in its parts. */
function splitRecipe(text: string): { query: string; hash: string } {
  const relative = /^[?#]/.test(text) ? text : `?${text}`;
  const link = new URL(/^https?:\/\//.test(text) ? text : relative, 'http://localhost/');
  return { query: link.search.slice(1), hash: link.hash };
}

/** The page's address without query and hash. */
function pageAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`--url ${text} is not an http(s) address.`);
  return url;
}

function hubAddress(text: string | undefined): string | null {
  if (text === undefined) return null;
  const host = checkHost(text);
  if (host === null) throw new LabError('hub-bad-host', { host: text });
  return host;
}

/** The query with the shard of the command line in it. */
function withShard({ query, hash }: { query: string; hash: string }, shard: string | undefined): string {
  if (shard === undefined) return query;
  if (readShard(shard) === null) throw new Error(`--shard ${shard} is no part such as 2/4, of at most 99.`);
  const parameters = new URLSearchParams(query);
  const own = parameters.get('shard');
  if (own === shard) return query;
  if (own !== null)
    throw new Error(`--shard ${shard} and the recipe’s own shard=${own} contradict each other: give one.`);
  if (hash.startsWith('#r='))
    throw new Error(
      `--shard ${shard} measures a part only, but the recipe’s link carries the results of all: leave one out.`,
    );
  return `${query}${query === '' ? '' : '&'}shard=${shard}`;
}

/**
 * Refuses a redundancy over texts of a person's own, which nobody can give here.
 * @throws LabError document-page-only
 */
export function refuseOwnTexts(query: string): void {
  const { recipe } = parseRecipe(new URLSearchParams(query));
  const own = recipe.redundancy?.documents.find((name) => !isBuiltInDocument(name));
  if (own !== undefined) throw new LabError('document-page-only', { name: documentTitle(own) });
}

/** @throws Error with one sentence for an unknown option, a missing value, a bad address or shard, or a folder that is not there. */
export function readVerifyOptions(args: string[]): VerifyOptions {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args,
    options: {
      ...{ recipe: text, url: text, shard: text, hub: text, json: text, markdown: text },
      ...{ download: flag, help: flag },
    },
  });
  const page = values.url === undefined ? null : pageAddress(values.url);
  // A link pasted as --url carries a recipe of its own.
  const recipe = splitRecipe(values.recipe ?? (page ? page.search + page.hash : ''));
  return {
    query: withShard(recipe, values.shard),
    hash: recipe.hash,
    url: page ? page.origin + page.pathname : null,
    download: values.download,
    hub: hubAddress(values.hub),
    json: outputFile('json', values.json),
    markdown: outputFile('markdown', values.markdown),
    help: values.help,
  };
}
