/** One file: from storage, or streamed into it in parts, resumed where it broke, and checked before it counts. */
import { LabError } from '../../protocol/faults';
import { checkHead, checkJson, checkType } from './content';
import { type HubDeps, STALL_MS, TooSlow, within } from './deps';
import { fileUrl } from './ids';
import type { PartStore } from './part-store';
import { type Answer, Patience, request, type Setback, stalled, type Target, unreachable } from './request';

export interface FileTask {
  deps: HubDeps;
  store: PartStore;
  /** `revision` is the commit. */
  target: Target & { file: string };
  /** Size by the repository's list; null when it does not tell. */
  listed: number | null;
  partBytes: number;
  signal: AbortSignal;
  /** Bytes held so far, and in all where that is known. */
  onBytes: (bytes: number, total: number | null) => void;
}

/**
 * The file as a Blob made of its stored parts, so that its bytes are not in memory.
 * @throws LabError hub-* as request.ts says, hub-stalled, hub-truncated, hub-overlong, hub-wrong-type, cancelled.
 */
export async function downloadFile(task: FileTask): Promise<Blob> {
  const { store, target, listed } = task;
  const url = fileUrl(target.host, target.repo, target.revision, target.file);
  const stored = await store.read(url, listed);
  const download = new Download(task, url, stored.parts);
  try {
    return stored.whole ? download.whole() : await download.run();
  } catch (error) {
    // A file of another length is not this file: the next try starts from nothing.
    const overlong = error instanceof LabError && error.fault.code === 'hub-overlong';
    if (overlong || download.endedShort) await store.forget(url);
    throw error;
  }
}

class Download {
  /** True while the server's last whole answer ended before the listed size. */
  endedShort = false;
  private readonly patience: Patience;
  /** Bytes in `parts` and `chunks`. */
  private bytes: number;
  private chunks: Uint8Array<ArrayBuffer>[] = [];
  private chunkBytes = 0;
  /** Size in all, from the list, else from the answer. */
  private total: number | null;
  /** Most parts that were ever held: more of them is progress. */
  private best: number;

  constructor(
    private readonly task: FileTask,
    private readonly url: string,
    private parts: Blob[],
  ) {
    this.patience = new Patience(task.deps, task.signal);
    this.bytes = parts.reduce((sum, part) => sum + part.size, 0);
    this.total = task.listed;
    this.best = parts.length;
  }

  whole(): Blob {
    this.task.onBytes(this.bytes, this.bytes);
    return new Blob(this.parts);
  }

  async run(): Promise<Blob> {
    const { deps, target, signal } = this.task;
    this.report();
    while (this.task.listed === null || this.bytes < this.task.listed || this.bytes === 0) {
      // A Range that a proxy or a preflight refuses looks like no network: the last try goes without.
      const from = this.patience.isLast('network') ? 0 : this.bytes;
      const got = await request(deps, this.url, target, signal, from);
      const setback = 'kind' in got ? got : await this.receive(got);
      if (setback === null) break;
      await this.patience.after(setback);
    }
    return this.finish();
  }

  /** Takes one answer to its end. Null when the file is whole. */
  private async receive({ response, close }: Answer): Promise<Setback | null> {
    try {
      // First, so that a sign-in page of a network in between costs none of the stored parts.
      if (response.ok) checkType(response, this.task.target.file);
      if (!(await this.startsHere(response))) {
        const setback = this.short();
        await this.restart();
        return setback;
      }
      const length = Number(response.headers.get('content-length') ?? NaN);
      const expected = this.task.listed ?? (Number.isFinite(length) ? this.bytes + length : null);
      this.total = expected;
      const setback = response.body ? await this.read(response.body.getReader()) : null;
      if (setback) return setback;
      this.endedShort = expected !== null && this.bytes < expected;
      return this.endedShort ? this.short() : null;
    } finally {
      close();
    }
  }

  /** Whether the answer goes on where we are, or begins anew (a server that ignores Range), and so do we. */
  private async startsHere(response: Response): Promise<boolean> {
    if (response.status === 416) return false;
    if (this.bytes === 0) return true;
    const range = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '');
    // The header is hidden where a mirror does not expose it; then 206 has to do.
    if (response.status === 206) return range === null || Number(range[1]) === this.bytes;
    await this.restart();
    return true;
  }

  /** Reads a body to its end. A setback when it breaks off or stalls. */
  private async read(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<Setback | null> {
    const { deps, signal, target } = this.task;
    for (;;) {
      let step;
      try {
        step = await within(deps, STALL_MS, signal, reader.read());
      } catch (error) {
        void reader.cancel().catch(() => undefined);
        if (error instanceof LabError) throw error;
        return error instanceof TooSlow ? stalled(target) : this.broken(error);
      }
      if (step.done) return null;
      await this.take(step.value);
    }
  }

  /** Cuts the stream into parts. @throws LabError hub-overlong as soon as there is more than the list says. */
  private async take(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    const { partBytes, listed, target } = this.task;
    for (let from = 0; from < chunk.length;) {
      const piece = chunk.subarray(from, from + partBytes - this.chunkBytes);
      from += piece.length;
      this.chunks.push(piece);
      this.chunkBytes += piece.length;
      this.bytes += piece.length;
      if (listed !== null && this.bytes > listed) {
        await this.checkStart();
        throw new LabError('hub-overlong', { file: target.file, received: this.bytes, expected: listed });
      }
      this.report();
      if (this.chunkBytes === partBytes) await this.flush();
    }
  }

  private async flush(): Promise<void> {
    const { store } = this.task;
    await this.checkStart();
    const part = await store.put(this.url, this.parts.length, new Blob(this.chunks));
    this.parts.push(part);
    this.chunks = [];
    this.chunkBytes = 0;
    if (this.parts.length > this.best) this.patience.reset();
    this.best = Math.max(this.best, this.parts.length);
  }

  /** Looks at the first bytes before anything is stored. */
  private async checkStart(): Promise<void> {
    if (this.parts.length === 0) await checkHead(this.task.target.file, new Blob(this.chunks));
  }

  private async finish(): Promise<Blob> {
    const { store, target } = this.task;
    await this.checkStart();
    try {
      await checkJson(target.file, new Blob([...this.parts, ...this.chunks]));
    } catch (error) {
      await store.forget(this.url);
      throw error;
    }
    if (this.chunkBytes > 0) await this.flush();
    await store.finish(this.url, this.bytes);
    return this.whole();
  }

  private async restart(): Promise<void> {
    if (this.bytes === 0) return;
    [this.parts, this.chunks, this.chunkBytes, this.bytes] = [[], [], 0, 0];
    await this.task.store.forget(this.url);
    this.report();
  }

  /** The body broke off: with a known size the fault can say how much is missing. */
  private broken(error: unknown): Setback {
    return { ...(this.total === null ? unreachable(this.task.target, error) : this.short()), kind: 'broken' };
  }

  private short(): Setback {
    const { file } = this.task.target;
    const [received, expected] = [this.bytes, this.total ?? 0];
    const fault = (): LabError => new LabError('hub-truncated', { file, received, expected });
    return { kind: 'short', retryAfterMs: null, fault };
  }

  private report(): void {
    // A compressed answer has fewer bytes on the wire than in the file: then the total is not known.
    const total = this.total !== null && this.bytes > this.total ? null : this.total;
    this.task.onBytes(this.bytes, total);
  }
}
