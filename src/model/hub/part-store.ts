/**
 * Files in the browser's Cache API, in parts: the parts of a broken or cancelled download are there for the next one.
 * Storage that is full, closed or stuck ends storing, never a download: what follows stays in memory, with a notice.
 */
import * as v from 'valibot';
import { type Fault, LabError } from '../../protocol/faults';
import { CACHE_NAME, type HubDeps, STORAGE_MS, TooSlow, within } from './deps';

/** Bytes of every part but a file's last; fixed, so that two tabs that load the same file write the same parts. */
export const PART_BYTES = 16 * 2 ** 20;

/** When a part or file was stored, ms since 1970. */
export const WHEN_HEADER = 'x-kv-cache-lab-when';
export const BYTES_HEADER = 'x-kv-cache-lab-bytes';

/** Of a whole file: written last, so that a file without one is a partial file. */
const manifestSchema = v.object({ bytes: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) });

export interface StoredParts {
  /** Whole parts from the start, in order; the last one is shorter only in a whole file. */
  parts: Blob[];
  whole: boolean;
}

/** Key of part `n` of a file. The size of parts is in it: parts of another size are other entries. */
export function partKey(url: string, partBytes: number, n: number): string {
  return `${url}?part=${n}&of=${partBytes}`;
}

export function manifestKey(url: string): string {
  return `${url}?whole`;
}

/** A file's address and what the key is of; null for other entries (file lists). */
export function readKey(key: string): { url: string; kind: 'part' | 'whole' } | null {
  const [, url, part] = /^(.*\/resolve\/[0-9a-f]{40}\/[^?]*)\?(part=\d+&of=\d+|whole=?)$/.exec(key) ?? [];
  if (url === undefined || part === undefined) return null;
  return { url, kind: part.startsWith('part') ? 'part' : 'whole' };
}

export interface PartStoreOptions {
  deps: HubDeps;
  signal: AbortSignal;
  partBytes: number;
  onNotice: (notice: Fault) => void;
  /** Bytes still to be downloaded, for the notice that storage is full. */
  needed: () => number;
}

export class PartStore {
  /** Two files are under way: the notice comes once. */
  private gaveUp = false;

  private constructor(
    private cache: Cache | null,
    private readonly options: PartStoreOptions,
  ) {}

  /** Opens our cache; without one the store is memory alone, and a notice says so. */
  static async open(options: PartStoreOptions): Promise<PartStore> {
    const { deps, signal, onNotice } = options;
    if (deps.caches === null) {
      onNotice({ code: 'storage-none', params: {} });
      return new PartStore(null, options);
    }
    const store = new PartStore(null, options);
    try {
      store.cache = await within(deps, STORAGE_MS, signal, deps.caches.open(CACHE_NAME));
    } catch (error) {
      await store.giveUp(error, 0);
    }
    return store;
  }

  /** What is stored of a file; nothing when storage does not answer. @param listed its size, where known. */
  async read(url: string, listed: number | null): Promise<StoredParts> {
    const none = { parts: [], whole: false };
    return (await this.attempt((cache) => this.readAll(cache, url, listed))) ?? none;
  }

  private async readAll(cache: Cache, url: string, listed: number | null): Promise<StoredParts> {
    const { partBytes } = this.options;
    const bytes = await this.manifest(cache, url);
    const parts: Blob[] = [];
    for (;;) {
      const entry = await this.timed(cache.match(partKey(url, partBytes, parts.length)));
      if (!entry) break;
      parts.push(await this.timed(entry.blob()));
    }
    const held = sizeOf(parts);
    const shape = parts.every((part, n) => part.size === partBytes || n === parts.length - 1);
    if (shape && bytes === held && (listed === null || listed === held)) return { parts, whole: true };
    const firstShort = parts.findIndex((part) => part.size !== partBytes);
    const full = firstShort < 0 ? parts : parts.slice(0, firstShort);
    // More than the file has: of another file, so nothing of it is used.
    return { parts: listed !== null && sizeOf(full) > listed ? [] : full, whole: false };
  }

