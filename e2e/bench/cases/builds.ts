/** Case `builds`: ONNX Runtime's JSPI build against its asyncify build, at a cold start and in a decode step. */
import { join } from 'node:path';
import { ROOT } from '../../support/site';
import { decodeIn, needAdapter, withPage } from '../bench-page';
import { alternately, median, pairedRatio, rowOf, SHORT_RUNS } from '../repeat';
import type { BenchCase, BenchContext } from '../types';
import { weigh } from '../weight';

const BUILDS = ['jspi', 'asyncify'] as const;
type Build = (typeof BUILDS)[number];

const MODEL = 'tiny';
const SIZES = {
  full: { tokens: 64, promptTokens: 128, steps: 32, turns: SHORT_RUNS },
  quick: { tokens: 8, promptTokens: 16, steps: 4, turns: 1 },
};

export const buildsCase: BenchCase = {
  id: 'builds',
  title: 'ONNX Runtime’s JSPI build against its asyncify build',
  async run(context) {
    const { tokens, promptTokens, steps, turns } = context.quick ? SIZES.quick : SIZES.full;
    const here = await withPage(context, async (page) => {
      await needAdapter(page);
      return page.evaluate(() => window.bench.build());
    });
    if (here !== 'jspi') throw new Error('the browser has no JSPI, so there is only the asyncify build');

    const [jspiStarts = [], asyncifyStarts = []] = await alternately(
      BUILDS.map((build) => () => coldStart(context, build, tokens)),
      turns,
      { warmUp: false },
    );
    context.log(
      `builds: cold start ${median(jspiStarts).toFixed(0)} ms, asyncify ${median(asyncifyStarts).toFixed(0)} ms`,
    );
    const [jspiSteps = [], asyncifySteps = []] = await withPage(context, async (page) => {
      const task = { model: MODEL, device: 'webgpu' as const, promptTokens, steps, seed: 0 };
      const sides = BUILDS.map((build) => decodeIn(page, task, { by: 'lab', policy: 'dynamic', build }));
      const found = await alternately(sides, turns);
      return found.map((runs) => runs.map(({ msPerStep }) => msPerStep));
    });
    context.log(
      `builds: a step ${median(jspiSteps).toFixed(1)} ms, asyncify ${median(asyncifySteps).toFixed(1)} ms`,
    );
    const [jspi, asyncify] = [await weightOf('jspi'), await weightOf('asyncify')];
    return {
      rows: [
        rowOf('JSPI: from the worker’s start to the first cell', 'ms', jspiStarts),
        rowOf('asyncify: from the worker’s start to the first cell', 'ms', asyncifyStarts),
        rowOf('JSPI: a decode step', 'ms', jspiSteps),
        rowOf('asyncify: a decode step', 'ms', asyncifySteps),
        rowOf('JSPI: WASM, raw', 'bytes', [jspi.raw]),
        rowOf('asyncify: WASM, raw', 'bytes', [asyncify.raw]),
        rowOf('JSPI: WASM, brotli', 'bytes', [jspi.brotli]),
        rowOf('asyncify: WASM, brotli', 'bytes', [asyncify.brotli]),
      ],
      ratios: [
        {
          name: 'jspiOverAsyncify',
          value: pairedRatio(jspiStarts, asyncifyStarts).value,
          meaning:
            'time from the start of the measuring worker to the first cell, in a fresh browser, with the JSPI build / with the asyncify build; below 1: JSPI is faster',
        },
        {
          name: 'jspiOverAsyncifyStep',
          value: pairedRatio(jspiSteps, asyncifySteps).value,
          meaning: 'time of a decode step, the same; below 1: JSPI is faster',
        },
        {
          name: 'jspiOverAsyncifyBytes',
          value: jspi.brotli / asyncify.brotli,
          meaning: 'bytes of the WASM (brotli), the same',
        },
      ],
      goals: [],
      checks: [],
      notMeasured: [],
      notes: [
        `${MODEL}, float32, WebGPU, the product’s measuring worker, in which the asyncify build is had by hiding JSPI, as in a browser without it. Cold starts: ${tokens} tokens, a fresh browser for each, files from this machine, so that the fewer bytes count for nothing in the time. Steps: ${promptTokens} tokens of prompt, ${steps} steps a turn of which the first is not counted, ${turns} turns each after one that is not counted.`,
      ],
    };
  },
};

/** Milliseconds from the start of a measuring worker to its first cell, in a browser of its own. */
function coldStart(context: BenchContext, build: Build, tokens: number): Promise<number> {
  return withPage(context, async (page) => {
    const recipe = { experiment: 'length' as const, model: [MODEL], tokens: [tokens] };
    const { firstCellMs } = await page.evaluate(([what, which]) => window.bench.runInLab(what, which), [
      recipe,
      build,
    ] as const);
    if (firstCellMs === null) throw new Error('the product measured no cell');
    return firstCellMs;
  });
}

function weightOf(build: Build): ReturnType<typeof weigh> {
  return weigh(join(ROOT, `node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.${build}.wasm`));
}
