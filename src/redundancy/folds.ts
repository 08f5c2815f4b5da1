/** Which tokens are trained on and which are tested on. */
import type { SourceJob, Split } from './types';

/** Some tokens of one document that are always used together. */
export interface Block {
  document: number;
  /** First token, and the one after the last. */
  from: number;
  to: number;
}

/** A training set and the blocks on which it is tried, by their places in the list of blocks. */
export interface Trial {
  train: number[];
  tests: number[];
}

/** One test of the result: the candidate is the one that does best on the inner trials' tests. */
export interface Fold {
  train: number[];
  test: number;
  /** Each leaves one more block of `train` out; none where nothing is chosen. */
  inner: { train: number[]; test: number }[];
}

export interface Folds {
  blocks: Block[];
  folds: Fold[];
  /** Every inner training set once, with all the blocks on which some fold tries it. */
  trials: Trial[];
}

/** To leave one document out, and one more, of what is left. */
const FEWEST_DOCUMENTS = 3;

/**
 * @param tokens Of each document.
 * @throws {RangeError} for too few documents, or for a document that cannot be halved.
 */
export function foldsOf(split: Split, tokens: readonly number[]): Folds {
  return split === 'halves' ? halves(tokens) : documents(tokens);
}

/** Tokens of each document of a job. */
export function tokensOf(job: SourceJob): number[] {
  return job.source.map((values) => values.length / job.channels);
}

function documents(tokens: readonly number[]): Folds {
  if (tokens.length < FEWEST_DOCUMENTS)
    throw new RangeError(`${tokens.length} documents; leaving one out twice takes ${FEWEST_DOCUMENTS}`);
  const all = tokens.map((_, document) => document);
  const folds = all.map((test) => {
    const train = all.filter((document) => document !== test);
    const inner = train.map((left) => ({ train: train.filter((document) => document !== left), test: left }));
    return { train, test, inner };
  });
  return {
    blocks: tokens.map((count, document) => ({ document, from: 0, to: count })),
    folds,
    trials: distinctTrials(folds),
  };
}

function halves(tokens: readonly number[]): Folds {
  const blocks = tokens.flatMap((count, document) => {
    const middle = Math.floor(count / 2);
    if (middle === 0)
      throw new RangeError(`document ${document} has ${count} tokens; there is nothing to halve`);
    return [
      { document, from: 0, to: middle },
      { document, from: middle, to: count },
    ];
  });
  const folds = tokens.map((_, document) => ({ train: [2 * document], test: 2 * document + 1, inner: [] }));
  return { blocks, folds, trials: [] };
}

/** Folds share inner training sets: without documents a and b, b is tried when a is the test, and a when b is. */
function distinctTrials(folds: readonly Fold[]): Trial[] {
  const trials = new Map<string, Trial>();
  for (const { train, test } of folds.flatMap(({ inner }) => inner)) {
    const key = trialKey(train);
    const trial = trials.get(key) ?? { train, tests: [] };
    if (!trial.tests.includes(test)) trial.tests.push(test);
    trials.set(key, trial);
  }
  return [...trials.values()];
}

/** Names a training set. */
export function trialKey(train: readonly number[]): string {
  return train.join(' ');
}
