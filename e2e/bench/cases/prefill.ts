/** Case `prefill`: the most that the device holds while a long prompt is fed, in the product's chunks and in one piece. */
import { needAdapter, withPage } from '../bench-page';
import { inTurns, median, rowOf, SHORT_RUNS } from '../repeat';
import type { BenchCase, BenchContext } from '../types';

const SIZES = { full: { tokens: 2048 }, quick: { tokens: 640 } };
/** With all its query heads, unlike a twin: what attention needs while it works grows with them. */
const MODEL = 'tiny';

export const prefillCase: BenchCase = {
  id: 'prefill',
  title: 'Peak device bytes of a prefill, in chunks and in one piece',
  async run(context) {
    const { tokens } = context.quick ? SIZES.quick : SIZES.full;
    const chunked: Prefill[] = [];
    const whole: Prefill[] = [];
    const side = (name: string, chunk: number, runs: Prefill[]) => async () => {
      const run = await prefillOnce(context, tokens, chunk);
      context.log(`prefill ${name}: ${run.peakBytes} bytes, ${run.seconds.toFixed(1)} s`);
      runs.push(run);
      return run.seconds;
    };
    // A chunk of 0 is the product's own choice.
    await inTurns(
      [side('in chunks', 0, chunked), side('in one piece', tokens, whole)],
      context.quick ? 1 : SHORT_RUNS,
    );
    const peaks = (runs: readonly Prefill[]): number[] => runs.map(({ peakBytes }) => peakBytes);
    const seconds = (runs: readonly Prefill[]): number[] => runs.map((run) => run.seconds);
    return {
      rows: [
        rowOf('in chunks: peak device bytes', 'bytes', peaks(chunked)),
        rowOf('in one piece: peak device bytes', 'bytes', peaks(whole)),
        rowOf('in chunks: seconds', 's', seconds(chunked)),
        rowOf('in one piece: seconds', 's', seconds(whole)),
      ],
      ratios: [
        {
          name: 'chunkedPeakOverWhole',
          value: median(peaks(chunked)) / median(peaks(whole)),
          meaning: `peak device bytes of a prefill of ${tokens} tokens in chunks / in one piece; below 1: chunks need less`,
        },
        {
          name: 'chunkedTimeOverWhole',
          value: median(seconds(chunked)) / median(seconds(whole)),
          meaning: 'seconds of the same prefills, shaders compiled meanwhile; below 1: chunks are faster',
        },
      ],
      goals: [
        {
          what: 'chunkedPeakOverWhole',
          goal: 'below 1',
          met: median(peaks(chunked)) < median(peaks(whole)),
        },
      ],
      checks: [
        {
          name: 'tensor bytes alike',
          pass: new Set([...chunked, ...whole].map(({ tensorBytes }) => tensorBytes)).size === 1,
          detail: `cache of ${chunked[0]?.tensorBytes ?? 0} bytes`,
        },
      ],
      notMeasured: [],
      notes: [
        `${MODEL}, float32, one sequence, ${tokens} tokens, a fresh browser for each run; the product’s measuring worker, which counts all live GPU buffers of its device: weights, cache, activations and ONNX Runtime’s pool.`,
        'Chunks are as large as the product chooses by itself.',
        'Bytes are counted and not timed: they follow from the order of the allocations, so that one run (where a run takes over 20 s) says it; all runs are in the table.',
      ],
    };
  },
};

interface Prefill {
  peakBytes: number;
  tensorBytes: number;
  seconds: number;
}

/** @throws Error where there is no adapter, or the product measured no peak. */
function prefillOnce(context: BenchContext, tokens: number, chunk: number): Promise<Prefill> {
  return withPage(context, async (page) => {
    await needAdapter(page);
    const { cells } = await page.evaluate((recipe) => window.bench.runInLab(recipe), {
      experiment: 'length' as const,
      model: [MODEL],
      tokens: [tokens],
      chunk,
    });
    const [cell] = cells;
    const peakBytes = cell?.deviceBytes.peak ?? null;
    if (cell === undefined || peakBytes === null) throw new Error('the product measured no peak');
    return { peakBytes, tensorBytes: cell.tensorBytes, seconds: (cell.prefillMs ?? NaN) / 1000 };
  });
}