  private async manifest(cache: Cache, url: string): Promise<number | null> {
    const entry = await this.timed(cache.match(manifestKey(url)));
    if (!entry) return null;
    const json: unknown = JSON.parse(await this.timed(entry.text()));
    const parsed = v.safeParse(manifestSchema, json);
    return parsed.success ? parsed.output.bytes : null;
  }

  /** Stores part `n`. Returns the part as the cache holds it, or the given one when it stays in memory. */
  async put(url: string, n: number, part: Blob): Promise<Blob> {
    const key = partKey(url, this.options.partBytes, n);
    const stored = await this.attempt(async (cache) => {
      await this.timed(cache.put(key, this.entry(part, part.size)));
      return await this.timed((await this.timed(cache.match(key)))?.blob() ?? Promise.resolve(null));
    }, part.size);
    return stored?.size === part.size ? stored : part;
  }

  /** Marks a file as whole; only when every part of it is really stored. */
  async finish(url: string, bytes: number): Promise<void> {
    const { partBytes } = this.options;
    await this.attempt(async (cache) => {
      for (let n = 0; n * partBytes < bytes; n++) {
        if (!(await this.timed(cache.match(partKey(url, partBytes, n))))) return;
      }
      await this.timed(cache.put(manifestKey(url), this.entry(JSON.stringify({ bytes }), bytes)));
    });
  }

  /** Deletes what is stored of a file. */
  async forget(url: string): Promise<void> {
    await this.attempt(async (cache) => {
      await this.timed(cache.delete(manifestKey(url)));
      for (let n = 0; await this.timed(cache.delete(partKey(url, this.options.partBytes, n))); n++);
    });
  }

  private entry(body: BodyInit, bytes: number): Response {
    const when = String(this.options.deps.now());
    return new Response(body, { headers: { [WHEN_HEADER]: when, [BYTES_HEADER]: String(bytes) } });
  }

  private timed<T>(work: Promise<T>): Promise<T> {
    return within(this.options.deps, STORAGE_MS, this.options.signal, work);
  }

  /**
   * Does something with the cache; null, and no more storing in this download, when that fails.
   * @param unstored bytes that are here and were to be stored.
   */
  private async attempt<T>(action: (cache: Cache) => Promise<T>, unstored = 0): Promise<T | null> {
    if (this.cache === null) return null;
    try {
      return await action(this.cache);
    } catch (error) {
      await this.giveUp(error, unstored);
      return null;
    }
  }

  private async giveUp(error: unknown, unstored: number): Promise<void> {
    const { deps, signal, onNotice, needed } = this.options;
    if (signal.aborted) throw new LabError('cancelled');
    this.cache = null;
    if (this.gaveUp) return;
    this.gaveUp = true;
    if (error instanceof TooSlow) {
      onNotice({ code: 'storage-stalled', params: { seconds: STORAGE_MS / 1000 } });
      return;
    }
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const full = error instanceof Error && error.name === 'QuotaExceededError';
    const free = full ? await freeBytes(deps, signal) : null;
    onNotice(
      free === null
        ? { code: 'storage-failed', params: { detail }, detail }
        : { code: 'storage-full', params: { needed: needed() + unstored, free }, detail },
    );
  }
}

/** Bytes that this origin may still store; null when the browser does not tell. */
async function freeBytes(deps: HubDeps, signal: AbortSignal): Promise<number | null> {
  try {
    const { usage, quota } = await within(deps, STORAGE_MS, signal, deps.estimate());
    return usage === undefined || quota === undefined ? null : Math.max(0, quota - usage);
  } catch {
    return null;
  }
}

function sizeOf(parts: readonly Blob[]): number {
  return parts.reduce((sum, part) => sum + part.size, 0);
}
