/** The soak's runs: a seeded sequence of recipes and of what goes wrong in them. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { FaultCode } from '../../src/protocol/faults';
import type { Phase } from '../../src/protocol/messages';
import { ALLOCATORS, CACHE_BITS, OVERFLOWS, POLICIES, type Device } from '../../src/protocol/recipe';
import { SUBJECTS } from './subjects';
import type { Disturbance, Moment, MomentKind } from './worker-mock';

/**
 * `plain`: nothing goes wrong. `control`: `tiny` at 8 tokens, after each run that was disturbed and at the end. `cancel-early`:
 * Cancel after some ms, perhaps before there is a worker. `allocator`: a mode of ONNX Runtime's that frees buffers in use.
 * `bad-recipe`: refused before anything runs. The others: see {@link Disturbance}.
 */
export type SoakKind =
  'plain' | 'control' | 'cancel-early' | 'allocator' | 'bad-recipe' | Disturbance['kind'];

export interface SoakRun {
  /** 1 is the first. */
  number: number;
  kind: SoakKind;
  /** What {@link Automation.run} is given. */
  query: string;
  device: Device;
  /** For the run's first worker; a fresh one is as it should be. */
  disturbance: Disturbance | null;
  /** ms after which the page cancels; null for other kinds. */
  cancelMs: number | null;
}

/** The fault that each kind leaves in the record; null where it leaves none. */
export const FAULT_OF: Readonly<Record<SoakKind, FaultCode | null>> = {
  plain: null,
  control: null,
  cancel: null,
  'cancel-early': null,
  destroy: 'device-lost',
  refuse: 'webgpu-device-refused',
  'out-of-memory': 'out-of-memory',
  validation: 'gpu-error',
  crash: 'worker-failed',
  mismatch: 'cache-mismatch',
  allocator: 'allocator-failed',
  'bad-recipe': 'recipe-bad-value',
};

/** What is drawn from, shuffled and then drawn to its end before it is shuffled anew: every kind comes, and as often as here. */
const DECK: readonly SoakKind[] = [
  ...new Array<SoakKind>(7).fill('plain'),
  ...new Array<SoakKind>(4).fill('cancel'),
  ...new Array<SoakKind>(2).fill('cancel-early'),
  ...new Array<SoakKind>(5).fill('destroy'),
  ...(['refuse', 'out-of-memory', 'validation', 'crash', 'mismatch', 'allocator', 'bad-recipe'] as const),
];
/** Tokens: more than the first length or the prompt of any recipe, and less than some of the later ones. */
const SMALL_ROOM = 14;
/** Four pools of 2 MiB, and a minute of requests. */
const SMALL_SERVING = {
  model: 'tiny',
  lengths: 'alpaca',
  requests: '20',
  pool: '1024',
  longest: '256',
} as const;
/** Kinds that need a GPU. */
const GPU_KINDS: readonly SoakKind[] = ['destroy', 'refuse', 'out-of-memory', 'validation', 'allocator'];

class Draw {
  private readonly generator;

  constructor(seed: number) {
    this.generator = xoroshiro128plus(seed);
  }

  /** An integer of [from, to]. */
  int(from: number, to: number): number {
    return uniformInt(this.generator, from, to);
  }

  of<T>(values: readonly T[]): T {
    const value = values[this.int(0, values.length - 1)];
    if (value === undefined) throw new Error('There is nothing to draw from.');
    return value;
  }

  shuffled<T>(values: readonly T[]): T[] {
    const rest = [...values];
    return values.map(() => rest.splice(this.int(0, rest.length - 1), 1)[0] as T);
  }
}

/** The phases that a run comes through while it can be disturbed, and the reports of each that a short run makes. */
const PHASES: readonly { phase: Phase; reports: number }[] = [
  { phase: 'load-model', reports: 1 },
  { phase: 'prefill', reports: 3 },
  { phase: 'decode', reports: 3 },
  { phase: 'check', reports: 5 },
  { phase: 'release', reports: 1 },
];

function disturbanceOf(draw: Draw, kind: MomentKind, device: Device): { kind: MomentKind; at: Moment } {
  // The wrong number of tokens is noticed at the next forward pass, so there must be one.
  const phases = kind === 'mismatch' ? PHASES.filter(({ phase }) => phase === 'prefill') : PHASES;
  // Only the GPU's own calls reach into a phase; after a report alone, there is no device while the model is loaded.
  const usable = device === 'wasm' ? phases.filter(({ phase }) => phase !== 'release') : phases;
  const { phase, reports } = draw.of(usable);
  const first = kind === 'mismatch' ? 1 : draw.int(1, reports);
  const fewest = phase === 'load-model' || phase === 'release' ? 1 : 0;
  const most = phase === 'release' ? 4 : 12;
  const calls = device === 'wasm' || kind === 'mismatch' ? 0 : draw.int(fewest, most);
  return { kind, at: { phase, reports: first, calls } };
}

