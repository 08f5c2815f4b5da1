/** The file list of a repository, with the branch resolved to its commit; stored, so that it works offline afterwards. */
import * as v from 'valibot';
import { LabError } from '../../protocol/faults';
import { checkType } from './content';
import { CACHE_NAME, type HubDeps, STALL_MS, STORAGE_MS, TooSlow, within } from './deps';
import { type HubRef, isCommit, listingUrl } from './ids';
import { isPassing, Patience, request, type Setback, stalled, type Target, unreachable } from './request';

export interface HubFile {
  /** Path in the repository. */
  path: string;
  /** Size; null when the hub does not tell. */
  bytes: number | null;
}

export interface HubListing {
  repo: string;
  /** The revision that was asked for. */
  asked: string;
  /** The commit that it is: 40 hexadecimal digits. */
  revision: string;
  files: HubFile[];
  /** True when the hub gives files only to those who asked for access. */
  gated: boolean;
  /** Parameters that the hub counted in safetensors files; null when it did not. */
  parameters: number | null;
  /** True when the hub was not asked or not reached, and this is the stored list. */
  stored: boolean;
}

const MAX_FILES = 20_000;
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Of `GET /api/models/{repo}/revision/{revision}?blobs=true`; what is not needed to load a model may be missing or odd. */
const answer = v.object({
  sha: v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/, 'no commit hash')),
  siblings: v.pipe(
    v.array(
      v.object({
        rfilename: v.pipe(v.string(), v.maxLength(1000)),
        size: v.fallback(v.nullish(count), null),
      }),
    ),
    v.maxLength(MAX_FILES),
  ),
  gated: v.fallback(v.optional(v.union([v.boolean(), v.string()]), false), false),
  safetensors: v.fallback(v.nullish(v.object({ total: v.nullish(count) })), null),
});

/**
 * Reads the file list of `owner/name` at a revision. A commit's stored list is taken without asking (it cannot change); a
 * branch is asked for, and its newest stored list stands in when the hub is not reached.
 * @throws LabError hub-gated, hub-not-found, hub-busy, hub-unreachable, hub-stalled, hub-wrong-type, hub-bad-listing, cancelled.
 */
export async function readListing(
  deps: HubDeps,
  host: string,
  ref: HubRef,
  signal: AbortSignal,
): Promise<HubListing> {
  const pinned = isCommit(ref.revision);
  const asked = pinned ? { ...ref, revision: ref.revision.toLowerCase() } : ref;
  const stored = await readStored(deps, host, asked, signal);
  if (stored && pinned) return stored;
  try {
    const text = await download(deps, host, asked, signal, stored ? 1 : Infinity);
    const listing = parse(host, asked, text);
    await store(deps, host, listing, text, signal);
    return listing;
  } catch (error) {
    if (stored && error instanceof LabError && isPassing(error.fault)) return stored;
    throw error;
  }
}

async function download(
  deps: HubDeps,
  host: string,
  ref: HubRef,
  signal: AbortSignal,
  tries: number,
): Promise<string> {
  const patience = new Patience(deps, signal, tries);
  const target = { host, ...ref, file: null };
  for (;;) {
    const text = await attempt(deps, target, signal);
    if (typeof text === 'string') return text;
    await patience.after(text);
  }
}

async function attempt(deps: HubDeps, target: Target, signal: AbortSignal): Promise<string | Setback> {
  const got = await request(deps, listingUrl(target.host, target), target, signal);
  if ('kind' in got) return got;
  try {
    checkType(got.response, target.repo);
    return await within(deps, STALL_MS, signal, got.response.text());
  } catch (error) {
    if (error instanceof LabError) throw error;
    return error instanceof TooSlow ? stalled(target) : unreachable(target, error);
  } finally {
    got.close();
  }
}

/** @throws LabError hub-bad-listing, also when the hub answers with another commit than was asked for. */
function parse(host: string, ref: HubRef, text: string): HubListing {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new LabError('hub-bad-listing', { host, detail: 'not JSON' });
  }
  const parsed = v.safeParse(answer, json);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const detail = `${v.getDotPath(issue) ?? 'it'}: ${issue.message}`;
    throw new LabError('hub-bad-listing', { host, detail });
  }
  const { sha, siblings, gated, safetensors } = parsed.output;
  if (isCommit(ref.revision) && sha !== ref.revision) {
    throw new LabError('hub-bad-listing', { host, detail: `commit ${sha}` });
  }
  return {
    repo: ref.repo,
    asked: ref.revision,
    revision: sha,
    files: siblings
      .filter(({ rfilename }) => isPlainPath(rfilename))
      .map(({ rfilename, size }) => ({ path: rfilename, bytes: size ?? null })),
    gated: gated !== false && gated !== 'false',
    parameters: safetensors?.total ?? null,
    stored: false,
  };
}

/** A path that stays inside its repository when it is put into an address. */
function isPlainPath(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** The stored list; null when there is none, or storage is closed, stuck or holds something else. */
async function readStored(
  deps: HubDeps,
  host: string,
  ref: HubRef,
  signal: AbortSignal,
): Promise<HubListing | null> {
  const read = async (): Promise<string | null> => {
    const cache = await deps.caches?.open(CACHE_NAME);
    return (await (await cache?.match(listingUrl(host, ref)))?.text()) ?? null;
  };
  try {
    const text = await within(deps, STORAGE_MS, signal, read());
    return text === null ? null : { ...parse(host, ref, text), stored: true };
  } catch {
    if (signal.aborted) throw new LabError('cancelled');
    return null;
  }
}

/** Keeps the answer under the revision that was asked for and under its commit. Storage that fails costs only offline use. */
async function store(
  deps: HubDeps,
  host: string,
  { repo, asked, revision }: HubListing,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const write = async (): Promise<void> => {
    const cache = await deps.caches?.open(CACHE_NAME);
    for (const name of new Set([asked, revision])) {
      const headers = { 'content-type': 'application/json' };
      await cache?.put(listingUrl(host, { repo, revision: name }), new Response(text, { headers }));
    }
  };
  try {
    await within(deps, STORAGE_MS, signal, write());
  } catch {
    if (signal.aborted) throw new LabError('cancelled');
  }
}
