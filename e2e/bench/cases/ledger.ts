/** Case `ledger`: what counting the cache's bytes at every step costs, against the bare transformers.js loop. */
import type {} from '../page/main';
import { median, rowOf } from '../repeat';
import type { BenchCase } from '../types';

const TURNS = 5;
const PROMPT_TOKENS = 128;
const STEPS = 64;
const MODEL = 'tiny';
const GOAL = 1.02;

export const ledgerCase: BenchCase = {
  id: 'ledger',
  title: 'Our decode loop with the ledger on, against the bare loop of transformers.js',
  async run({ openPage, log }) {
    const bench = await openPage();
    try {
      const adapter = await bench.page.evaluate(() => window.bench.adapter());
      const device = adapter === null ? ('wasm' as const) : ('webgpu' as const);
      const task = { model: MODEL, device, promptTokens: PROMPT_TOKENS, steps: STEPS, seed: 0 };
      const { ours, bare } = await bench.page.evaluate(
        ([what, turns]) => window.bench.decodeInTurns(what, turns),
        [task, TURNS] as const,
      );
      log(`ledger: ${median(ours).toFixed(1)} ms a step, bare ${median(bare).toFixed(1)} ms`);
      const value = median(ours) / median(bare);
      return {
        rows: [
          rowOf(`our loop, a step (${device})`, 'ms', ours),
          rowOf(`bare loop, a step (${device})`, 'ms', bare),
        ],
        ratios: [
          {
            name: 'ledgerOverhead',
            value,
            meaning:
              'time of a step of ours, counted and reported / time of a bare step; 1: counting costs nothing',
          },
        ],
        goals: [{ what: 'ledgerOverhead', goal: `at most ${GOAL}`, met: value <= GOAL }],
        checks: [],
        notMeasured: [],
        notes: [
          `${MODEL}, float32, ${PROMPT_TOKENS} tokens of prompt, ${STEPS} steps a turn of which the first is not counted; ${TURNS} turns each, in turns in which each goes first every other time, in two workers of one page; a turn more before them compiles the shaders.`,
          'Ours is the product’s measuring worker, timed where it posts the report of each step; the bare loop times itself. Both open the device without subgroups where those have fewer than 8 lanes.',
        ],
      };
    } finally {
      await bench.close();
    }
  },
};
