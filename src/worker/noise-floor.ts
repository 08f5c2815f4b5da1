/** Check `noise-floor`: the first document is fed twice, and its keys and values should be the same. */
import type { Rows } from './read-cache';
import type { ReadTensor } from './redundancy-jobs';
import type { PassContext } from './run-experiment';
import { makeCheck, say } from '../protocol/checks';
import type { Report } from '../protocol/messages';
import { documentTitle } from '../protocol/redundancy-options';
import { largestDifference } from '../redundancy/finite';

/** Largest accepted difference on a GPU, of the largest value: a few roundings, since it may add in another order each time. */
const TOLERANCE: Partial<Record<string, number>> = { float32: 1e-4, float16: 4e-3 };

export class NoiseFloor {
  /** Largest absolute difference so far; null before anything was compared. */
  difference: number | null = null;
  private largest = 0;
  private readonly tolerance: number;

  constructor(
    private readonly context: PassContext,
    tensors: readonly ReadTensor[],
  ) {
    const type = context.model.graphCache.find(({ name }) => name === tensors[0]?.name)?.type ?? '';
    this.tolerance = context.pass.device === 'wasm' ? 0 : (TOLERANCE[type] ?? 0);
  }

  /** @param again The rows of the tensor's first document, from its second run. */
  compare({ documents }: ReadTensor, { values: again }: Rows): void {
    const [once = new Float32Array()] = documents;
    this.difference = Math.max(this.difference ?? 0, largestDifference(once, again));
    for (const value of once) this.largest = Math.max(this.largest, Math.abs(value));
  }

  /** @param tokens That were compared. */
  check(document: string, tokens: number): Report {
    const { tolerance, difference, largest } = this;
    const { pass } = this.context;
    const check = makeCheck(
      'noise-floor',
      pass.model,
      difference !== null && difference <= tolerance * largest,
      {
        expected: tolerance === 0 ? say('noise-exact') : say('noise-tolerance', { tolerance }),
        measured:
          difference === null
            ? say('nothing')
            : say('noise-found', { difference: difference === 0 ? '0' : difference.toExponential(2) }),
        detail: say('noise-how', { name: documentTitle(document), tokens, largest: largest.toPrecision(3) }),
      },
    );
    return { type: 'check', passId: pass.id, check };
  }
}
