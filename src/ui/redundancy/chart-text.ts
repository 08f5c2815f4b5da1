/** The words of the chart of R² by pair. Pure. */
import type { RedundancyChartText } from '../../charts/redundancy-chart';
import type { Split } from '../../redundancy/types';
import { r2Text } from './numbers';
import type { RedundancyTranslate } from './words';

export function redundancyChartText(split: Split, tr: RedundancyTranslate): RedundancyChartText {
  return {
    pairAxis: tr('red.chart.axis'),
    valueAxis: tr(split === 'halves' ? 'red.chart.valueHalves' : 'red.chart.value'),
    line: (kind, shuffled) => (shuffled ? tr('red.chart.shuffled', { kind }) : kind),
    notAdjacent: tr('red.chart.notAdjacent'),
    range: (mean, min, max) =>
      min === null || max === null
        ? r2Text(mean, 3, tr)
        : tr('red.chart.range', {
            mean: r2Text(mean, 3, tr),
            min: r2Text(min, 3, tr),
            max: r2Text(max, 3, tr),
          }),
  };
}
