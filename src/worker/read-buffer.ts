/** Reads a GPU buffer back without moving the tensor that it belongs to (ONNX Runtime's `getData` would). */

/** @param bytes How many bytes from the start; rounded up to 4 for the copy. */
export async function readBuffer(device: GPUDevice, source: GPUBuffer, bytes: number): Promise<Uint8Array> {
  const size = Math.ceil(bytes / 4) * 4;
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  try {
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, 0, staging, 0, size);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    return new Uint8Array(staging.getMappedRange()).slice(0, bytes);
  } finally {
    staging.destroy();
  }
}
