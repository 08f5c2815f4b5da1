/**
 * Probe `graph-capture`: ONNX Runtime's `enableGraphCapture` records the GPU work of a session's first run and replays it in later
 * ones. It is believed to be on only when a later run dispatches without making a bind group, which recording cannot do
 * without, and gives the same numbers as a session without it.
 */
import { InferenceSession, Tensor } from 'onnxruntime-web/webgpu';
import { relativeDifference } from '../check-cache-used';
import { readBuffer } from '../read-buffer';
import { captureGraph, PROBE } from '../../model/probe-graphs';
import type { ModelFiles } from '../../model/twin';
import type { Probe } from '../../protocol/policies';
import type { Device } from '../../protocol/recipe';
import { countGpuCalls, type GpuCalls } from './gpu-calls';
import { messageOf } from './message';

const STEPS = 3;
const WIDTH = PROBE.queryHeads * PROBE.headDim;
/** As much as the order of sums may make: with capture, attention's length is read on the GPU, by another kernel. */
const TOLERANCE = 1e-4;
/** A model's own graph is tried as well up to this size; a larger one would need its weights on the GPU twice. */
const MODEL_LIMIT_BYTES = 64 * 2 ** 20;

type Found = Pick<Probe, 'outcome' | 'detail'>;

/** What one decode step did and gave. */
interface Seen extends GpuCalls {
  y: Float32Array;
}

/** Tries it on the GPU that the runtime has open. Never throws. @param files of the model that was measured. */
export async function probeCaptureOnGpu(device: GPUDevice, files: ModelFiles): Promise<Found> {
  try {
    const plain = await decodeSteps(device, false);
    const captured = await decodeSteps(device, true);
    const found = judge(plain, captured);
    return { ...found, detail: `${found.detail} ${await ofModel(files)}`.trim() };
  } catch (error) {
    return { outcome: 'refused', detail: messageOf(error) };
  }
}

/** Tries it where there is no GPU work to record. Never throws. */
export async function probeCaptureOnCpu(): Promise<Found> {
  try {
    const session = await openSession(captureGraph(), 'wasm', true);
    await session.release();
    return {
      outcome: 'ignored',
      detail: 'A session was made with it, and there is no GPU work here that it could record.',
    };
  } catch (error) {
    return { outcome: 'refused', detail: messageOf(error) };
  }
}

/** What the steps of both sessions say. The first of the captured ones is the recording. */
export function judge(plain: readonly Seen[], captured: readonly Seen[]): Found {
  const replays = captured.slice(1);
  const recorded = replays.find(({ bindGroups, dispatches }) => bindGroups > 0 || dispatches === 0);
  if (recorded !== undefined || replays.length === 0) {
    const { bindGroups, dispatches } = recorded ?? { bindGroups: 0, dispatches: 0 };
    return {
      outcome: 'ignored',
      detail: `A later run made ${bindGroups} bind groups for ${dispatches} dispatches: nothing was replayed.`,
    };
  }
  const differences = captured.map(({ y }, step) =>
    relativeDifference(y, plain[step]?.y ?? new Float32Array()),
  );
  const difference = Math.max(...differences);
  const shown = difference === 0 ? '0' : difference.toExponential(2);
  const runs = `${replays.length} later runs of a graph of one attention layer made no bind group for ${replays[0]?.dispatches ?? 0} dispatches (without it: ${plain.at(-1)?.bindGroups ?? 0} for ${plain.at(-1)?.dispatches ?? 0})`;
  return {
    outcome: difference <= TOLERANCE ? 'works' : 'wrong',
    detail: `${runs}; the largest difference of what they gave is ${shown} of the largest value.`,
  };
}

/** Whether the model that was measured could be captured too: its session is made, and released again. */
async function ofModel(files: ModelFiles): Promise<string> {
  const graph = [...files].find(([name]) => name.endsWith('.onnx'))?.[1];
  if (!(graph instanceof Uint8Array) || graph.length > MODEL_LIMIT_BYTES) return '';
  try {
    const session = await openSession(graph, 'webgpu', true);
    await session.release();
    return 'A session of the model that was measured can be made with it.';
  } catch (error) {
    return `For the model that was measured it is refused: ${messageOf(error)}`;
  }
}

function openSession(graph: Uint8Array, backend: Device, capture: boolean): Promise<InferenceSession> {
  return InferenceSession.create(graph, {
    enableGraphCapture: capture,
    // As an object: ONNX Runtime does not look at the option for a provider that is only named.
    executionProviders: [{ name: backend }],
    // The refusal is thrown as well; the console needs no second copy.
    logSeverityLevel: 4,
    ...(backend === 'webgpu' ? { preferredOutputLocation: 'gpu-buffer' as const } : {}),
  });
}

/** The same decode steps with other numbers each time, over one preallocated cache. */
async function decodeSteps(device: GPUDevice, capture: boolean): Promise<Seen[]> {
  const session = await openSession(captureGraph(), 'webgpu', capture);
  const buffers: GPUBuffer[] = [];
  const bound = (bytes: number, type: 'float32' | 'int32', dims: readonly number[]) => {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = device.createBuffer({ size: Math.max(16, bytes), usage });
    buffers.push(buffer);
    return { buffer, tensor: Tensor.fromGpuBuffer(buffer, { dataType: type, dims }) };
  };
  try {
    const x = bound(WIDTH * 4, 'float32', [1, 1, WIDTH]);
    const y = bound(WIDTH * 4, 'float32', [1, 1, WIDTH]);
    const cacheDims = [1, PROBE.kvHeads, PROBE.room, PROBE.headDim];
    const cacheBytes = PROBE.kvHeads * PROBE.room * PROBE.headDim * 4;
    const key = bound(cacheBytes, 'float32', cacheDims).tensor;
    const value = bound(cacheBytes, 'float32', cacheDims).tensor;
    const [last, total] = [bound(4, 'int32', [1]), bound(4, 'int32', [1])];
    const fetches = { y: y.tensor, 'present.key': key, 'present.value': value };
    const seen: Seen[] = [];
    for (let step = 0; step < STEPS; step++) {
      device.queue.writeBuffer(
        x.buffer,
        0,
        Float32Array.from({ length: WIDTH }, (_, at) => Math.sin(at + step)),
      );
      device.queue.writeBuffer(last.buffer, 0, Int32Array.of(step));
      device.queue.writeBuffer(total.buffer, 0, Int32Array.of(step + 1));
      // Without capture ONNX Runtime reads the lengths on the CPU.
      const lengths = capture
        ? { last: last.tensor, total: total.tensor }
        : { last: int32(step), total: int32(step + 1) };
      const stop = countGpuCalls();
      let calls: GpuCalls;
      try {
        await session.run({ x: x.tensor, 'past.key': key, 'past.value': value, ...lengths }, fetches);
      } finally {
        calls = stop();
      }
      const bytes = await readBuffer(device, y.buffer, WIDTH * 4);
      seen.push({ ...calls, y: new Float32Array(bytes.buffer) });
    }
    return seen;
  } finally {
    await session.release();
    for (const buffer of buffers) buffer.destroy();
  }
}

function int32(value: number): Tensor {
  return new Tensor('int32', Int32Array.of(value), [1]);
}
