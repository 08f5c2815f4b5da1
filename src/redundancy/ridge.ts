/** Everything that is predicted from one layer's keys or values: R², shuffled control, correlation. */
import { channelCorrelation, constantChannels } from './correlation';
import { CancelledError, NotFiniteError } from './errors';
import { firstNonFinite } from './finite';
import { type Block, type Fold, type Folds, foldsOf, tokensOf, trialKey } from './folds';
import { type Centred, centre, type Sums, sums, variation } from './gram';
import { permutation } from './permutation';
import { savedBits, spreadOf } from './savings';
import { predict, r2Of, rankOfTraining, regress, scores, train, type Training, turnBlock } from './training';
import type { TurnedBlock } from './training';
import type { Multiply, PairNote, PairResult, SourceJob, Target } from './types';
import { totalOf, type Work, workOf } from './work';

export interface AnalyseOptions {
  /** After every step: units of work done, of how many (`unitsOf`). Awaited, so that a worker can read its messages. */
  onStep?: (done: number, total: number) => void | Promise<void>;
  /** Looked at before every step. */
  signal?: { readonly aborted: boolean };
}

/** What all targets of a source share. */
interface Source {
  job: SourceJob;
  folds: Folds;
  multiply: Multiply;
  step: (work: number) => Promise<void>;
  work: Work;
  blocks: Centred[];
  sumsXX: Sums[];
  /** By `trialKey`: an inner training set, and the blocks on which it is tried, in its basis. */
  trials: Map<string, { training: Training; tests: number[]; turned: TurnedBlock[] }>;
  /** One a fold. */
  trainings: Training[];
  constant: boolean[];
}

/**
 * R² of linear prediction of every target from the source, per document, by the third article's method (ridge
 * regression; each document is the test once, or the second half of each for split `halves`), and its controls. All
 * of it follows from sums of products per document, made once; one factorisation per training set serves all
 * candidates and targets.
 *
 * At the article's size (4 documents of 1,536 tokens, 512 channels) a job is 90 times the work of a 512 x 512
 * product, and holds 22 such matrices for the training sets, 8 more for sums, and the source in float64: 90 MB.
 * @throws {RangeError} when arrays do not fit the job, or its documents are too few.
 * @throws {NotFiniteError} when a value is NaN or infinite. @throws {CancelledError} when `signal` is aborted.
 */
export async function analyseSource(
  job: SourceJob,
  multiply: Multiply,
  options: AnalyseOptions = {},
): Promise<PairResult[]> {
  check(job);
  const folds = foldsOf(job.split, tokensOf(job));
  const step = stepper(options, totalOf(job, folds));
  const source = await prepare(job, folds, multiply, step);
  const results: PairResult[] = [];
  for (const target of job.targets) results.push(await analyseTarget(source, target));
  return results;
}

function stepper({ onStep, signal }: AnalyseOptions, total: number): (work: number) => Promise<void> {
  let done = 0;
  const stopIfAborted = (): void => {
    if (signal?.aborted) throw new CancelledError();
  };
  stopIfAborted();
  return async (work) => {
    done += work;
    await onStep?.(done, total);
    stopIfAborted();
  };
}

function check(job: SourceJob): void {
  if (job.lambdas.length === 0 || job.lambdas.some((lambda) => !(lambda > 0)))
    throw new RangeError('candidates must be above 0');
  const layers = [{ layer: job.from, channels: job.channels, documents: job.source }].concat(
    job.targets.map(({ to, channels, values }) => ({ layer: to, channels, documents: values })),
  );
  const tokens = tokensOf(job);
  for (const { layer, channels, documents } of layers) {
    if (documents.length !== tokens.length)
      throw new RangeError(`layer ${layer} has ${documents.length} documents instead of ${tokens.length}`);
    for (const [document, values] of documents.entries()) {
      if (values.length !== (tokens[document] as number) * channels)
        throw new RangeError(`layer ${layer}, document ${document}: ${values.length} values do not fit`);
      const bad = firstNonFinite(values);
      if (!bad) continue;
      const token = Math.floor(bad.index / channels);
      throw new NotFiniteError(layer, document, token, bad.index % channels, bad.value);
    }
  }
}

async function prepare(
  job: SourceJob,
  folds: Folds,
  multiply: Multiply,
  step: Source['step'],
): Promise<Source> {
  const work = workOf(job);
  const blocks: Centred[] = [];
  const sumsXX: Sums[] = [];
  for (const block of folds.blocks) {
    const x = centre(slice(job.source, job.channels, block), job.channels);
    blocks.push(x);
    sumsXX.push(await sums(x, x, multiply));
    await step(work.gram(block.to - block.from));
  }
  const trials: Source['trials'] = new Map();
  for (const { train: places, tests } of folds.trials) {
    const training = await train(pick(sumsXX, places), multiply);
    await step(work.factorise());
    const turned: TurnedBlock[] = [];
    for (const part of pick(sumsXX, tests)) {
      turned.push(await turnBlock(training, part, multiply));
      await step(work.turn());
    }
    trials.set(trialKey(places), { training, tests, turned });
  }
  const trainings: Training[] = [];
  for (const fold of folds.folds) {
    trainings.push(await train(pick(sumsXX, fold.train), multiply));
    await step(work.factorise());
  }
  const constant = constantChannels(job.source, job.channels);
  return { job, folds, multiply, step, work, blocks, sumsXX, trials, trainings, constant };
}

