/** Which fault spoils which request: counts `times` and matches paths. */
import type { Fault, FaultKind } from './types';

const MODEL_FILES = /\.onnx(_data(_\d+)?)?$/;
const EVERYTHING = /^/;

type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;

interface Armed {
  fault: Fault;
  left: number;
}

export class FaultBook {
  private readonly armed = new Map<string, Armed[]>();

  /** @throws Error for a path that remembers its last match, and so would miss every other request. */
  set(repoId: string, faults: readonly Fault[]): void {
    if (faults.some(({ path }) => path?.global === true || path?.sticky === true))
      throw new Error('The path of a fault may be neither global nor sticky.');
    this.armed.set(
      repoId,
      faults.map((fault) => ({ fault, left: fault.times ?? Infinity })),
    );
  }

  /** The fault of one of these kinds that a request would meet; counts nothing. */
  peek<K extends FaultKind>(repoId: string, path: string, kinds: readonly K[]): FaultOf<K> | null {
    return this.find(repoId, path, kinds)?.fault ?? null;
  }

  /** The same, and counts this request as spoilt. */
  take<K extends FaultKind>(repoId: string, path: string, kinds: readonly K[]): FaultOf<K> | null {
    const found = this.find(repoId, path, kinds);
    if (found !== null) found.left--;
    return found?.fault ?? null;
  }

  private find<K extends FaultKind>(
    repoId: string,
    path: string,
    kinds: readonly K[],
  ): (Armed & { fault: FaultOf<K> }) | null {
    const fits = (armed: Armed): armed is Armed & { fault: FaultOf<K> } =>
      (kinds as readonly FaultKind[]).includes(armed.fault.kind) &&
      armed.left > 0 &&
      pathOf(armed.fault).test(path);
    return this.armed.get(repoId)?.find(fits) ?? null;
  }
}

function pathOf(fault: Fault): RegExp {
  return fault.path ?? (fault.kind === 'status' ? EVERYTHING : MODEL_FILES);
}
