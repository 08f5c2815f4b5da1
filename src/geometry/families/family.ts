/** What a family of models is to the reader: the model_types it answers to, and how its layers' entries are read. */
import type { LayerCache } from '../geometry';
import type { ConfigReader } from '../reader';
import type { Shape } from '../shape';

/** The shape of the model with its layers' entries; `kvHeads` and `headDim` are 0 where no layer keeps keys. */
export interface Body extends Shape {
  caches: LayerCache[];
}

export interface Family {
  /** `model_type` of the text decoder's config, each as config.json writes it. */
  types: readonly string[];
  /** @throws GeometryError naming the field that is missing or impossible. */
  read(reader: ConfigReader): Body;
}
