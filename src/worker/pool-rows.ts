/** Reads whose rows a pool's GPU buffers hold: a shader looks at every word, and one word a row is read back. */

/** A buffer of whole rows, from row `start` of the pool on. */
export interface RowBuffer {
  start: number;
  rows: number;
  buffer: GPUBuffer;
}

export interface RowReader {
  /** One word a row: the word that all words of the row are, or the one that stands for rows of different words. */
  read(): Promise<Uint32Array>;
  destroy(): void;
}

const WORKGROUP = 64;
const WORD_BYTES = 4;
/** Where rows allow it, four words are looked at at a time. */
const VECTOR_BYTES = 16;

/** @param mixed What is told of a row whose words differ. */
export function rowReader(
  device: GPUDevice,
  buffers: readonly RowBuffer[],
  rowBytes: number,
  mixed: number,
): RowReader {
  const total = buffers.reduce((sum, { rows }) => sum + rows, 0);
  const module = device.createShaderModule({ code: shaderOf(rowBytes, mixed) });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
  const result = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const parts = buffers.map(({ start, rows, buffer }) => {
    const owners = device.createBuffer({ size: rows * WORD_BYTES, usage: result });
    const bindings = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [
        { binding: 0, resource: { buffer } },
        { binding: 1, resource: { buffer: owners } },
      ],
    });
    return { start, rows, owners, bindings };
  });
  const staging = device.createBuffer({
    size: total * WORD_BYTES,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  });
  return {
    async read() {
      const encoder = device.createCommandEncoder();
      for (const { start, rows, owners, bindings } of parts) {
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bindings);
        pass.dispatchWorkgroups(Math.ceil(rows / WORKGROUP));
        pass.end();
        encoder.copyBufferToBuffer(owners, 0, staging, start * WORD_BYTES, rows * WORD_BYTES);
      }
      device.queue.submit([encoder.finish()]);
      await staging.mapAsync(GPUMapMode.READ);
      const found = new Uint32Array(staging.getMappedRange().slice(0));
      staging.unmap();
      return found;
    },
    destroy() {
      for (const buffer of [staging, ...parts.map(({ owners }) => owners)]) buffer.destroy();
    },
  };
}

/** One invocation a row. */
function shaderOf(rowBytes: number, mixed: number): string {
  const vectors = rowBytes % VECTOR_BYTES === 0;
  const type = vectors ? 'vec4<u32>' : 'u32';
  const steps = rowBytes / (vectors ? VECTOR_BYTES : WORD_BYTES);
  return `
@group(0) @binding(0) var<storage, read> words: array<${type}>;
@group(0) @binding(1) var<storage, read_write> owners: array<u32>;

@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let row = id.x;
  if (row >= arrayLength(&owners)) {
    return;
  }
  let at = row * ${steps}u;
  let first = words[at]${vectors ? '.x' : ''};
  var different = ${type}(0u);
  for (var step = 0u; step < ${steps}u; step++) {
    different |= words[at + step] ^ ${type}(first);
  }
  let any = ${vectors ? 'different.x | different.y | different.z | different.w' : 'different'};
  owners[row] = select(${mixed}u, first, any == 0u);
}`;
}
