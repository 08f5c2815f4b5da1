/** Downloads the files of a model, two at a time, small ones first, with progress; what is stored already is not asked for again. */
import { type Fault, LabError } from '../../protocol/faults';
import type { HubDeps } from './deps';
import { downloadFile } from './file-download';
import type { HubFile, HubListing } from './listing';
import { PART_BYTES, PartStore } from './part-store';
import { isModelFile } from './variants';

/** Files that are downloaded at the same time. */
const AT_ONCE = 2;

export interface FileProgress {
  path: string;
  /** Bytes that are here, stored ones included; never more than `total`. */
  bytes: number;
  /** Null when neither the list nor the server tells. */
  total: number | null;
}

export interface DownloadProgress {
  files: FileProgress[];
  bytes: number;
  /** Null as long as one file's is. */
  total: number | null;
}

export interface DownloadRequest {
  host: string;
  listing: HubListing;
  files: readonly HubFile[];
  signal: AbortSignal;
  /** Called for every piece that arrives: often. */
  onProgress: (progress: DownloadProgress) => void;
  /** What a person should know though the download goes on: storage that is full, missing or stuck. */
  onNotice: (notice: Fault) => void;
  /** Bytes of a stored part; only tests use another. */
  partBytes?: number;
}

/**
 * Downloads files of a listing, or takes them from the browser's storage. Weights are asked for when all other files are here:
 * what is wrong with one of those is known before gigabytes come.
 * @returns each file by its path, as a Blob of stored parts.
 * @throws LabError of the first file that fails (the others stop and keep their whole parts); cancelled at once when the
 *   signal aborts.
 */
export async function downloadFiles(deps: HubDeps, request: DownloadRequest): Promise<Map<string, Blob>> {
  const { host, listing, files, signal, onNotice, partBytes = PART_BYTES } = request;
  const progress = new Progress(files, request.onProgress);
  const group = new AbortController();
  const stop = (): void => {
    group.abort();
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) group.abort();
  const blobs = new Map<string, Blob>();

  async function work(store: PartStore, queue: HubFile[]): Promise<void> {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const { path, bytes } = file;
      const blob = await downloadFile({
        deps,
        store,
        partBytes,
        listed: bytes,
        signal: group.signal,
        target: { host, repo: listing.repo, revision: listing.revision, file: path },
        onBytes: (held, total) => {
          progress.set(path, held, total);
        },
      });
      blobs.set(path, blob);
    }
  }

  try {
    const store = await PartStore.open({
      deps,
      signal: group.signal,
      partBytes,
      onNotice,
      needed: () => progress.left(),
    });
    for (const weights of [false, true]) {
      const queue = files.filter(({ path }) => isModelFile(path) === weights);
      await Promise.all(Array.from({ length: AT_ONCE }, () => work(store, queue)));
    }
  } catch (error) {
    if (signal.aborted) throw new LabError('cancelled');
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    group.abort();
  }
  // In the order that was asked for, not in that of arrival.
  return new Map(files.flatMap(({ path }) => [...blobs].filter(([name]) => name === path)));
}

class Progress {
  private readonly files: Map<string, FileProgress>;

  constructor(
    files: readonly HubFile[],
    private readonly publish: (progress: DownloadProgress) => void,
  ) {
    this.files = new Map(files.map(({ path, bytes }) => [path, { path, bytes: 0, total: bytes }]));
    this.send();
  }

  set(path: string, bytes: number, total: number | null): void {
    this.files.set(path, { path, bytes, total });
    this.send();
  }

  /** Bytes still to come, as far as sizes are known. */
  left(): number {
    return [...this.files.values()].reduce(
      (sum, { bytes, total }) => sum + Math.max(0, (total ?? bytes) - bytes),
      0,
    );
  }

  private send(): void {
    const files = [...this.files.values()];
    const known = files.every(({ total }) => total !== null);
    this.publish({
      files,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      total: known ? files.reduce((sum, { total }) => sum + (total ?? 0), 0) : null,
    });
  }
}
