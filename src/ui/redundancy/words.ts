/** The translating function of the redundancy report, and what its sentences are made with. */
import type { PartKey, TextKey, TextParams } from '../../i18n';

/** Parts whose texts the report is loaded with: its own, the reports' common ones, those of copied tables. */
export type RedundancyTexts = 'redundancy' | 'report' | 'architecture';

export type RedundancyTranslate = (key: TextKey | PartKey<RedundancyTexts>, params?: TextParams) => string;

export interface RedundancyWords {
  tr: RedundancyTranslate;
  int: (value: number) => string;
  size: (bytes: number) => string;
}
