/** The environment that really ran: this worker's device and adapter, limits, versions, browser. */
import type { GpuWatch } from './gpu-watch';
import { platform } from './platform';
import type { Runtime } from './runtime-types';
import { describeAdapter, plainLimits } from '../protocol/adapter';
import type { Pass } from '../protocol/messages';
import type { Environment, LabRecord } from '../protocol/record';
import type { Device } from '../protocol/recipe';

/** Call after the model was loaded, when the device exists. @param runtime Null where none was loaded. */
export function measureEnvironment(
  pass: Pass,
  gpu: GpuWatch,
  runtime: Pick<Runtime, 'threads' | 'build'> | null,
): Environment {
  const onGpu = pass.device === 'webgpu';
  const { browser, os } = readUserAgent(navigator.userAgent);
  const memory = 'deviceMemory' in navigator ? Number(navigator.deviceMemory) : undefined;
  return {
    app: __APP_VERSION__,
    commit: __APP_COMMIT__,
    transformers: __TRANSFORMERS_VERSION__,
    onnxruntime: __ORT_VERSION__,
    browser,
    os,
    backend: pass.device,
    adapter: onGpu && gpu.adapter ? describeAdapter(gpu.adapter) : null,
    features: onGpu && gpu.device ? [...gpu.device.features].sort() : [],
    limits: onGpu ? plainLimits(gpu.device?.limits) : {},
    adapterLimits: onGpu ? plainLimits(gpu.adapter?.limits) : {},
    allocator: pass.allocator,
    crossOriginIsolated: self.crossOriginIsolated,
    threads: runtime?.threads ?? 1,
    logicalProcessors: navigator.hardwareConcurrency,
    ...(memory === undefined ? {} : { deviceMemoryGiB: memory }),
    ...(platform === undefined ? {} : { platform }),
    ...(runtime === null ? {} : { runtimeBuild: runtime.build }),
  };
}

/**
 * Why byte levels are null in what follows.
 * @param seen Whether the hooks saw bytes on the device while a model was loaded.
 */
export function notMeasuredReasons(device: Device, seen: boolean): LabRecord['notMeasured'] {
  const wasm = 'the WASM backend keeps the cache in WASM memory, not in GPU buffers';
  const unseen = 'ONNX Runtime used a GPU device that the hooks did not see';
  return {
    resident: device === 'wasm' ? wasm : null,
    device: device === 'wasm' ? wasm : seen ? null : unseen,
    process: 'the browser’s figure for the whole page is not taken in this experiment',
  };
}

/** Name and version of the browser and of the operating system, as far as the user agent string tells. */
export function readUserAgent(userAgent: string): { browser: string; os: string } {
  const browser = [/(Edg|OPR|Firefox)\/([\d.]+)/, /(Chrome)\/([\d.]+)/, /Version\/([\d.]+).*(Safari)/]
    .map((pattern) => pattern.exec(userAgent)?.[0])
    .find((found) => found !== undefined);
  const os = /\(([^)]*)\)/.exec(userAgent)?.[1];
  return { browser: browser ?? 'unknown', os: os ?? 'unknown' };
}
