/** Case `decode`: the product's loop with a growing and with a preallocated cache against `generate()`, by context. */
import { decodeIn, endWorkers, needAdapter, withPage } from '../bench-page';
import type { DecodeResult } from '../page/loops';
import { alternately, pairedRatio, rowOf } from '../repeat';
import type { BenchCase, BenchCheck, CaseResult } from '../types';

const SIZES = {
  full: {
    model: 'twin:Qwen/Qwen2.5-0.5B-Instruct:layers=6',
    contexts: [128, 512, 1024],
    steps: 16,
    turns: 5,
  },
  quick: { model: 'tiny', contexts: [16, 32], steps: 3, turns: 1 },
};
/** The context at which the goal is set. */
const GOAL_AT = 512;
const GOAL = 1.5;

/** The sides of a context, by the names that the rows have. */
const NAMES = ['generate()', 'dynamic', 'static'] as const;

/** Tokens a second by turn, and what all sides decoded. */
interface AtContext {
  context: number;
  rates: { generate: number[]; dynamic: number[]; static: number[] };
  /** Of the forward passes alone, by the product's own times. */
  forwardRates: { dynamic: number[]; static: number[] };
  check: BenchCheck;
}

export const decodeCase: BenchCase = {
  id: 'decode',
  title: 'Decode rate with a growing and with a preallocated cache, against generate() of transformers.js',
  run: (context) =>
    withPage(context, async (page) => {
      await needAdapter(page);
      const { model, contexts, steps, turns } = context.quick ? SIZES.quick : SIZES.full;
      const build = await page.evaluate(() => window.bench.build());
      const found: AtContext[] = [];
      for (const promptTokens of contexts) {
        const task = { model, device: 'webgpu' as const, promptTokens, steps, seed: 0 };
        const sides = [
          { by: 'generate', build } as const,
          { by: 'lab', policy: 'dynamic', build } as const,
          { by: 'lab', policy: 'static', build } as const,
        ].map((side) => decodeIn(page, task, side));
        const [generate = [], dynamic = [], fixed = []] = await alternately(sides, turns);
        const rates = {
          generate: perSecond(generate),
          dynamic: perSecond(dynamic),
          static: perSecond(fixed),
        };
        found.push({
          context: promptTokens,
          rates,
          forwardRates: { dynamic: forwardPerSecond(dynamic), static: forwardPerSecond(fixed) },
          check: sameTokens(promptTokens, [generate, dynamic, fixed]),
        });
        const say = (runs: number[]): string => runs.map((rate) => rate.toFixed(1)).join(' ');
        context.log(
          `decode at ${promptTokens}: generate ${say(rates.generate)}; dynamic ${say(rates.dynamic)}; static ${say(rates.static)} tokens/s`,
        );
        await endWorkers(page);
      }
      return {
        ...summarise(found),
        notMeasured: [],
        notes: [
          `${model}, float32, one sequence; ${steps} steps a turn of which the first is not counted; ${turns} turns each after one that is not counted, in which each goes first every other time; three workers of one page, all with ONNX Runtime’s ${build} build. Every turn loads the model and feeds the prompt anew.`,
          'The twin’s query heads are as few as its KV heads, so attention costs less than in the real model; the cache has the real model’s size in each layer.',
          'generate(): greedy, max_new_tokens, timed from token to token. Dynamic and static: the product’s measuring worker, timed where it posts the report of each step, so with its counting and, for static, with the rows that it reads back at every step; the rows “forward passes alone” are the times that its records have.',
        ],
      };
    }),
};

function perSecond(runs: readonly DecodeResult[]): number[] {
  return runs.map(({ msPerStep }) => 1000 / msPerStep);
}

function forwardPerSecond(runs: readonly DecodeResult[]): number[] {
  return runs.map(({ forwardMs }) => 1000 / (forwardMs ?? NaN));
}

/** Whether all turns of all sides decoded the same tokens. */
function sameTokens(context: number, sides: readonly DecodeResult[][]): BenchCheck {
  const all = sides.flatMap((runs, side) =>
    runs.map(({ tokens }) => ({ name: NAMES[side] ?? '', text: tokens.join(' ') })),
  );
  const [first] = all;
  const others = all.filter(({ text }) => text !== first?.text).map(({ name }) => name);
  return {
    name: `same tokens at ${context} tokens of context`,
    pass: first !== undefined && others.length === 0,
    detail:
      others.length === 0
        ? `all of ${all.length} runs: ${first?.text ?? ''}`
        : `others than generate(): ${[...new Set(others)].join(', ')}`,
  };
}

function summarise(found: readonly AtContext[]): Omit<CaseResult, 'notMeasured' | 'notes'> {
  const ratiosOf = found.map(({ context, rates }) => ({
    context,
    overGenerate: pairedRatio(rates.static, rates.generate),
    overDynamic: pairedRatio(rates.static, rates.dynamic),
    dynamicOverGenerate: pairedRatio(rates.dynamic, rates.generate),
  }));
  const atGoal = ratiosOf.find(({ context }) => context === GOAL_AT);
  const overGenerate = ratiosOf.map(({ overGenerate: { value } }) => value);
  return {
    rows: found.flatMap(({ context, rates, forwardRates }, i) => [
      rowOf(`generate() at ${context}`, 'tokens/s', rates.generate),
      rowOf(`dynamic at ${context}`, 'tokens/s', rates.dynamic),
      rowOf(`static at ${context}`, 'tokens/s', rates.static),
      rowOf(`dynamic at ${context}, forward passes alone`, 'tokens/s', forwardRates.dynamic),
      rowOf(`static at ${context}, forward passes alone`, 'tokens/s', forwardRates.static),
      rowOf(`static / generate() at ${context}, by turn`, '', ratiosOf[i]?.overGenerate.runs ?? []),
    ]),
    ratios: ratiosOf.flatMap(({ context, ...of }) => [
      {
        name: `staticOverGenerateAt${context}`,
        value: of.overGenerate.value,
        meaning: `decode rate of static / of generate() at ${context} tokens of context; above 1: static is faster`,
      },
      {
        name: `staticOverDynamicAt${context}`,
        value: of.overDynamic.value,
        meaning: `decode rate of static / of dynamic at ${context} tokens of context; above 1: static is faster`,
      },
      {
        name: `dynamicOverGenerateAt${context}`,
        value: of.dynamicOverGenerate.value,
        meaning: `decode rate of dynamic / of generate() at ${context} tokens of context; above 1: our loop is faster`,
      },
    ]),
    goals: [
      ...(atGoal === undefined
        ? []
        : [
            {
              what: `staticOverGenerateAt${GOAL_AT}`,
              goal: `at least ${GOAL}`,
              met: atGoal.overGenerate.value >= GOAL,
            },
          ]),
      {
        what: `static / generate() at ${found.map(({ context }) => context).join(', ')} tokens`,
        goal: 'more the longer the context',
        met: overGenerate.every((value, i) => i === 0 || value > (overGenerate[i - 1] ?? Infinity)),
      },
    ],
    checks: found.map(({ check }) => check),
  };
}