async function analyseTarget(source: Source, target: Target): Promise<PairResult> {
  const { job, folds, multiply, step, work } = source;
  const { channels } = target;
  const ofBlock = (block: Block): Centred => centre(slice(target.values, channels, block), channels);
  const sumsXY: Sums[] = [];
  const variances: number[] = [];
  for (const [place, block] of folds.blocks.entries()) {
    const y = ofBlock(block);
    variances.push(variation(y));
    sumsXY.push(await sums(source.blocks[place] as Centred, y, multiply));
    await step(work.cross(block.to - block.from, channels));
  }
  const tried = await tryCandidates(source, channels, sumsXY, variances);
  const [lambda, r2, shuffled]: [number[], (number | null)[], (number | null)[]] = [[], [], []];
  for (const [place, fold] of folds.folds.entries()) {
    const chosen = choose(job.lambdas, fold, tried);
    const training = source.trainings[place] as Training;
    const regression = await regress(training, pick(sumsXY, fold.train), multiply);
    const x = source.blocks[fold.test] as Centred;
    const y = ofBlock(folds.blocks[fold.test] as Block);
    const prediction = await predict(regression, x, y.mean, chosen, multiply);
    const order = permutation(x.rest.rows, job.seed, place);
    lambda.push(chosen);
    r2.push(r2Of(prediction, y, null));
    shuffled.push(r2Of(prediction, y, order));
    await step(work.predict(channels, x.rest.rows));
  }
  const spread = spreadOf(r2);
  return {
    from: job.from,
    to: target.to,
    adjacent: target.adjacent,
    kind: job.kind,
    r2: spread,
    shuffled: spreadOf(shuffled),
    channelCorrelation:
      channels === job.channels ? channelCorrelation(job.source, target.values, channels) : null,
    savedBits: savedBits(spread.mean),
    lambda,
    notes: notesOf(source, target, r2),
  };
}

/** R² by inner training set and block: [candidate] under `trialKey` and the block's place. */
type Tried = Map<string, (number | null)[]>;

const triedKey = (places: readonly number[], test: number): string => `${trialKey(places)} on ${test}`;

async function tryCandidates(
  { job, folds, multiply, step, work, trials }: Source,
  channels: number,
  sumsXY: Sums[],
  variances: number[],
): Promise<Tried> {
  const tried: Tried = new Map();
  for (const { train: places, tests } of folds.trials) {
    const trial = trials.get(trialKey(places));
    if (!trial) continue;
    const regression = await regress(trial.training, pick(sumsXY, places), multiply);
    const blocks = trial.turned.map((block, i) => {
      const test = tests[i] as number;
      return { block, sumsXY: sumsXY[test] as Sums, variance: variances[test] as number };
    });
    const found = await scores(regression, blocks, job.lambdas, multiply);
    for (const [i, test] of tests.entries())
      tried.set(
        triedKey(places, test),
        found.map((candidate) => candidate[i] ?? null),
      );
    await step(work.score(channels, tests.length));
  }
  return tried;
}

/** The candidate with the highest mean R² over the inner tests, of equal ones the larger; the smallest without inner tests. */
function choose(lambdas: readonly number[], { inner }: Fold, tried: Tried): number {
  const ascending = lambdas.map((lambda, place) => ({ lambda, place })).sort((a, b) => a.lambda - b.lambda);
  let best = { lambda: (ascending[0] as { lambda: number }).lambda, mean: -Infinity };
  if (inner.length === 0) return best.lambda;
  for (const { lambda, place } of ascending) {
    const found = inner.flatMap(
      ({ train: places, test }) => tried.get(triedKey(places, test))?.[place] ?? [],
    );
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
    if (!(mean < best.mean)) best = { lambda, mean: Number.isNaN(mean) ? -Infinity : mean };
  }
  return best.lambda;
}

function notesOf(
  { job, folds, sumsXX, trainings, constant }: Source,
  target: Target,
  r2: (number | null)[],
): PairNote[] {
  const notes: PairNote[] = [];
  const unchanging = count(constant) + count(constantChannels(target.values, target.channels));
  if (unchanging > 0) notes.push({ code: 'constant-channels', count: unchanging });
  const tokens = Math.min(
    ...folds.folds.map(({ train: places }) =>
      pick(sumsXX, places).reduce((sum, part) => sum + part.tokens, 0),
    ),
  );
  const rank = Math.min(...trainings.map(rankOfTraining));
  if (tokens < job.channels) notes.push({ code: 'fewer-tokens-than-channels', count: tokens });
  else if (rank < job.channels - count(constant)) notes.push({ code: 'rank-deficient', count: rank });
  const without = r2.filter((value) => value === null).length;
  if (without > 0) notes.push({ code: 'constant-target', count: without });
  return notes;
}

const count = (flags: readonly boolean[]): number => flags.filter(Boolean).length;

const pick = <T>(all: readonly T[], places: readonly number[]): T[] => places.map((place) => all[place] as T);

function slice(documents: readonly Float32Array[], channels: number, { document, from, to }: Block) {
  return (documents[document] as Float32Array).subarray(from * channels, to * channels);
}
