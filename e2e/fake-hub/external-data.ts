/** Moves a model's weights out of the ONNX file into a data file beside it, as exports above 2 GB have them. */
import { onnx } from 'onnx-proto';
import { editGraph } from './graph-edit';

/** Smaller initializers stay inside: exporters leave constants such as shapes and axes there. */
const SMALLEST_MOVED = 1024;
/** ONNX recommends page-aligned offsets (onnx.proto, `TensorProto.external_data`). */
const ALIGNMENT = 4096;

/** @param location Name of the data file, relative to the model's folder. */
export function withExternalData(
  file: Uint8Array,
  location: string,
): { model: Uint8Array; data: Uint8Array } {
  const parts: { offset: number; bytes: Uint8Array }[] = [];
  let end = 0;
  const model = editGraph(file, ({ initializers }) => {
    for (const tensor of initializers) {
      const bytes = tensor.rawData;
      if (!bytes || bytes.length < SMALLEST_MOVED) continue;
      const offset = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
      end = offset + bytes.length;
      parts.push({ offset, bytes });
      delete tensor.rawData;
      tensor.dataLocation = onnx.TensorProto.DataLocation.EXTERNAL;
      tensor.externalData = [
        { key: 'location', value: location },
        { key: 'offset', value: String(offset) },
        { key: 'length', value: String(bytes.length) },
      ];
    }
  });
  const data = new Uint8Array(end);
  for (const { offset, bytes } of parts) data.set(bytes, offset);
  return { model, data };
}
