/** All families that are read, by model_type. */
import { ATTENTION } from './attention';
import { ENCODER_DECODER } from './encoder-decoder';
import type { Family } from './family';
import { GEMMA } from './gemma';
import { LOOPED } from './looped';
import { OTHER_CACHES } from './other-caches';
import { REMOTE_CODE } from './remote-code';
import { SLIDING } from './sliding';
import { SPECIAL } from './special-layers';

const FAMILIES: readonly Family[] = [
  ...ATTENTION,
  ...SLIDING,
  ...GEMMA,
  ...SPECIAL,
  ...LOOPED,
  ...ENCODER_DECODER,
  ...OTHER_CACHES,
  ...REMOTE_CODE,
];

const BY_TYPE = new Map(FAMILIES.flatMap((family) => family.types.map((type) => [type, family] as const)));

/** The family of a model_type; null when it is not known here. */
export function familyOf(modelType: string): Family | null {
  return BY_TYPE.get(modelType) ?? null;
}
