/** The translating function of what is loaded with the texts of a config's results and of the ways in. */
import type { PartKey, TextKey, TextParams } from '../../i18n';

export type InputTranslate = (
  key: TextKey | PartKey<'architecture' | 'input'>,
  params?: TextParams,
) => string;
