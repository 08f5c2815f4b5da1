/** Case `redundancy`: the third article's regressions by the product's solvers, against NumPy on the same data. */
import { array, looseObject, number, object, parse, picklist, string, type InferOutput } from 'valibot';
import { KINDS } from '../../../src/protocol/redundancy';
import type {} from '../page/main';
import { findNumpy, runScript } from '../python';
import { inTurns, median, rowOf, SHORT_RUNS } from '../repeat';
import { ARTICLE_SHAPE, writeData, type DataShape } from '../synthetic';
import type { BenchCase, BenchCheck, BenchContext, CaseResult, Goal } from '../types';

const SEED = 5;
const QUICK_SHAPE: DataShape = { layers: 2, channels: 32, documents: 4, tokens: 96, pairs: [[0, 1]] };
/** How far the R² of two implementations may be apart, and their channel correlations. */
const TOLERANCE = 1e-4;
const GOAL_SECONDS = 60;
const GOAL_BYTES = 2 ** 30;

const PAIR = object({
  kind: picklist(KINDS),
  from: number(),
  to: number(),
  r2: array(number()),
  shuffled: array(number()),
  lambda: array(number()),
  channelCorrelation: number(),
});
const SCRIPT_OUTPUT = looseObject({
  seconds: number(),
  cpuSeconds: number(),
  blas: string(),
  pairs: array(PAIR),
});
type Pair = InferOutput<typeof PAIR>;

/** One implementation, and what its runs gave. */
class Contestant {
  readonly seconds: number[] = [];
  readonly cpuSeconds: number[] = [];
  pairs: Pair[] = [];

  constructor(
    readonly name: string,
    readonly once: () => Promise<{ seconds: number; cpuSeconds: number | null; pairs: Pair[] }>,
  ) {}

  async run(log: BenchContext['log']): Promise<number> {
    const { seconds, cpuSeconds, pairs } = await this.once();
    log(`redundancy: ${this.name}: ${seconds.toFixed(1)} s`);
    this.seconds.push(seconds);
    if (cpuSeconds !== null) this.cpuSeconds.push(cpuSeconds);
    this.pairs = pairs;
    return seconds;
  }

  rows(): CaseResult['rows'] {
    const cpu = this.cpuSeconds.length > 0 ? [rowOf(`${this.name}: CPU seconds`, 's', this.cpuSeconds)] : [];
    return [rowOf(`${this.name}: seconds`, 's', this.seconds), ...cpu];
  }
}

export const redundancyCase: BenchCase = {
  id: 'redundancy',
  title: 'Ridge regressions between layers at the third article’s size',
  async run(context) {
    const shape = context.quick ? QUICK_SHAPE : ARTICLE_SHAPE;
    const { path, file } = await writeData(context.dataFolder, shape, SEED);
    const peakBytes: number[] = [];
    const blas = new Set<string>();
    const script = (name: string) => async () => {
      const { blas: used, ...result } = parse(SCRIPT_OUTPUT, await runScript(name, path));
      blas.add(used);
      return result;
    };
    const ours = new Contestant('KV Cache Lab', () => solveInPage(context, file, peakBytes));
    const article = new Contestant('the article’s NumPy code', script('numpy_article.py'));
    const gram = new Contestant('our algorithm in NumPy', script('numpy_gram.py'));
    const numpy = findNumpy();
    const rivals = numpy.version === null ? [] : [article, gram];
    await inTurns(
      [ours, ...rivals].map((one) => () => one.run(context.log)),
      context.quick ? 1 : SHORT_RUNS,
    );

    const ratioNames = ['redundancyOverNumpyArticle', 'redundancyOverNumpyGram'];
    return {
      rows: [
        ...[ours, ...rivals].flatMap((one) => one.rows()),
        ...(peakBytes.length > 0
          ? [rowOf(`${ours.name}: largest size of its process`, 'bytes', peakBytes)]
          : []),
      ],
      ratios: rivals.map((rival, i) => ({
        name: ratioNames[i] ?? rival.name,
        value: median(ours.seconds) / median(rival.seconds),
        meaning: `seconds of ${ours.name} / seconds of ${rival.name}; below 1: ours is faster`,
      })),
      goals: goalsOf(ours, rivals, peakBytes),
      checks: rivals.map((rival) => agreement(ours, rival, shape)),
      notMeasured: [
        ...(numpy.version === null ? ratioNames.map((what) => ({ what, why: numpy.why })) : []),
        ...(peakBytes.length === 0
          ? [{ what: 'memory and CPU seconds of our side', why: 'this system has no /proc' }]
          : []),
      ],
      notes: [
        describeData(shape),
        'Our seconds run from the jobs to the last result, with the start of the solver workers and of their ONNX Runtime. NumPy’s are taken inside Python, with its default threads, without imports and without loading the data. Runs over 20 s are made once, shorter ones five times, in turns.',
        'The article’s code is given float32, as in the article. Our algorithm in NumPy computes in float64, as we do.',
        'CPU seconds of our side are those of the page’s process from its start, loading the data included; NumPy’s include threads that wait in a loop.',
        'The size of our process is the most that the operating system saw resident (VmHWM) in the page’s process: page, workers, WASM and the data.',
        ...[...blas].map((name) => `BLAS of NumPy: ${name}.`),
      ],
    };
  },
};

