/** Case `ledger`: what counting the cache's bytes at every step costs, against the bare transformers.js loop. */
import { decodeIn, withPage } from '../bench-page';
import { alternately, median, pairedRatio, rowOf } from '../repeat';
import type { BenchCase } from '../types';

const TURNS = { full: 7, quick: 1 };
const PROMPT_TOKENS = 128;
const STEPS = { full: 48, quick: 4 };
const MODEL = 'tiny';
const GOAL = 1.02;

export const ledgerCase: BenchCase = {
  id: 'ledger',
  title: 'Our decode loop with the ledger on, against the bare loop of transformers.js',
  run: (context) =>
    withPage(context, async (page) => {
      const size = context.quick ? 'quick' : 'full';
      const [turns, steps] = [TURNS[size], STEPS[size]];
      const build = await page.evaluate(() => window.bench.build());
      const adapter = await page.evaluate(() => window.bench.adapter());
      const device = adapter === null ? ('wasm' as const) : ('webgpu' as const);
      const task = { model: MODEL, device, promptTokens: PROMPT_TOKENS, steps, seed: 0 };
      const runs = await alternately(
        [
          decodeIn(page, task, { by: 'lab', policy: 'dynamic', build }),
          decodeIn(page, task, { by: 'forward', build }),
        ],
        turns,
      );
      const [ours = [], bare = []] = runs.map((side) => side.map(({ msPerStep }) => msPerStep));
      context.log(`ledger: ${median(ours).toFixed(1)} ms a step, bare ${median(bare).toFixed(1)} ms`);
      const { value, runs: ratios } = pairedRatio(ours, bare);
      return {
        rows: [
          rowOf(`our loop, a step (${device})`, 'ms', ours),
          rowOf(`bare loop, a step (${device})`, 'ms', bare),
          rowOf('our loop / bare loop, by turn', '', ratios),
        ],
        ratios: [
          {
            name: 'ledgerOverhead',
            value,
            meaning:
              'time of a step of ours, counted and reported / time of a bare step, the median of the turns; 1: counting costs nothing',
          },
        ],
        goals: [{ what: 'ledgerOverhead', goal: `at most ${GOAL}`, met: value <= GOAL }],
        checks: [],
        notMeasured: [],
        notes: [
          `${MODEL}, float32, ${PROMPT_TOKENS} tokens of prompt, ${steps} steps a turn of which the first is not counted; ${turns} turns each, in which each goes first every other time, in two workers of one page; a turn more before them compiles the shaders. Both load the model anew for every turn, and the same build of ONNX Runtime (${build}).`,
          'Ours is the product’s measuring worker, timed where it posts the report of each step; the bare loop times itself. Both open the device without subgroups where those have fewer than 8 lanes.',
        ],
      };
    }),
};
