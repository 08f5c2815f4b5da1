/** Reads a GPU buffer back without moving the tensor that it belongs to (ONNX Runtime's `getData` would). */

/**
 * @param bytes How many bytes.
 * @param from The first of them; what is copied begins and ends at whole words.
 */
export async function readBuffer(
  device: GPUDevice,
  source: GPUBuffer,
  bytes: number,
  from = 0,
): Promise<Uint8Array> {
  const inside = from % 4;
  const size = Math.ceil((inside + bytes) / 4) * 4;
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  try {
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, from - inside, staging, 0, size);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    return new Uint8Array(staging.getMappedRange()).slice(inside, inside + bytes);
  } finally {
    staging.destroy();
  }
}