/** A cache that sets room aside has it for all of a run, or for {@link SMALL_ROOM} tokens. */
function policyOf(draw: Draw): Record<string, string> {
  const policy = draw.of(POLICIES);
  if (policy === 'dynamic') return { policy };
  if (policy === 'quantised') return { policy, bits: draw.of(CACHE_BITS) };
  const block: Record<string, string> = policy === 'paged' ? { block: draw.of(['4', '16']) } : {};
  const room = draw.int(0, 2) === 0;
  return {
    policy,
    ...block,
    ...(room ? { room: String(SMALL_ROOM), overflow: draw.of(OVERFLOWS) } : {}),
  };
}

/** A recipe of a few seconds. Decode steps come with the experiment growth only. */
function recipeOf(draw: Draw, device: Device, growth: boolean): URLSearchParams {
  const from = draw.int(4, 12);
  const common: Record<string, string> = {
    device,
    seed: String(draw.int(0, 99)),
    ...policyOf(draw),
    ...(device === 'webgpu' ? { allocator: draw.of(ALLOCATORS.filter((mode) => mode !== 'disabled')) } : {}),
  };
  const model = draw.of(SUBJECTS);
  if (growth) {
    const own = {
      experiment: 'growth',
      model,
      prompt: '',
      tokens: String(from),
      steps: String(draw.int(2, 6)),
    };
    return new URLSearchParams({ ...common, ...own });
  }
  const two = `${from},${from + draw.int(1, 8)}`;
  return new URLSearchParams({ ...common, model, tokens: two, chunk: draw.of(['0', '3']) });
}

/** What only a run without a disturbance takes: more passes, or none. */
function otherRecipe(draw: Draw, device: Device): URLSearchParams {
  const own = draw.of([
    { experiment: 'batch', model: 'tiny', batch: '1,2', repeats: '1', tokens: '6', device: 'wasm' },
    { experiment: 'gqa', model: 'tiny', tokens: '8', device },
    { experiment: 'dtype', model: 'tiny', dtype: 'fp32,fp16', tokens: '8', device: 'wasm' },
    { experiment: 'weights', model: 'tiny', tokens: '8', device },
    { experiment: 'capacity' },
    { experiment: 'policies', model: 'tiny', tokens: '6', steps: '2', allocators: 'bucket', device },
    { experiment: 'serving', ...SMALL_SERVING, device },
    { experiment: 'redundancy', model: 'tiny', skip: '0', keep: '64', device },
  ] as const);
  return new URLSearchParams(own);
}

function soakRun(draw: Draw, kind: SoakKind): Omit<SoakRun, 'number'> {
  const device: Device = GPU_KINDS.includes(kind) ? 'webgpu' : draw.of(['webgpu', 'wasm']);
  const run = { kind, device, disturbance: null, cancelMs: null };
  switch (kind) {
    case 'bad-recipe':
      return { ...run, query: draw.of(['tokens=abc', 'batch=0', 'dtype=fp33', 'device=abacus']) };
    case 'allocator':
      return { ...run, query: 'allocator=disabled&tokens=8,16' };
    case 'plain':
      return {
        ...run,
        query: String(
          draw.int(0, 1) === 0 ? otherRecipe(draw, device) : recipeOf(draw, device, draw.int(0, 1) === 0),
        ),
      };
    case 'control':
      return { ...run, query: controlQuery(device) };
    case 'cancel-early':
      return { ...run, query: String(recipeOf(draw, device, false)), cancelMs: draw.int(0, 1500) };
    case 'refuse':
      return { ...run, query: String(recipeOf(draw, device, false)), disturbance: { kind } };
    case 'cancel':
    case 'destroy':
    case 'out-of-memory':
    case 'validation':
    case 'crash':
    case 'mismatch': {
      const disturbance = disturbanceOf(draw, kind, device);
      const growth = disturbance.at.phase === 'decode';
      return { ...run, disturbance, query: String(recipeOf(draw, device, growth)) };
    }
  }
}

/** The recipe of a control: 16,384 bytes. */
export function controlQuery(device: Device): string {
  return `tokens=8&device=${device}`;
}

/**
 * The same runs for the same seed. A run that is disturbed is followed by a control on the same device, and the last is one,
 * so that whatever a disturbance leaves behind would show.
 */
export function planSoak({ runs, seed }: { runs: number; seed: number }): SoakRun[] {
  const draw = new Draw(seed);
  const planned: Omit<SoakRun, 'number'>[] = [];
  let deck: SoakKind[] = [];
  while (planned.length < runs) {
    const left = runs - planned.length;
    const last = planned.at(-1);
    const owed = last !== undefined && last.kind !== 'plain' && last.kind !== 'control';
    if (owed || left === 1) {
      planned.push({ ...soakRun(draw, 'control'), ...controlOn(last?.device ?? 'webgpu') });
      continue;
    }
    if (deck.length === 0) deck = draw.shuffled(DECK);
    planned.push(soakRun(draw, deck.shift() ?? 'plain'));
  }
  return planned.map((run, index) => ({ ...run, number: index + 1 }));
}

function controlOn(device: Device): Pick<SoakRun, 'device' | 'query'> {
  return { device, query: controlQuery(device) };
}
