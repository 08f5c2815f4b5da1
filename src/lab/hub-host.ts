/** Which hub models come from: set by the person in the settings and kept in this browser; never taken from a link. */
import { checkHost, DEFAULT_HOST } from '../model/hub/ids';

const KEY = 'kvlab.hub';

/** What is used of `localStorage`. */
export type HostStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The chosen hub's address without a slash at the end; the default where none was chosen, or what is stored is no address. */
export function hubHost(storage: HostStorage | null = storageOrNull()): string {
  try {
    return checkHost(storage?.getItem(KEY) ?? '') ?? DEFAULT_HOST;
  } catch {
    return DEFAULT_HOST;
  }
}

/**
 * Chooses a hub, or with an empty text the default again.
 * @returns false when the text is no address of a hub (https, or http on this machine), and nothing was changed.
 */
export function chooseHubHost(text: string, storage: HostStorage | null = storageOrNull()): boolean {
  const host = text.trim() === '' ? DEFAULT_HOST : checkHost(text);
  if (host === null) return false;
  try {
    if (host === DEFAULT_HOST) storage?.removeItem(KEY);
    else storage?.setItem(KEY, host);
  } catch {
    // Storage that is blocked: the choice cannot be kept.
    return false;
  }
  return true;
}

/** Reading the property alone throws where the person has blocked storage. */
function storageOrNull(): HostStorage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
