/** The words of the charts of the experiment policies. */
import type { PoliciesChartText } from '../../charts/policies-chart';
import { t } from '../../i18n';
import type { Lang } from '../../protocol/recipe';
import { milliseconds } from './words';

export function policiesChartText(lang: Lang): PoliciesChartText {
  return {
    level: (level) => t(lang, `policies.level.${level}`),
    ms: t(lang, 'policies.chart.ms'),
    copied: t(lang, 'policies.chart.copied'),
    context: t(lang, 'policies.chart.context'),
    formatMs: (ms) => milliseconds(ms, lang),
  };
}
