/** The words of the chart of R² by pair. Pure. */
import type { RedundancyChartText } from '../../charts/redundancy-chart';
import type { Split } from '../../redundancy/types';
import { places } from './numbers';
import type { RedundancyTranslate } from './words';

export function redundancyChartText(split: Split, tr: RedundancyTranslate): RedundancyChartText {
  return {
    pairAxis: tr('red.chart.axis'),
    valueAxis: tr(split === 'halves' ? 'red.chart.valueHalves' : 'red.chart.value'),
    line: (kind, shuffled) => (shuffled ? tr('red.chart.shuffled', { kind }) : kind),
    notAdjacent: tr('red.chart.notAdjacent'),
    range: (mean, min, max) =>
      min === null || max === null
        ? places(mean, 3)
        : tr('red.chart.range', { mean: places(mean, 3), min: places(min, 3), max: places(max, 3) }),
  };
}
