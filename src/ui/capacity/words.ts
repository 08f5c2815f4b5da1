/** The translating function of the planner: its own texts, and those of kinds of cache and derivations. */
import type { PartKey, TextKey, TextParams } from '../../i18n';

/** Parts whose texts the planner is loaded with. */
export type CapacityTexts = 'capacity' | 'architecture' | 'input';

export type CapacityTranslate = (key: TextKey | PartKey<CapacityTexts>, params?: TextParams) => string;
