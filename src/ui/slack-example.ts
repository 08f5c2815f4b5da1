/** The point of a record where buffers exceed their tensors the most, told for one tensor. Pure. */
import { findModel } from '../model/catalog';
import type { LabRecord } from '../protocol/record';

export interface SlackExample {
  model: string;
  tokens: number;
  /** Bytes of one cache tensor, and of the buffer that holds it. */
  tensor: number;
  resident: number;
  /** Cache tensors of the model: a key and a value for each layer. */
  count: number;
}

/** Null when no buffer exceeds its tensor, when nothing was measured, or when the tensors are not alike. */
export function slackExample(record: LabRecord): SlackExample | null {
  const points = [
    ...record.cells,
    ...record.growth.flatMap(({ model, steps }) => steps.map((step) => ({ ...step, model }))),
  ];
  let best: SlackExample | null = null;
  for (const { model, tokens, tensorBytes, residentBytes } of points) {
    const count = 2 * (findModel(model)?.geometry.layers ?? 0);
    if (tensorBytes === null || residentBytes === null || count === 0) continue;
    const [tensor, resident] = [tensorBytes / count, residentBytes / count];
    if (!Number.isInteger(tensor) || !Number.isInteger(resident) || resident <= tensor) continue;
    if (best === null || resident / tensor > best.resident / best.tensor) {
      best = { model, tokens, tensor, resident, count };
    }
  }
  return best;
}
