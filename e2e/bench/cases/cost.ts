/** Case `cost`: what a cell costs, against its tokens and its batch, with the exponents of both. */
import { needAdapter, withPage } from '../bench-page';
import { fitPowerLaw } from '../fit';
import { alternately, median, rowOf, SHORT_RUNS } from '../repeat';
import type { BenchCase } from '../types';

const SIZES = {
  full: { tokens: [128, 256, 512, 1024], batches: [1, 2, 4, 8], batchTokens: 256, turns: SHORT_RUNS },
  quick: { tokens: [8, 16, 32], batches: [1, 2, 4], batchTokens: 16, turns: 1 },
};
const MODEL = 'tiny';

interface Point {
  tokens: number;
  batch: number;
  /** Milliseconds of a prefill, one a turn. */
  runs: number[];
}

export const costCase: BenchCase = {
  id: 'cost',
  title: 'Cost of a cell against tokens and batch',
  run: (context) =>
    withPage(context, async (page) => {
      await needAdapter(page);
      const { tokens, batches, batchTokens, turns } = context.quick ? SIZES.quick : SIZES.full;
      const sizes = [
        ...tokens.map((count) => ({ tokens: count, batch: 1 })),
        // One sequence of that length is among those before.
        ...batches.filter((batch) => batch > 1).map((batch) => ({ tokens: batchTokens, batch })),
      ];
      const most = Math.max(...tokens);
      const runs = await alternately(
        sizes.map(
          (size) => () =>
            page.evaluate((task) => window.bench.prefillMs(task), { ...size, model: MODEL, most, seed: 0 }),
        ),
        turns,
      );
      const points = sizes.map((size, i): Point => ({ ...size, runs: runs[i] ?? [] }));
      const byTokens = fitOf(
        'tokens',
        points.filter(({ batch }) => batch === 1),
      );
      const byBatch = fitOf(
        'batch',
        points.filter((point) => point.tokens === batchTokens),
      );
      context.log(`cost: ${byTokens.said}; ${byBatch.said}`);
      return {
        rows: points.map((point) =>
          rowOf(`prefill of ${point.batch} x ${point.tokens} tokens`, 'ms', point.runs),
        ),
        ratios: [
          {
            name: 'costExponentTokens',
            value: byTokens.exponent,
            meaning: `exponent of the time of a prefill against its tokens, one sequence, ${byTokens.over}; R² of the fit ${byTokens.r2.toFixed(4)}`,
          },
          {
            name: 'costExponentBatch',
            value: byBatch.exponent,
            meaning: `exponent of the time of a prefill against its sequences, ${batchTokens} tokens each, ${byBatch.over}; R² of the fit ${byBatch.r2.toFixed(4)}`,
          },
        ],
        goals: [],
        checks: [],
        notMeasured: [],
        notes: [
          `${MODEL}, float32, WebGPU; the product’s own prefill in a worker that keeps its model, each size once unseen and then ${turns} times, in turns. One sequence is fed in the product’s chunks, several in one piece, as in the product.`,
          `The exponents are least squares in log-log through the medians: ${byTokens.said}; ${byBatch.said}.`,
          'Theory says between 1 (weights and overhead decide) and 2 (attention decides) for the tokens, and at most 1 for the batch; a part that is the same at every size pulls both down.',
        ],
      };
    }),
};

/** A fit through the medians of points, in numbers and in words. @throws RangeError for fewer than three points. */
function fitOf(
  axis: 'tokens' | 'batch',
  points: readonly Point[],
): { exponent: number; r2: number; over: string; said: string } {
  const fit = fitPowerLaw(points.map((point) => ({ x: point[axis], y: median(point.runs) })));
  const over = `at ${points.map((point) => point[axis]).join(', ')}`;
  return {
    ...fit,
    over,
    said: `time grows as ${axis}^${fit.exponent.toFixed(2)} ${over} (R² ${fit.r2.toFixed(4)})`,
  };
}
