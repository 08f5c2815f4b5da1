/** What the numerics take and give: matrices, jobs, results. Nothing here knows a model, a worker or a page. */

/** A dense matrix of float64, row by row. */
export interface Matrix {
  rows: number;
  columns: number;
  values: Float64Array<ArrayBuffer>;
}

/** a·b, or aᵀ·b. Whoever runs the numerics brings it: ONNX Runtime in the worker, plain loops in tests. */
export type Multiply = (a: Matrix, b: Matrix, transposeA?: boolean) => Promise<Matrix>;

/** Keys or values. */
export type Kind = 'K' | 'V';

/**
 * How training and test tokens are told apart: `documents` leaves one document out; `halves` trains on the first half
 * of a document and tests on its second, the article's own failure, kept because it teaches.
 */
export type Split = 'documents' | 'halves';

/** One layer that is predicted. */
export interface Target {
  to: number;
  adjacent: boolean;
  channels: number;
  /** One a document: [tokens][channels], row by row. */
  values: Float32Array[];
}

/** Everything that is predicted from one layer's keys or values. */
export interface SourceJob {
  kind: Kind;
  from: number;
  channels: number;
  /** One a document: [tokens][channels], row by row. */
  source: Float32Array[];
  targets: Target[];
  /** Candidates, relative to the mean of the diagonal of the training Gram matrix; ascending. */
  lambdas: readonly number[];
  split: Split;
  /** Seeds the permutation of each document's tokens. */
  seed: number;
}

/** R² of each document when it was the test, their mean and ends; null where a target has no variance. */
export interface Spread {
  mean: number | null;
  min: number | null;
  max: number | null;
  perDocument: (number | null)[];
}

/** What is special about the data of a pair; the numbers hold, but should be read with it. */
export interface PairNote {
  code: 'constant-channels' | 'rank-deficient' | 'fewer-tokens-than-channels' | 'constant-target';
  /**
   * Constant channels of source and target together; the lowest rank of a training set; the tokens of the smallest
   * training set; the documents in which the target does not vary, which have no R².
   */
  count: number;
}

export interface PairResult {
  from: number;
  to: number;
  adjacent: boolean;
  kind: Kind;
  r2: Spread;
  /** The same with the test document's source tokens in another order. */
  shuffled: Spread;
  /** Median over channels of |Pearson| of channel c with channel c; null when the counts of channels differ. */
  channelCorrelation: number | null;
  /** Bits per element by the ideal bound; null where there is none (R² unknown, or 1). */
  savedBits: number | null;
  /** The candidate that was chosen for each test document. */
  lambda: number[];
  notes: PairNote[];
}
