/** From the keys and values that were read to what is to be solved: one job a source layer and kind. */
import type { FullTensor, Rows } from './read-cache';
import { LAMBDAS, type RedundancyState } from '../protocol/redundancy';
import type { Kind, PairResult, SourceJob, Split, Target } from '../redundancy/types';

/** A tensor with the rows of each document. */
export interface ReadTensor extends FullTensor {
  channels: number;
  /** One a document. */
  documents: Float32Array[];
}

/** Adds the rows of one more document. */
export function addDocument(tensor: ReadTensor, { channels, values }: Rows): void {
  tensor.channels = channels;
  tensor.documents.push(values);
}

/**
 * Each layer predicts the next full one; the first also predicts the last, which is not adjacent to it where there are three
 * or more. With `pairs: 'all'` each predicts every other.
 * @param seed Of the shuffled controls.
 */
export function redundancyJobs(
  tensors: readonly ReadTensor[],
  { split, pairs }: RedundancyState,
  seed: number,
): SourceJob[] {
  const jobsOf = (kind: Kind): SourceJob[] => {
    const layers = tensors.filter((tensor) => tensor.kind === kind);
    return layers.flatMap((source, place): SourceJob[] => {
      const targets = layers.flatMap((target, at): Target[] => {
        const adjacent = at === place + 1;
        const firstToLast = place === 0 && at === layers.length - 1;
        if (at === place || (pairs === 'adjacent' && !adjacent && !firstToLast)) return [];
        return [{ to: target.layer, adjacent, channels: target.channels, values: target.documents }];
      });
      if (targets.length === 0) return [];
      const { layer: from, channels, documents } = source;
      return [
        { kind, from, channels, source: documents, targets, lambdas: candidatesOf(split), split, seed },
      ];
    });
  };
  return [...jobsOf('K'), ...jobsOf('V')];
}

/** Candidates that a split tries: halves choose nothing and take the smallest. */
export function candidatesOf(split: Split): number[] {
  return split === 'halves' ? [Math.min(...LAMBDAS)] : [...LAMBDAS];
}

/** The order of a record: keys first, then by layers. */
export function pairOrder(a: PairResult, b: PairResult): number {
  return a.kind === b.kind ? a.from - b.from || a.to - b.to : a.kind < b.kind ? -1 : 1;
}
