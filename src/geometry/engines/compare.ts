/** The engines side by side: what each keeps of one geometry, and how much more than the ideal. */
import type { Geometry } from '../geometry';
import { attempt } from './attempt';
import type { EngineBytes, EngineId, EngineOptions } from './engine';
import { engineBytes, ENGINES } from './index';

export interface EngineRow {
  engine: EngineId;
  name: string;
  /** Null where the engine cannot hold it; `refusal` then says why. */
  size: EngineBytes | null;
  refusal: string | null;
  /** Bytes over all GPUs / bytes of the ideal cache; null where either has none. */
  ratio: number | null;
}

/**
 * A row for every engine, ideal first, with the same options.
 * @throws RangeError when the options are out of range for the ideal cache too.
 */
export function compareEngines(geometry: Geometry, options: EngineOptions): EngineRow[] {
  const ideal = engineBytes(geometry, 'ideal', options).bytes;
  return ENGINES.map(({ id, name }): EngineRow => {
    const { value: size, refusal } = attempt(() => engineBytes(geometry, id, options));
    const ratio = size === null || ideal === 0 ? null : size.bytesAllGpus / ideal;
    return { engine: id, name, size, refusal, ratio };
  });
}
