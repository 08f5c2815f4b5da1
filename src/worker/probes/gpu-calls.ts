/** Counts what a piece of work asks of the GPU, so that work which is recorded anew can be told from work that is replayed. */

export interface GpuCalls {
  /** ONNX Runtime makes one for each dispatch that it records, and none when it replays. */
  bindGroups: number;
  dispatches: number;
}

/** Starts to count, for all devices of this worker. @returns What was counted; nothing is counted from then on. */
export function countGpuCalls(): () => GpuCalls {
  const calls: GpuCalls = { bindGroups: 0, dispatches: 0 };
  const devices = GPUDevice.prototype;
  const passes = GPUComputePassEncoder.prototype;
  /* eslint-disable @typescript-eslint/unbound-method -- called with their owners, and put back */
  const { createBindGroup } = devices;
  const { dispatchWorkgroups, dispatchWorkgroupsIndirect } = passes;
  /* eslint-enable @typescript-eslint/unbound-method */
  devices.createBindGroup = function (this: GPUDevice, descriptor) {
    calls.bindGroups++;
    return createBindGroup.call(this, descriptor);
  };
  passes.dispatchWorkgroups = function (this: GPUComputePassEncoder, x, y, z) {
    calls.dispatches++;
    dispatchWorkgroups.call(this, x, y, z);
  };
  passes.dispatchWorkgroupsIndirect = function (this: GPUComputePassEncoder, buffer, offset) {
    calls.dispatches++;
    dispatchWorkgroupsIndirect.call(this, buffer, offset);
  };
  return () => {
    devices.createBindGroup = createBindGroup;
    Object.assign(passes, { dispatchWorkgroups, dispatchWorkgroupsIndirect });
    return calls;
  };
}
