/** The geometry that a pass's cache has: the model's own, or the same with its keys and values in rows of integers. */
import type { Geometry } from '../geometry/geometry';
import { quantisedGeometry, type QuantisedRows } from '../geometry/quantised';
import type { Pass } from '../protocol/messages';

/** What decides how keys and values are kept. */
export type KeptAs = Pick<Pass, 'policy' | 'bits' | 'device'>;

/** WebGPU has a float32 scale in each row, WASM has its scales in the graph. */
const SCALE_BYTES = { webgpu: 4, wasm: 0 } as const;

/** How a quantised pass keeps a row; null where the cache has floats. */
export function quantisedRows({ policy, bits, device }: KeptAs): QuantisedRows | null {
  if (policy !== 'quantised') return null;
  return { bits: bits === '8' ? 8 : 4, scaleBytes: SCALE_BYTES[device] };
}

/** The geometry whose formula a pass's cache has to match. */
export function keptGeometry(geometry: Geometry, pass: KeptAs): Geometry {
  const rows = quantisedRows(pass);
  return rows === null ? geometry : quantisedGeometry(geometry, rows);
}
