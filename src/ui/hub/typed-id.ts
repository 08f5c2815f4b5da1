/** What a person types or pastes as the id of a model. */
import { DEFAULT_HOST, DEFAULT_REVISION, parseHubId } from '../../model/hub/ids';

/** A page of a repository or of one of its revisions, below the host. */
const PAGE = /^([\w.-]+\/[\w.-]+)(?:\/(?:tree|blob|resolve|commit)\/([\w.-]+).*)?$/;

/**
 * The id `owner/name[@revision]` of a typed text, or of the address of a repository's page at this host or the usual one;
 * null when it is neither. The usual branch is left out, so that the same model has one id.
 */
export function readTypedId(text: string, host: string): string | null {
  const typed = text.trim();
  const base = [host, DEFAULT_HOST].find((known) => typed.startsWith(`${known}/`));
  const path = base === undefined ? typed : typed.slice(base.length + 1).replace(/[?#].*$|\/+$/g, '');
  const [, repo, revision] = base === undefined ? [] : (PAGE.exec(path) ?? []);
  const ref = parseHubId(repo === undefined ? path : [repo, ...(revision ? [revision] : [])].join('@'));
  if (ref === null) return null;
  return ref.revision === DEFAULT_REVISION ? ref.repo : `${ref.repo}@${ref.revision}`;
}
