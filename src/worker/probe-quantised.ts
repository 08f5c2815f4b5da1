/** Asks ONNX Runtime, by trying it, whether it keeps a quantised cache on the backend at hand: nothing here goes by a version or a list. */
import { faultOf } from './fault-of';
import type { GpuWatch } from './gpu-watch';
import { itemSize, rowBytesOf } from './ledger';
import { loadSubject } from './load-subject';
import { KV_TENSOR } from './prefill';
import type { KvCache, LoadedModel, Runtime } from './runtime-types';
import type { Subject } from './subject';
import { quantisedRows } from '../experiments/quantised';
import { cutLayers } from '../model/cut-layers';
import { buildModelFiles } from '../model/twin';
import { isWeightDtype } from '../model/weight-dtypes';
import { LabError } from '../protocol/faults';
import type { Pass } from '../protocol/messages';

const PROMPT = [1, 5, 9, 33, 65, 77, 12, 200];
const NEXT = 3;
const TOKENS = PROMPT.length + 1;

/**
 * Runs a prompt and a decode step on a graph of the model's first layer, and looks at the rows of the cache that come out.
 * @returns What ran and how its cache lies in memory, as a note for the record.
 * @throws LabError quantised-not-offered; what says that the device was lost or the runtime could not be loaded at all.
 */
export async function probeQuantised(
  runtime: Runtime,
  gpu: GpuWatch,
  pass: Pass,
  subject: Subject,
): Promise<string> {
  try {
    const model = await loadSubject(runtime, gpu, pass, { ...subject, files: oneLayer(pass, subject) });
    try {
      const cache = model.emptyCache();
      try {
        await gpu.guard(model.forward([PROMPT], 0, cache));
        await gpu.guard(model.forward([[NEXT]], PROMPT.length, cache));
        requireRows(pass, subject, cache);
      } finally {
        await cache.dispose();
      }
    } finally {
      await close(gpu, model);
    }
  } catch (error) {
    const fault = faultOf(error, pass, gpu);
    const notOffered = fault.code === 'run-failed' || fault.code === 'model-load-failed';
    if (!notOffered) throw error;
    const params = { backend: pass.device, detail: String(fault.params['detail']) };
    throw new LabError('quantised-not-offered', params, fault.detail);
  }
  return layoutNote(pass, subject);
}

/** ONNX Runtime closes its device with its last session. */
async function close(gpu: GpuWatch, model: LoadedModel): Promise<void> {
  gpu.expectClose();
  if (gpu.fault === null) await model.release().catch(() => undefined);
}

function oneLayer({ dtype, seed, bits, device }: Pass, { geometry }: Subject): Subject['files'] {
  if (!isWeightDtype(dtype)) throw new Error(`a graph of dtype ${dtype} is not built here`);
  const spec = { source: 'twin', geometry: cutLayers(geometry, 1), config: null } as const;
  return buildModelFiles(spec, dtype, seed, TOKENS, { bits: bits === '8' ? 8 : 4, backend: device });
}

/** The rows that came out: an option that had no effect leaves them as long as floats are. */
function requireRows(pass: Pass, { kept, cacheType }: Subject, cache: KvCache): void {
  const expected = kept.caches[0]?.keyDim;
  for (const [name, tensor] of cache.tensors()) {
    if (!KV_TENSOR.test(name)) continue;
    const { type, dims } = tensor;
    if (rowBytesOf(tensor) === expected && type === cacheType && dims.at(-2) === TOKENS) continue;
    const found = `${name} came out as ${type} [${dims.join(', ')}], rows of ${rowBytesOf(tensor)} bytes`;
    throw new Error(`${found}; ${pass.bits} bits take ${String(expected)}, after ${TOKENS} tokens`);
  }
  if (cache.tensors().size === 0) throw new Error('the graph gave no cache');
}

function layoutNote(pass: Pass, { geometry, kept, cacheType, quantised }: Subject): string {
  const rows = quantisedRows(pass);
  const [dim, bytes] = [geometry.headDim, kept.headDim];
  const tried = `Quantised cache, ${pass.bits} bits: a graph of one layer was run first, and its cache had such rows. One row is one head’s keys or values of one token.`;
  const type = cacheType ?? '';
  const elements = type === '' ? bytes : bytes / itemSize(type);
  if (rows !== null && rows.scaleBytes > 0)
    return `${tried} It takes ${bytes} bytes: a scale of ${rows.scaleBytes} bytes and ${dim} packed elements, in a ${type} tensor of ${elements} a row. The scales are part of the cache’s bytes.`;
  const beside = (quantised?.scaleBytesBeside ?? 0).toLocaleString('en-US');
  return `${tried} It takes ${bytes} bytes: ${dim} elements in an ${type} tensor of ${elements} a row. The scales, one float32 for the keys and one for the values of a layer, are constants of the graph: ${beside} bytes that are not part of the cache’s.`;
}
