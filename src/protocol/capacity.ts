/** The capacity planner's state (all that its link carries) and its answer in a record. */
import type { CapacityFault, ModelCapacity } from '../geometry/capacity/types';
import type { EngineId } from '../geometry/engines/engine';

export interface CapacityState {
  /** A catalogue or hub id, `typed:<name>:<bytes per token>[:<fixed bytes>[:<weight bytes>]]`, or `config:<name>` for a pasted config.json. */
  model: string[];
  /** `<model id>:<bytes>`: bytes of the weights where a person gives them. */
  weights: string[];
  /** Id of a GPU of the list, or bytes such as `80GiB`. */
  gpu: string;
  /** GPUs that share a model. */
  gpus: number;
  /** Bytes that stay free on every GPU. */
  reserve: number;
  /** Percent of each GPU's memory that may be used, over 0 to 100. */
  share: number;
  /** Element type of the cache, see engines/kv-dtype.ts. */
  kv: string;
  engine: EngineId;
  /** Tokens per session, ascending. */
  contexts: number[];
  /** Sessions wanted at the same time. */
  sessions: number;
}

/** The second article's two models on its GPU: 471,448 and 77,724 tokens, 115/57/14 and 18/9/2 sessions. */
export function defaultCapacity(): CapacityState {
  return {
    model: ['Qwen/Qwen3-8B', 'Qwen/Qwen3-32B'],
    weights: [],
    gpu: '80GiB',
    gpus: 1,
    reserve: 0,
    share: 100,
    kv: 'bf16',
    engine: 'ideal',
    contexts: [4096, 8192, 32_768],
    sessions: 16,
  };
}

/** Who says how many bytes the weights have. */
export type WeightsFrom =
  /** The person, in the form or in the link. */
  | 'typed'
  /** The catalogue: published safetensors. */
  | 'catalogue'
  /** The hub: its safetensors index or file sizes, looked up on a click. */
  | 'hub'
  /** Parameters x bytes of one weight. */
  | 'parameters';

export interface PlannedWeights {
  bytes: number;
  from: WeightsFrom;
  /** In English: the file, or the product. */
  source: string;
  /** True where the product leaves out what is not quantised, so that the truth is more. */
  atLeast: boolean;
}

export interface PlannedReason {
  code:
    | CapacityFault
    /** Not in the catalogue, and nobody has looked it up. */
    | 'capacity-not-looked-up'
    /** A pasted config.json, which no link carries. */
    | 'capacity-needs-config'
    /** Its config could not be read; `detail` is the sentence. */
    | 'capacity-unreadable';
  params: Record<string, string | number>;
}

/** English sentences of the reasons that geometry does not know. */
export const PLAN_SENTENCES = {
  'capacity-not-looked-up':
    'The catalogue has no model “{model}”: look it up on the hub, paste its config.json, or type its bytes per token.',
  'capacity-needs-config':
    'The config.json of “{model}” was pasted, and no link carries it: paste it again, or type its bytes per token.',
  'capacity-unreadable': 'The config.json of “{model}” cannot be read: {detail}',
} as const;

export interface PlannedModel extends Omit<ModelCapacity, 'reason'> {
  /** As in the state. */
  id: string;
  weights: PlannedWeights | null;
  reason: PlannedReason | null;
}

/** What a record of the planner holds. */
export interface CapacityResult {
  state: CapacityState;
  gpu: { id: string | null; name: string; bytes: number };
  models: PlannedModel[];
}
