/** The words of the fake hub: what it serves, how it can fail, and what it remembers of every request. */

/** The content of a file in a repository. */
export type FileContent = Uint8Array | string;

export interface FakeRepo {
  /** `owner/name`. */
  id: string;
  /** The commit that `main` points to: 40 hexadecimal digits. */
  sha: string;
  /** By path inside the repository. */
  files: Map<string, FileContent>;
  /** Files that the listing names with this size in bytes, although nothing is there: asking for them is a 404. */
  listedOnly?: Map<string, number>;
  /** As in the hub's listing; false unless given. */
  gated?: 'auto' | 'manual';
  /** What every file but README.md answers: 401 to a stranger, 403 to someone who may not. The listing stays public, as on the hub. */
  filesStatus?: 401 | 403;
  /** The parameter count of the hub's `safetensors` field; without it the listing has no such field. */
  safetensorsTotal?: number;
}

interface FaultBase {
  /** How many requests it spoils before the hub behaves; without it, all of them. */
  times?: number;
  /**
   * Which requests it spoils, by URL path: `/api/models/…` or `/owner/name/resolve/<sha>/<file>` (with the commit, and also for
   * what the CDN path serves). Without it: every request for `status`, the model files (`.onnx`, `.onnx_data…`) for all others.
   */
  path?: RegExp;
}

export type Fault = FaultBase &
  (
    | { kind: 'status'; status: 401 | 403 | 404 | 429 | 500 | 503; /** Seconds. */ retryAfter?: number }
    /** `cut`: Content-Length is right, half of the bytes come, and on {@link FakeHub.goOn} the connection closes. `short`: a whole answer, half as long as listed. */
    | { kind: 'truncated'; mode: 'cut' | 'short' }
    /** The repository's own file is bad, so listing and length agree. `garbled`: not a protobuf. `cut`: one without its second half. */
    | { kind: 'corrupt'; mode: 'garbled' | 'cut' }
    /** 200, and a web page instead of the file. */
    | { kind: 'html' }
    /** Headers and the first half of the bytes, then nothing until the hub closes. */
    | { kind: 'stalled' }
    | { kind: 'slow'; bytesPerSecond: number }
    /** Chunked, without Content-Length. `pause`: the second half comes on {@link FakeHub.goOn}. */
    | { kind: 'no-length'; pause?: boolean }
    /** Listed, but 404. */
    | { kind: 'missing-file' }
    /** A Range request is answered 200, with the whole file. */
    | { kind: 'ignores-range' }
  );

export type FaultKind = Fault['kind'];

export interface HubRequest {
  method: string;
  /** Path and query as asked. */
  path: string;
  /** `owner/name/file` when it is about a file, also where `path` is one of the CDN's; else null. */
  file: string | null;
  /** The Range header, or null. */
  range: string | null;
  status: number;
}

export interface FakeHub {
  /** Without a slash at the end. */
  url: string;
  /** Every request in the order of the answers, preflights included. */
  requests: HubRequest[];
  /**
   * Spoils a repository from now on; of several faults, the first that fits a request is used. null makes it behave.
   * @throws Error when there is no such repository.
   */
  setFault(repoId: string, fault: Fault | readonly Fault[] | null): void;
  /**
   * Lets the answers go on that wait half way: a test says so once it has seen that the first half has arrived, since what is
   * on its way when a connection breaks is lost.
   * @throws Error when none waits.
   */
  goOn(): void;
  /** Ends stalled, waiting and slow answers too. */
  close(): Promise<void>;
}
