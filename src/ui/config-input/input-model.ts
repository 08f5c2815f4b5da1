/** What every way in of a model ends in: its config, the geometry that was read from it, and where both came from. */
import type { ConfigRepair } from '../../geometry/config-text';
import type { Geometry } from '../../geometry/geometry';
import type { ArchitectureSource } from '../../model/architectures/architecture';
import type { Fault } from '../../protocol/faults';

export type WayIn = 'paste' | 'file' | 'catalogue' | 'hub' | 'hand';

export interface InputModel {
  /** Catalogue or hub id; null when pasted, read from a file or given by hand. */
  id: string | null;
  /** For people. */
  name: string;
  /** The parsed config.json; null for a model given by hand. */
  config: unknown;
  geometry: Geometry;
  /** Bytes of the weights and who says so; null where nobody does. */
  weightBytes: { bytes: number; source: string } | null;
  parameters: number | null;
  /** What had to be overlooked to read the text. */
  repairs: ConfigRepair[];
  from: WayIn;
  /** Public file in which the catalogue read the fields; absent elsewhere. */
  source?: ArchitectureSource;
  /** The hub's commit; absent elsewhere. */
  revision?: string;
}

/** Numbers for the form by hand, as far as a config gave them. */
export interface HandPrefill {
  name: string;
  layers: number | null;
  kvHeads: number | null;
  attentionHeads: number | null;
  headDim: number | null;
}

/** A model, or why there is none, with what could be read all the same. */
export type ReadModel = { model: InputModel } | { fault: Fault; prefill: HandPrefill | null };
