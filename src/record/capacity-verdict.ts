/** What a plan says in one sentence, as data: sessions side by side, how far weights and sessions differ, what does not fit. */
import type { Count } from '../geometry/capacity/types';
import type { CapacityResult, PlannedModel } from '../protocol/capacity';

/** How far the models with the most and the fewest sessions are apart; both numbers are 1 or more. */
export interface CapacityRatios {
  heavier: string;
  lighter: string;
  weights: number;
  most: string;
  fewest: string;
  sessions: number;
  /** Two models, of which the heavier one holds fewer sessions: two numbers say it all. */
  plain: boolean;
}

export interface CapacityVerdict {
  gpus: number;
  gpuName: string;
  /** Tokens of a session: the middle one of the contexts. */
  tokens: number;
  /** Models whose weights fit, in the state's order. */
  held: { name: string; sessions: Count }[];
  /** Models whose weights do not fit, with the bytes that are missing over all GPUs. */
  unfit: { name: string; missing: number }[];
  /** Models of which no sessions are counted although their cache is known: nobody knows their weights. */
  unweighed: string[];
  /** Models of which nothing, or no session of this length, can be said. */
  unknown: string[];
  /** Of the models with the most and the fewest sessions; null unless there are two. */
  ratios: CapacityRatios | null;
}

export function capacityVerdict({ state, gpu, models }: CapacityResult): CapacityVerdict {
  const middle = Math.floor((state.contexts.length - 1) / 2);
  const tokens = state.contexts[middle] ?? 0;
  const sessionsOf = ({ rows }: PlannedModel): Count | null => rows[middle]?.sessions ?? null;
  const fit = models.filter((model) => model.missingBytes === 0);
  const held = fit.flatMap((model) => {
    const sessions = sessionsOf(model);
    return sessions === null ? [] : [{ model, sessions }];
  });
  return {
    gpus: state.gpus,
    gpuName: gpu.name,
    tokens,
    held: held.map(({ model, sessions }) => ({ name: model.name, sessions })),
    unfit: models
      .filter((model) => model.missingBytes > 0)
      .map((model) => ({ name: model.name, missing: model.missingBytes })),
    unweighed: fit.filter(isUnweighed).map(({ name }) => name),
    unknown: fit.filter((model) => sessionsOf(model) === null && !isUnweighed(model)).map(({ name }) => name),
    ratios: ratiosOf(held),
  };
}

function isUnweighed({ reason }: PlannedModel): boolean {
  return reason?.code === 'capacity-weights-unknown';
}

function ratiosOf(held: { model: PlannedModel; sessions: Count }[]): CapacityVerdict['ratios'] {
  const counted = held.flatMap(({ model, sessions }) =>
    typeof sessions === 'number' && sessions > 0 && (model.weightBytes ?? 0) > 0
      ? [{ name: model.name, weights: model.weightBytes ?? 0, sessions }]
      : [],
  );
  const sorted = counted.sort((a, b) => a.sessions - b.sessions);
  const [fewest] = sorted;
  const most = sorted.at(-1);
  if (fewest === undefined || most === undefined || fewest === most) return null;
  const [heavier, lighter] = fewest.weights >= most.weights ? [fewest, most] : [most, fewest];
  const weights = heavier.weights / lighter.weights;
  const sessions = most.sessions / fewest.sessions;
  const differ = !isAboutOne(weights) && !isAboutOne(sessions);
  return {
    heavier: heavier.name,
    lighter: lighter.name,
    weights,
    most: most.name,
    fewest: fewest.name,
    sessions,
    plain: counted.length === 2 && heavier === fewest && differ,
  };
}

/** Whether a ratio of 1 or more is said as 1.0x. */
export function isAboutOne(ratio: number): boolean {
  return times(ratio) === '1.0x';
}

/** `6.3x`, `166x`: one decimal below a hundred. */
export function times(ratio: number): string {
  const digits = ratio < 99.95 ? 1 : 0;
  return `${ratio.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}x`;
}

export interface TokenRatio {
  /** The model whose first token takes more bytes (or, where those are equal, a later one). */
  more: string;
  less: string;
  ratio: number;
  moreBytes: number;
  lessBytes: number;
  /** Past every window; null where the first token says it all. */
  far: FarRatio | null;
}

/** `none`: one of the two, or both, grow no more. */
export type FarRatio =
  | { kind: 'ratio'; more: string; less: string; ratio: number; moreBytes: number; lessBytes: number }
  | { kind: 'same' }
  | { kind: 'none'; names: string[] };

/** Every two models whose bytes per token are known and differ, the larger over the smaller. */
export function bytesPerTokenRatios(models: readonly PlannedModel[]): TokenRatio[] {
  const known = models
    .filter(({ bytesPerTokenFirst }) => bytesPerTokenFirst > 0)
    .sort((a, b) => b.bytesPerTokenFirst - a.bytesPerTokenFirst || b.bytesPerTokenFar - a.bytesPerTokenFar);
  return known.flatMap((more, at) =>
    known
      .slice(at + 1)
      .filter(
        (less) =>
          more.bytesPerTokenFirst > less.bytesPerTokenFirst || more.bytesPerTokenFar > less.bytesPerTokenFar,
      )
      .map((less) => ({
        more: more.name,
        less: less.name,
        ratio: more.bytesPerTokenFirst / less.bytesPerTokenFirst,
        moreBytes: more.bytesPerTokenFirst,
        lessBytes: less.bytesPerTokenFirst,
        far: farRatio(more, less),
      })),
  );
}

function farRatio(one: PlannedModel, other: PlannedModel): FarRatio | null {
  const still = [one, other].filter(({ bytesPerTokenFar }) => bytesPerTokenFar === 0);
  if (still.length > 0) return { kind: 'none', names: still.map(({ name }) => name) };
  const first = times(one.bytesPerTokenFirst / other.bytesPerTokenFirst);
  if (times(one.bytesPerTokenFar / other.bytesPerTokenFar) === first) return null;
  const [more, less] = one.bytesPerTokenFar >= other.bytesPerTokenFar ? [one, other] : [other, one];
  const ratio = more.bytesPerTokenFar / less.bytesPerTokenFar;
  if (isAboutOne(ratio)) return { kind: 'same' };
  return {
    kind: 'ratio',
    more: more.name,
    less: less.name,
    ratio,
    moreBytes: more.bytesPerTokenFar,
    lessBytes: less.bytesPerTokenFar,
  };
}
