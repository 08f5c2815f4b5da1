/** Hub ids, hosts and the addresses made of them. Nothing else here writes a URL. */

export interface HubRef {
  /** `owner/name`. */
  repo: string;
  /** As asked for: a branch, a tag or a commit. */
  revision: string;
}

export const DEFAULT_HOST = 'https://huggingface.co';
export const DEFAULT_REVISION = 'main';
const MAX_ID = 200;
const PART = /^[\w.-]+$/;

/** Reads `owner/name[@revision]`; null when it is not of that form. A name without owner (`gpt2`) is not accepted. */
export function parseHubId(text: string): HubRef | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_ID) return null;
  const [repo = '', revision = DEFAULT_REVISION, ...more] = trimmed.split('@');
  const names = repo.split('/');
  const fine = [...names, revision].every((part) => PART.test(part) && !part.includes('..') && part !== '.');
  return names.length === 2 && more.length === 0 && fine ? { repo, revision } : null;
}

/** True for a full commit hash, which names one content for ever. */
export function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40}$/i.test(revision);
}

/**
 * A mirror's address as `scheme://host[:port][/path]` without a slash at the end; null unless it is https, or http on
 * this machine. Credentials, queries and fragments are refused, so that no token can hide in a host.
 */
export function checkHost(text: string): string | null {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return null;
  }
  const local = url.hostname === 'localhost' || url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Address of a repository's file list at a revision, with sizes. */
export function listingUrl(host: string, { repo, revision }: HubRef): string {
  return `${host}/api/models/${encodePath(repo)}/revision/${encodeURIComponent(revision)}?blobs=true`;
}

/** Address of one file at a commit. */
export function fileUrl(host: string, repo: string, commit: string, path: string): string {
  return `${host}/${encodePath(repo)}/resolve/${commit}/${encodePath(path)}`;
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
