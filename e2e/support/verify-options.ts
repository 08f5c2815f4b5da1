/** Command line of `npm run verify`: what to run, where, and where to write the record. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface VerifyOptions {
  /** The recipe's query string, without `?`; empty is the default recipe. */
  query: string;
  /** The hash of the recipe's link, with `#`, or empty. */
  hash: string;
  /** The deployed page; null serves the local build. */
  url: string | null;
  json: string | null;
  markdown: string | null;
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

function outputFile(option: string, path: string | undefined): string | null {
  if (path === undefined) return null;
  const folder = dirname(resolve(path));
  if (existsSync(path) && statSync(path).isDirectory())
    throw new Error(`--${option} ${path} cannot be written: it is a folder.`);
  if (!existsSync(folder))
    throw new Error(`--${option} ${path} cannot be written: there is no folder ${folder}.`);
  return resolve(path);
}

/** @throws Error with one sentence for an unknown option, a missing value, a bad address or a folder that is not there. */
export function readVerifyOptions(args: string[]): VerifyOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { recipe: text, url: text, json: text, markdown: text } });
  const page = values.url === undefined ? null : pageAddress(values.url);
  // A link pasted as --url carries a recipe of its own.
  const { query, hash } = splitRecipe(values.recipe ?? (page ? page.search + page.hash : ''));
  return {
    query,
    hash,
    url: page ? page.origin + page.pathname : null,
    json: outputFile('json', values.json),
    markdown: outputFile('markdown', values.markdown),
  };
}
