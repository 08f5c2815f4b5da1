/** What this browser offers for a measurement, found out without opening a GPU device in the page. */
import { describeAdapter, plainLimits } from '../protocol/adapter';
import type { Fault, FaultCode } from '../protocol/faults';
import type { AdapterInfo } from '../protocol/record';

/** The page's view of the GPU. `fault` says why WebGPU cannot be used here; null while probing and when it can. */
export interface GpuProbe {
  status: 'probing' | 'ready';
  fault: Fault | null;
  adapter: AdapterInfo | null;
  /** Feature names of the adapter, sorted. */
  features: string[];
  /** Limits of the adapter, by WebGPU name; names that the browser does not know are left out. */
  limits: Record<string, number>;
  crossOriginIsolated: boolean;
  /** Logical processors that WASM threads may use; 1 where the page is not cross-origin isolated. */
  threads: number;
}

/** The parts of the page's global scope that {@link probeGpu} reads; everything in it may be missing. */
export interface ProbeScope {
  isSecureContext?: boolean | undefined;
  crossOriginIsolated?: boolean | undefined;
  navigator?: { gpu?: unknown; hardwareConcurrency?: number | undefined } | undefined;
}

/** ms that an adapter request may take; some drivers never answer. */
export const ADAPTER_TIMEOUT_MS = 5000;

/** The probe before anything is known. */
export const PROBING: GpuProbe = {
  status: 'probing',
  fault: null,
  adapter: null,
  features: [],
  limits: {},
  crossOriginIsolated: false,
  threads: 1,
};

/**
 * Asks for a GPU adapter and reports it. Never throws and never hangs: whatever is missing, refused, or silent for
 * {@link ADAPTER_TIMEOUT_MS} becomes the probe's fault.
 */
export async function probeGpu(scope: ProbeScope = globalThis): Promise<GpuProbe> {
  const isolated = scope.crossOriginIsolated === true;
  const probe: GpuProbe = {
    ...PROBING,
    status: 'ready',
    crossOriginIsolated: isolated,
    threads: isolated ? (scope.navigator?.hardwareConcurrency ?? 1) : 1,
  };
  const refused = (code: FaultCode, detail?: string): GpuProbe => ({
    ...probe,
    fault: { code, params: {}, ...(detail === undefined ? {} : { detail }) },
  });
  // An insecure page has no navigator.gpu either; it must hear about HTTPS, not about its browser.
  if (scope.isSecureContext === false) return refused('webgpu-insecure');
  const gpu = scope.navigator?.gpu;
  if (!isObject(gpu)) return refused('webgpu-missing');
  try {
    const adapter = await withTimeout(requestAdapter(gpu));
    if (!isObject(adapter)) return refused('webgpu-no-adapter');
    return {
      ...probe,
      adapter: describeAdapter(adapter),
      features: featureNames(adapter['features']),
      limits: plainLimits(adapter['limits']),
    };
  } catch (error) {
    return refused('webgpu-no-adapter', error instanceof Error ? error.message : String(error));
  }
}

async function requestAdapter(gpu: Record<string, unknown>): Promise<unknown> {
  return await (gpu as unknown as GPU).requestAdapter();
}

function withTimeout(request: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`requestAdapter() gave no answer within ${ADAPTER_TIMEOUT_MS} ms`));
    }, ADAPTER_TIMEOUT_MS);
    request.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

function featureNames(features: unknown): string[] {
  if (!isObject(features) || !(Symbol.iterator in features)) return [];
  return [...(features as unknown as Iterable<unknown>)].map(String).sort();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
