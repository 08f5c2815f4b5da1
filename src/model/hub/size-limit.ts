/** What ONNX Runtime Web cannot load at all, told before a download. */
import type { Fault } from '../../protocol/faults';
import type { HubFile } from './listing';
import { isModelFile } from './variants';

/** A protobuf message has at most 2 GiB less a byte (its encoding counts bytes in an int32). */
export const GRAPH_LIMIT_BYTES = 2 ** 31 - 1;
/** WASM memory has 32-bit addresses: 4 GiB, of which ONNX Runtime's own heap and stacks need some. */
export const MODEL_LIMIT_BYTES = 2 ** 32 - 256 * 2 ** 20;

/** The fault of files that are too large to load; null when they fit or their sizes are not known. */
export function sizeFault(files: readonly HubFile[]): Fault | null {
  const models = files.filter(({ path }) => isModelFile(path));
  const graph = models.find(({ path, bytes }) => path.endsWith('.onnx') && (bytes ?? 0) > GRAPH_LIMIT_BYTES);
  if (graph) {
    const params = { file: graph.path, bytes: graph.bytes ?? 0, limit: GRAPH_LIMIT_BYTES };
    return { code: 'model-file-too-large', params };
  }
  const bytes = models.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  if (bytes <= MODEL_LIMIT_BYTES) return null;
  return { code: 'model-too-large', params: { bytes, limit: MODEL_LIMIT_BYTES } };
}
