/** Times parts of a pass, and tells those in which GPU pipelines were built, which are times of a warm-up. */
import type { Device } from '../protocol/recipe';

/** Counts GPU pipelines from now on, whoever builds them in this worker. @returns How many were built so far. */
export function countPipelines(): () => number {
  let built = 0;
  if (typeof GPUDevice === 'undefined') return () => built;
  const { prototype } = GPUDevice;
  /* eslint-disable @typescript-eslint/unbound-method -- called with their device */
  const { createComputePipeline, createComputePipelineAsync } = prototype;
  /* eslint-enable @typescript-eslint/unbound-method */
  prototype.createComputePipeline = function (this: GPUDevice, descriptor) {
    built++;
    return createComputePipeline.call(this, descriptor);
  };
  prototype.createComputePipelineAsync = function (this: GPUDevice, descriptor) {
    built++;
    return createComputePipelineAsync.call(this, descriptor);
  };
  return () => built;
}

export interface Timed {
  /** Milliseconds. */
  ms: number;
  /** GPU pipelines that were built meanwhile; absent where there is no GPU. */
  compiled?: number;
}

/** Starts to time a part of a pass. @returns What it took so far. */
export function startTiming({
  pass,
  pipelinesBuilt,
}: {
  pass: { device: Device };
  pipelinesBuilt: () => number;
}): () => Timed {
  const before = pipelinesBuilt();
  const startedAt = performance.now();
  return () => {
    const ms = performance.now() - startedAt;
    return pass.device === 'webgpu' ? { ms, compiled: pipelinesBuilt() - before } : { ms };
  };
}
