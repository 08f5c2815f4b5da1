/** The room that weights leave, and what a session takes of it, under an engine's way to use several GPUs. */
import type { CapacityInput, CapacityModel } from './types';
import { engineBytes, type EngineBytes, type EngineOptions } from '../engines';
import { attempt } from '../engines/attempt';
import type { KvDtype } from '../engines/kv-dtype';
import type { Geometry } from '../geometry';

/** GPUs over which each layer is split: vLLM's; the other engines keep one cache, taken to fill all GPUs evenly. */
export function splitOver(engine: CapacityInput['engine'], gpus: number): number {
  return engine === 'vllm' ? gpus : 1;
}

export interface Room {
  /** Bytes for the cache that `sessionBytes` counts against: of one GPU where `perGpu`, else of all together. Never negative. */
  bytes: number;
  /** True where every layer is split, and the engine's rule gives one GPU's bytes. */
  perGpu: boolean;
  /** Bytes by which the weights do not fit, over all GPUs. */
  missing: number;
}

/**
 * GPU memory x usable share (rounded down) - what is kept free - the weights, shared evenly by all GPUs.
 * @param weightBytes Of the whole model.
 */
export function roomFor(
  input: Pick<CapacityInput, 'gpuBytes' | 'usableShare' | 'reserveBytes' | 'engine'>,
  weightBytes: number,
  gpus: number,
): Room {
  const perGpu = splitOver(input.engine, gpus) > 1;
  const usable = Math.floor(input.gpuBytes * input.usableShare) - input.reserveBytes;
  const left = perGpu ? usable - Math.ceil(weightBytes / gpus) : usable * gpus - weightBytes;
  return { bytes: Math.max(0, left), perGpu, missing: Math.max(0, -left) * (perGpu ? gpus : 1) };
}

/** One session's cache on a number of GPUs. */
export interface Session {
  /** Bytes that a session of so many tokens takes of the room; Infinity when the engine refuses the length or it is absurd. */
  bytes: (tokens: number) => number;
  /** The engine's sentence when it refuses that length; null when it does not. */
  refusal: (tokens: number) => string | null;
  /** The size at one token, for the bytes per token and the notes. */
  size: Pick<EngineBytes, 'bytesPerTokenFirst' | 'bytesPerTokenFar' | 'fixedBytes' | 'notes'>;
}

export interface SessionSettings {
  engine: CapacityInput['engine'];
  dtype: KvDtype;
  gpus: number;
  options: CapacityInput['options'];
}

/**
 * The cost of one session of a model.
 * @throws RangeError in the engine's words when it does not run the model on so many GPUs.
 */
export function sessionOf(cache: CapacityModel['cache'], settings: SessionSettings): Session {
  return 'geometry' in cache ? bySettings(cache.geometry, settings) : byHand(cache, settings);
}

function bySettings(geometry: Geometry, { engine, dtype, gpus, options }: SessionSettings): Session {
  const tensorParallel = splitOver(engine, gpus);
  const at = (tokens: number): EngineBytes => {
    const asked: EngineOptions = { ...options, dtype, batch: 1, tokens, tensorParallel };
    return engineBytes(geometry, engine, asked);
  };
  // Searches and rows ask for the same lengths again and again.
  const known = new Map<number, number>();
  const bytes = (tokens: number): number => {
    const found = known.get(tokens) ?? attempt(() => at(tokens).bytes).value ?? Infinity;
    known.set(tokens, found);
    return found;
  };
  return {
    bytes,
    refusal: (tokens) => (bytes(tokens) === Infinity ? attempt(() => at(tokens)).refusal : null),
    size: at(1),
  };
}

/** Bytes per token as typed; on several GPUs of vLLM an even share of them. */
function byHand(
  { bytesPerToken, fixedBytes = 0 }: { bytesPerToken: number; fixedBytes?: number | undefined },
  { engine, gpus }: SessionSettings,
): Session {
  const shared = splitOver(engine, gpus);
  return {
    bytes: (tokens) => Math.ceil((bytesPerToken * tokens + fixedBytes) / shared),
    refusal: () => null,
    size: {
      bytesPerTokenFirst: bytesPerToken / shared,
      bytesPerTokenFar: bytesPerToken / shared,
      fixedBytes: fixedBytes / shared,
      notes: [],
    },
  };
}
