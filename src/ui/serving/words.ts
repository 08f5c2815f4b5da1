/** The translating function of the serving report, and what its sentences are made with. */
import type { PartKey, TextKey, TextParams } from '../../i18n';

/** Parts whose texts the report is loaded with: its own and the reports' common ones. */
export type ServingTexts = 'serving' | 'report';

export type ServingTranslate = (key: TextKey | PartKey<ServingTexts>, params?: TextParams) => string;

export interface ServingWords {
  tr: ServingTranslate;
  int: (value: number) => string;
}
