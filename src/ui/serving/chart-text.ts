/** The pictures of the serving report: what they are drawn from, and their words. Pure. */
import type {
  PoolPart,
  ServingBar,
  ServingBarsText,
  ServingLine,
  ServingLinesText,
} from '../../charts/serving-chart';
import type { ServingResult } from '../../protocol/serving';
import { meansOf, percent } from './numbers';
import type { ServingTranslate, ServingWords } from './words';

/** Signs of the parts of a pool, in words and bars. */
const SIGNS: Readonly<Record<PoolPart, string>> = { used: '①', reserved: '②', wasted: '③', free: '④' };

/** Whole percents: in a bar there is no room for more. */
function wholePercent(tr: ServingTranslate, share: number): string {
  return tr('serving.percent', { share: (100 * share).toFixed(0) });
}

export function servingBars(result: ServingResult, tr: ServingTranslate): ServingBar[] {
  return meansOf(result).map(({ system, shares }) => ({
    // Two lines: a name in one would leave a phone no room for the bars.
    name: halves(tr(`serving.system.${system}`)),
    shares,
  }));
}

export function servingBarsText(tr: ServingTranslate): ServingBarsText {
  return {
    axis: tr('serving.chart.shares.axis'),
    part: (part) => tr(`serving.part.${part}`),
    sign: (part) => SIGNS[part],
    percent: (share) => wholePercent(tr, share),
  };
}

export function servingLines({ runs }: ServingResult): ServingLine[] {
  return runs.map(({ system, poolBytes, samples }) => ({
    system,
    points: samples.map(({ step, usedBytes }) => ({ x: step, y: usedBytes / poolBytes })),
  }));
}

export function servingLinesText({ tr, int }: ServingWords): ServingLinesText {
  return {
    steps: tr('serving.chart.time.axis'),
    share: tr('serving.chart.time.share'),
    name: (system) => tr(`serving.system.${system}`),
    percent: (share) => tr('serving.percent', { share: percent(share).replace(/\.0$/, '') }),
    formatInteger: int,
  };
}

/** A text in two lines, broken at the space nearest to its middle. */
export function halves(text: string): string[] {
  const spaces = Array.from(text.matchAll(/ /g), ({ index }) => index);
  const off = (at: number): number => Math.abs(at - text.length / 2);
  const [at] = spaces.sort((a, b) => off(a) - off(b));
  return at === undefined ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
