/** Loads the model of a pass. */
import { during } from './fault-of';
import type { GpuWatch } from './gpu-watch';
import type { LoadedModel, Runtime } from './runtime-types';
import type { Subject } from './subject';
import { LabError } from '../protocol/faults';
import type { Pass } from '../protocol/messages';

/** @throws LabError bf16-unsupported; a StageError of the stage model-load-failed. */
export async function loadSubject(
  runtime: Runtime,
  gpu: GpuWatch,
  { device, dtype, allocator }: Pick<Pass, 'device' | 'dtype' | 'allocator'>,
  { files, quantised }: Pick<Subject, 'files' | 'quantised'>,
): Promise<LoadedModel> {
  if (dtype === 'bf16') throw new LabError('bf16-unsupported');
  const cacheBits = quantised === undefined ? {} : { cacheBits: quantised.bits };
  return during(
    'model-load-failed',
    gpu.guard(runtime.load({ files, device, dtype, allocator, ...cacheBits })),
  );
}
