/** Reads what a WebGPU adapter or device says of itself into plain data; nothing in it is taken for granted. */
import type { AdapterInfo } from './record';

/** Limits objects carry getters on their prototype, so the names that are recorded are listed here. */
const LIMIT_NAMES = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxUniformBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxBindGroups',
  'maxBindingsPerBindGroup',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxComputeWorkgroupsPerDimension',
  'maxComputeWorkgroupStorageSize',
  'minStorageBufferOffsetAlignment',
] as const;

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|software|basic render/i;

/** Safari has adapters without `info`; the flag of a software adapter moved from the adapter to its info. */
export function describeAdapter(adapter: object): AdapterInfo {
  const info: unknown = Reflect.get(adapter, 'info');
  const text = (name: string): string => {
    const value: unknown = isObject(info) ? Reflect.get(info, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  const names = {
    vendor: text('vendor'),
    architecture: text('architecture'),
    device: text('device'),
    description: text('description'),
  };
  const sizes = Object.fromEntries(
    (['subgroupMinSize', 'subgroupMaxSize'] as const).flatMap((name) => {
      const value: unknown = isObject(info) ? Reflect.get(info, name) : undefined;
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );
  const flagged = [adapter, info].some(
    (source) => isObject(source) && Reflect.get(source, 'isFallbackAdapter') === true,
  );
  return {
    ...names,
    ...sizes,
    fallback: flagged || Object.values(names).some((name) => SOFTWARE.test(name)),
  };
}

/** The known limits that are there, by name; bytes or counts as WebGPU defines them. */
export function plainLimits(limits: unknown): Record<string, number> {
  if (!isObject(limits)) return {};
  return Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const value: unknown = Reflect.get(limits, name);
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
