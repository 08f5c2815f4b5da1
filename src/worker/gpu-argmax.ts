/** The greedy token of each row of logits, found where they are: of 150,000 logits a row, 8 bytes come back from the GPU. */

/** Most rows of one pass: the most sequences that a recipe may have. */
export const MAX_ROWS = 64;
/** Index of the largest logit, and 1 where one of them is NaN: two u32. */
const FOUND_BYTES = 8;
const SHAPE_BYTES = 16;
const LANES = 256;

/**
 * One workgroup a row; each lane takes every 256th logit. Floats are compared as integers, since WGSL may take it that there
 * are no NaN and no infinities: with all bits of a negative number and the sign bit of a positive one turned over, they have the
 * same order, and none of them is 0. Halves lie in the upper 16 bits then, so that one comparison serves both.
 */
const SHADER = /* wgsl */ `
struct Shape { first: u32, stride: u32, vocabulary: u32, halves: u32 }
@group(0) @binding(0) var<storage, read> logits: array<u32>;
@group(0) @binding(1) var<uniform> shape: Shape;
@group(0) @binding(2) var<storage, read_write> found: array<vec2u>;

const SIGN = 0x80000000u;
var<workgroup> keys: array<u32, ${LANES}>;
var<workgroup> places: array<u32, ${LANES}>;
var<workgroup> nans: array<u32, ${LANES}>;

fn bitsAt(element: u32) -> u32 {
  if (shape.halves == 0u) { return logits[element]; }
  return (logits[element >> 1u] >> (16u * (element & 1u))) << 16u;
}

@compute @workgroup_size(${LANES})
fn main(@builtin(workgroup_id) row: vec3u, @builtin(local_invocation_index) lane: u32) {
  let start = shape.first + row.x * shape.stride;
  let infinity = select(0x7f800000u, 0x7c000000u, shape.halves != 0u);
  var key = 0u;
  var place = 0u;
  var nan = 0u;
  for (var i = lane; i < shape.vocabulary; i += ${LANES}u) {
    let bits = bitsAt(start + i);
    let size = bits & ~SIGN;
    if (size > infinity) { nan = 1u; }
    // Both zeros are the same number.
    let here = select(select(bits | SIGN, ~bits, bits >= SIGN), SIGN, size == 0u);
    if (here > key) { key = here; place = i; }
  }
  keys[lane] = key;
  places[lane] = place;
  nans[lane] = nan;
  for (var half = ${LANES / 2}u; half > 0u; half >>= 1u) {
    workgroupBarrier();
    if (lane < half) {
      let other = lane + half;
      nans[lane] |= nans[other];
      if (keys[other] > keys[lane] || (keys[other] == keys[lane] && places[other] < places[lane])) {
        keys[lane] = keys[other];
        places[lane] = places[other];
      }
    }
  }
  if (lane == 0u) { found[row.x] = vec2u(places[0], nans[0]); }
}`;

/** Where rows of logits lie in a buffer, in elements. */
export interface LogitRows {
  type: 'float32' | 'float16';
  count: number;
  vocabulary: number;
  /** The first element of the first row, and the elements from one row's to the next's. */
  first: number;
  stride: number;
}

export class GpuArgmax {
  private readonly pipeline: GPUComputePipeline;
  private readonly shape: GPUBuffer;
  private readonly found: GPUBuffer;
  private readonly staging: GPUBuffer;

  /** Makes buffers of about 1 KB, which stay until {@link destroy}. */
  constructor(private readonly device: GPUDevice) {
    const module = device.createShaderModule({ code: SHADER });
    this.pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
    const size = MAX_ROWS * FOUND_BYTES;
    this.shape = device.createBuffer({
      size: SHAPE_BYTES,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    this.found = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    this.staging = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  }

  /** Whether {@link pick} can take these rows: no more than there is room for, in a part of the buffer that can be bound. */
  fits(logits: GPUBuffer, rows: LogitRows): boolean {
    const { offset } = this.start(rows);
    return rows.count <= MAX_ROWS && logits.size - offset <= this.device.limits.maxStorageBufferBindingSize;
  }

  /**
   * Waits until the GPU has come this far.
   * @returns Index of the largest logit of each row, the first of equals; NaN for a row that has a NaN.
   */
  async pick(logits: GPUBuffer, rows: LogitRows): Promise<number[]> {
    const { device, pipeline, shape, found, staging } = this;
    const { offset, first } = this.start(rows);
    const { count, stride, vocabulary, type } = rows;
    device.queue.writeBuffer(shape, 0, Uint32Array.of(first, stride, vocabulary, type === 'float16' ? 1 : 0));
    const entries = [{ buffer: logits, offset }, { buffer: shape }, { buffer: found }];
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(
      0,
      device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: entries.map((resource, binding) => ({ binding, resource })),
      }),
    );
    pass.dispatchWorkgroups(count);
    pass.end();
    encoder.copyBufferToBuffer(found, 0, staging, 0, count * FOUND_BYTES);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    const pairs = new Uint32Array(staging.getMappedRange(0, count * FOUND_BYTES));
    const tokens = Array.from({ length: count }, (_, row) =>
      pairs[2 * row + 1] === 0 ? (pairs[2 * row] ?? NaN) : NaN,
    );
    staging.unmap();
    return tokens;
  }

  destroy(): void {
    for (const buffer of [this.shape, this.found, this.staging]) buffer.destroy();
  }

  /** Bytes into the buffer that the binding begins at, and the first element from there. */
  private start({ type, first }: LogitRows): { offset: number; first: number } {
    const align = this.device.limits.minStorageBufferOffsetAlignment;
    const bytes = type === 'float16' ? 2 : 4;
    const offset = Math.floor((first * bytes) / align) * align;
    return { offset, first: first - offset / bytes };
  }
}
