/** What this page keeps of downloaded models in the browser: listed, counted, deleted. */
import { CACHE_NAME, type HubDeps, STORAGE_MS, within } from './deps';
import { BYTES_HEADER, readKey, WHEN_HEADER } from './part-store';

export interface StoredFile {
  path: string;
  /** Bytes that are stored. */
  bytes: number;
  /** False for the parts of a download that did not end. */
  whole: boolean;
}

/** The stored files of one repository at one commit, from one host. */
export interface StoredModel {
  host: string;
  repo: string;
  revision: string;
  files: StoredFile[];
  bytes: number;
  /** False while a file of it is there in part. */
  whole: boolean;
  /** When something of it was stored last, ms since 1970; 0 when unknown. */
  when: number;
}

/**
 * All stored models, the newest first. Without a Cache API there are none.
 * @throws TooSlow, LabError cancelled.
 */
export async function listStored(deps: HubDeps, signal: AbortSignal): Promise<StoredModel[]> {
  return await within(deps, STORAGE_MS, signal, list(deps));
}

/** Bytes of all stored models together. */
export function storedBytes(models: readonly StoredModel[]): number {
  return models.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Deletes one model's files, whole or not, and the file lists that lead to it. @throws TooSlow, LabError cancelled. */
export async function deleteStored(deps: HubDeps, model: StoredModel, signal: AbortSignal): Promise<void> {
  await within(deps, STORAGE_MS, signal, remove(deps, model));
}

/** Deletes all stored models and file lists; nothing else of the browser's. @throws TooSlow, LabError cancelled. */
export async function deleteAllStored(deps: HubDeps, signal: AbortSignal): Promise<void> {
  await within(deps, STORAGE_MS, signal, deps.caches?.delete(CACHE_NAME) ?? Promise.resolve(false));
}

async function openOurs(deps: HubDeps): Promise<Cache | null> {
  // `open` would create it: looking is not storing.
  return (await deps.caches?.has(CACHE_NAME)) ? ((await deps.caches?.open(CACHE_NAME)) ?? null) : null;
}

async function list(deps: HubDeps): Promise<StoredModel[]> {
  const cache = await openOurs(deps);
  const models = new Map<string, StoredModel>();
  for (const request of (await cache?.keys()) ?? []) {
    const key = readKey(request.url);
    const place = key && readPlace(key.url);
    const headers = place && (await cache?.match(request))?.headers;
    if (!headers) continue;
    const id = `${place.host} ${place.repo} ${place.revision}`;
    const fresh = { ...place, files: [], bytes: 0, whole: true, when: 0 };
    const model = models.get(id) ?? fresh;
    models.set(id, model);
    const bytes = key.kind === 'part' ? Number(headers.get(BYTES_HEADER) ?? 0) : 0;
    const known = model.files.find(({ path }) => path === place.path);
    const file = known ?? { path: place.path, bytes: 0, whole: false };
    if (!known) model.files.push(file);
    file.bytes += bytes;
    file.whole ||= key.kind === 'whole';
    model.bytes += bytes;
    model.when = Math.max(model.when, Number(headers.get(WHEN_HEADER) ?? 0));
  }
  return [...models.values()]
    .map(({ host, repo, revision, files, bytes, when }) => {
      const whole = files.every((file) => file.whole);
      return { host, repo, revision, files, bytes, whole, when };
    })
    .sort((a, b) => b.when - a.when);
}

/** Host, repository, commit and path of a file's address. */
function readPlace(url: string): { host: string; repo: string; revision: string; path: string } | null {
  const match = /^(.*)\/([^/]+\/[^/]+)\/resolve\/([0-9a-f]{40})\/(.*)$/.exec(url);
  const [, host, repo, revision, path] = match ?? [];
  if (host === undefined || repo === undefined || revision === undefined || path === undefined) return null;
  return { host, repo: decodeURIComponent(repo), revision, path: decodeURIComponent(path) };
}

async function remove(deps: HubDeps, { host, repo, revision }: StoredModel): Promise<void> {
  const cache = await openOurs(deps);
  const lists = `${host}/api/models/${repo.split('/').map(encodeURIComponent).join('/')}/revision/`;
  for (const request of (await cache?.keys()) ?? []) {
    const key = readKey(request.url);
    const place = key && readPlace(key.url);
    const ours = place
      ? place.host === host && place.repo === repo && place.revision === revision
      : request.url.startsWith(lists) && (await (await cache?.match(request))?.text())?.includes(revision);
    if (ours === true) await cache?.delete(request);
  }
}
