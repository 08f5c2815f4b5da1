/** Cache policy `dynamic`: transformers.js' own DynamicCache, which grows by concatenation and disposes what it replaces. */
import type { KvCache } from './runtime-types';
import type { LedgerTensor } from './ledger';

/** What is used of transformers.js' DynamicCache. */
export interface DynamicCacheEntries {
  update(entries: Record<string, RuntimeTensor>): void;
  dispose(): Promise<void>;
}

/** What is used of transformers.js' Tensor. */
export interface RuntimeTensor {
  type: string;
  dims: number[];
  location: string;
  ort_tensor: { gpuBuffer?: unknown; data?: unknown };
}

/** Output prefixes and the inputs that they become in the next step (transformers.js, `getPastKeyValues`). */
export const PRESENT_TO_PAST = [
  ['present_', 'past_'],
  ['present.', 'past_key_values.'],
] as const;

export class DynamicKvCache implements KvCache {
  readonly preallocated = null;
  private current = new Map<string, LedgerTensor>();

  constructor(readonly entries: DynamicCacheEntries) {}

  /** Takes the `present*` outputs of a forward pass in place of the tensors held so far. */
  append(outputs: Record<string, RuntimeTensor>): void {
    const fresh: Record<string, RuntimeTensor> = {};
    for (const [name, tensor] of Object.entries(outputs)) {
      const prefix = PRESENT_TO_PAST.find(([present]) => name.startsWith(present));
      if (prefix) fresh[prefix[1] + name.slice(prefix[0].length)] = tensor;
    }
    this.entries.update(fresh);
    this.current = new Map(Object.entries(fresh).map(([name, tensor]) => [name, ledgerView(tensor)]));
  }

  tensors(): ReadonlyMap<string, LedgerTensor> {
    return this.current;
  }

  async dispose(): Promise<void> {
    this.current = new Map();
    await this.entries.dispose();
  }
}

/** A tensor of the runtime as the ledger reads it. */
export function ledgerView(tensor: RuntimeTensor): LedgerTensor {
  const { type, dims, location, ort_tensor: raw } = tensor;
  // Each getter throws on a tensor that is elsewhere.
  return {
    type,
    dims,
    location,
    gpuBuffer: location === 'gpu-buffer' ? (raw.gpuBuffer as { readonly size: number }) : null,
    cpuData: location === 'cpu' ? (raw.data as ArrayBufferView) : null,
  };
}
