/** The environment of a record from outside: where it was measured. */
import * as v from 'valibot';
import { ALLOCATORS, DEVICES } from './recipe';
import { RUNTIME_BUILDS } from './record';
import { amount, count, list, MAX_NAMES, name, table, text } from './schema-parts';

export const environment = v.object({
  app: name,
  commit: name,
  transformers: name,
  onnxruntime: name,
  browser: text,
  os: name,
  backend: v.picklist(DEVICES),
  adapter: v.nullable(
    v.object({
      vendor: name,
      architecture: name,
      device: name,
      description: text,
      fallback: v.boolean(),
      subgroupMinSize: v.optional(count),
      subgroupMaxSize: v.optional(count),
    }),
  ),
  features: list(name, MAX_NAMES),
  limits: table(amount),
  adapterLimits: table(amount),
  allocator: v.picklist(ALLOCATORS),
  crossOriginIsolated: v.boolean(),
  threads: count,
  logicalProcessors: v.optional(count),
  deviceMemoryGiB: v.optional(amount),
  platform: v.optional(name),
  runtimeBuild: v.optional(v.picklist(RUNTIME_BUILDS)),
});
