/** One request to the hub, and the patience for those that fail in passing: back-off, Retry-After, a limit of tries. */
import { type Fault, LabError } from '../../protocol/faults';
import { type HubDeps, STALL_MS, TooSlow, within } from './deps';

/** What a request is for, for the faults' sentences. */
export interface Target {
  host: string;
  repo: string;
  revision: string;
  /** Path in the repository, or null for the file list. */
  file: string | null;
}

/**
 * A failure that another try may cure: no connection (`network`), one that broke off (`broken`) or went silent (`stalled`), a
 * file that ended early (`short`). `fault` is what to say when patience ends, given the number of tries.
 */
export interface Setback {
  kind: 'busy' | 'network' | 'broken' | 'stalled' | 'short';
  /** ms that the server asked to wait; null when it did not say. */
  retryAfterMs: number | null;
  fault: (tries: number) => LabError;
}

/** An open answer; `close` drops the connection. */
export interface Answer {
  response: Response;
  close: () => void;
}

/** Tries of each kind, the first included: a stalled connection is resumed three times, a short file once. */
const TRIES: Record<Setback['kind'], number> = { busy: 4, network: 4, broken: 4, stalled: 4, short: 2 };
const BACK_OFF_MS = 1000;
const MAX_WAIT_MS = 30_000;
const BUSY = [429, 500, 502, 503, 504];

/** Counts setbacks of one download, waits between tries and gives up in the end. */
export class Patience {
  private readonly counts = new Map<Setback['kind'], number>();

  /** @param most at most so many tries of any kind. */
  constructor(
    private readonly deps: HubDeps,
    private readonly signal: AbortSignal,
    private readonly most = Infinity,
  ) {}

  /** Waits before the next try: Retry-After (at most 30 s), else 1, 2, 4 s. @throws the setback's fault when tries are used up. */
  async after(setback: Setback): Promise<void> {
    const tries = (this.counts.get(setback.kind) ?? 0) + 1;
    this.counts.set(setback.kind, tries);
    if (tries >= Math.min(TRIES[setback.kind], this.most)) throw setback.fault(tries);
    if (setback.kind === 'stalled' || setback.kind === 'short') return;
    const ms = Math.min(MAX_WAIT_MS, setback.retryAfterMs ?? BACK_OFF_MS * 2 ** (tries - 1));
    await this.deps.wait(ms, this.signal).catch((error: unknown) => {
      throw this.signal.aborted ? new LabError('cancelled') : error;
    });
  }

  /** Progress was made: what failed before does not count any more. */
  reset(): void {
    this.counts.clear();
  }

  /** True when the next setback of this kind is the last. */
  isLast(kind: Setback['kind']): boolean {
    return (this.counts.get(kind) ?? 0) + 1 >= Math.min(TRIES[kind], this.most);
  }
}

/**
 * One GET without cookies, referrer or the browser's own HTTP cache (which would keep a wrong page).
 * @param from first byte to ask for.
 * @throws LabError hub-gated, hub-not-found, hub-file-missing or hub-status for answers that no retry cures; cancelled.
 */
export async function request(
  deps: HubDeps,
  url: string,
  target: Target,
  signal: AbortSignal,
  from = 0,
): Promise<Answer | Setback> {
  if (signal.aborted) throw new LabError('cancelled');
  const connection = new AbortController();
  const close = (): void => {
    signal.removeEventListener('abort', close);
    connection.abort();
  };
  signal.addEventListener('abort', close);
  try {
    const response = await within(
      deps,
      STALL_MS,
      signal,
      deps.fetch(url, {
        signal: connection.signal,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        headers: from > 0 ? { Range: `bytes=${from}-` } : {},
      }),
    );
    if (response.ok || response.status === 416) return { response, close };
    close();
    const fault = lasting(response, target);
    if (fault) throw fault;
    return busy(response, target, deps.now());
  } catch (error) {
    close();
    if (error instanceof LabError) throw error;
    return error instanceof TooSlow ? stalled(target) : unreachable(target, error);
  }
}

/** A connection on which nothing comes. */
export function stalled({ file, host, repo }: Target): Setback {
  const what = file ?? repo;
  const seconds = STALL_MS / 1000;
  return {
    kind: 'stalled',
    retryAfterMs: null,
    fault: (tries) => new LabError('hub-stalled', { file: what, host, seconds, tries }),
  };
}

/** No connection, or one that broke; browsers do not say why. */
export function unreachable({ host }: Target, error: unknown): Setback {
  return {
    kind: 'network',
    retryAfterMs: null,
    fault: (tries) => new LabError('hub-unreachable', { host, tries }, String(error)),
  };
}

function busy(response: Response, { host }: Target, now: number): Setback {
  return {
    kind: 'busy',
    retryAfterMs: retryAfter(response.headers.get('retry-after'), now),
    fault: (tries) => new LabError('hub-busy', { host, status: response.status, tries }),
  };
}

/** Retry-After in ms: seconds, or a date. */
function retryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** The fault of an answer that will not change; null when another try may help. */
function lasting(response: Response, { host, repo, revision, file }: Target): LabError | null {
  const { status } = response;
  if (BUSY.includes(status)) return null;
  // The hub says what it means in a header: without a token, a missing repository answers 401 as well.
  const code = response.headers.get('x-error-code');
  if (code === 'RepoNotFound' || code === 'RevisionNotFound') return notFound();
  if (status === 401 || status === 403) return new LabError('hub-gated', { repo, host, status });
  if (status !== 404 && status !== 410)
    return new LabError('hub-status', { host, status, file: file ?? repo });
  return file === null
    ? notFound()
    : new LabError('hub-file-missing', { file, where: `${host}/${repo}@${revision}` });

  function notFound(): LabError {
    return new LabError('hub-not-found', { repo, revision, host });
  }
}

/** True for faults of a network that is away or busy, after which a stored copy may stand in. */
export function isPassing(fault: Fault): boolean {
  return ['hub-busy', 'hub-unreachable', 'hub-stalled'].includes(fault.code);
}