/** One run of the product's solvers in a fresh browser. */
async function solveInPage(
  { openPage }: BenchContext,
  file: string,
  peakBytes: number[],
): Promise<{ seconds: number; cpuSeconds: number | null; pairs: Pair[] }> {
  const bench = await openPage();
  try {
    const { seconds, pairs, notes } = await bench.page.evaluate(
      (name) => window.bench.redundancy(name),
      file,
    );
    // Solving without workers or without ONNX Runtime is not what is to be measured.
    if (notes.length > 0) throw new Error(notes.join(' '));
    const usage = bench.usage();
    if (usage !== null) peakBytes.push(usage.peakBytes);
    return {
      seconds,
      cpuSeconds: usage?.cpuSeconds ?? null,
      pairs: pairs.map(({ kind, from, to, r2, shuffled, lambda, channelCorrelation }) => ({
        kind,
        from,
        to,
        r2: r2.perDocument.map((value) => value ?? NaN),
        shuffled: shuffled.perDocument.map((value) => value ?? NaN),
        lambda,
        channelCorrelation: channelCorrelation ?? NaN,
      })),
    };
  } finally {
    await bench.close();
  }
}

function goalsOf(ours: Contestant, [article]: Contestant[], peakBytes: number[]): Goal[] {
  const seconds = median(ours.seconds);
  return [
    { what: 'our seconds', goal: `under ${GOAL_SECONDS}`, met: seconds < GOAL_SECONDS },
    ...(article === undefined
      ? []
      : [{ what: 'redundancyOverNumpyArticle', goal: 'at most 1', met: seconds <= median(article.seconds) }]),
    ...(peakBytes.length === 0
      ? []
      : [{ what: 'size of our process', goal: 'under 1 GiB', met: Math.max(...peakBytes) < GOAL_BYTES }]),
  ];
}

/** Whether two implementations found the same, of every pair of layers. */
function agreement(ours: Contestant, rival: Contestant, shape: DataShape): BenchCheck {
  const key = ({ kind, from, to }: Pair): string => `${kind} ${from} → ${to}`;
  const theirs = new Map(rival.pairs.map((pair) => [key(pair), pair]));
  const expected = KINDS.length * shape.pairs.length;
  const complete = ours.pairs.length === expected && ours.pairs.every((pair) => theirs.has(key(pair)));
  let largest = 0;
  let lambdas = true;
  for (const pair of ours.pairs) {
    const other = theirs.get(key(pair));
    lambdas &&= JSON.stringify(pair.lambda) === JSON.stringify(other?.lambda);
    const numbers = ({ r2, shuffled, channelCorrelation }: Pair): number[] => [
      ...r2,
      ...shuffled,
      channelCorrelation,
    ];
    for (const [i, value] of numbers(pair).entries()) {
      const difference = Math.abs(value - (other === undefined ? NaN : (numbers(other)[i] ?? NaN)));
      // NaN is no agreement.
      largest = difference <= largest ? largest : difference;
    }
  }
  return {
    name: `same R² as ${rival.name}`,
    pass: complete && lambdas && largest <= TOLERANCE,
    detail: `${ours.pairs.length} of ${expected} pairs; largest difference of R², shuffled R² and channel correlation ${largest.toExponential(1)} (at most ${TOLERANCE}); ${lambdas ? 'the same' : 'other'} lambdas`,
  };
}

function describeData({ layers, channels, documents, tokens, pairs }: DataShape): string {
  return `${layers} layers of ${channels} channels, ${documents} documents of ${tokens} tokens, ${pairs.length} pairs (first → last among them), K and V, 6 lambdas, shuffled control, channel correlation; synthetic float32 data with an adjacent R² of about 0.5.`;
}
