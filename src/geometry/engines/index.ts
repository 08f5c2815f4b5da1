/** The engines: one geometry, and what each of them keeps of it. */
import { requireCount, requirePositive } from '../checks';
import type { Geometry } from '../geometry';
import type { EngineBytes, EngineId, EngineOptions } from './engine';
import { idealBytes } from './ideal';
import { llamaCppBytes } from './llama-cpp';
import { preallocatedBytes } from './preallocated';
import { transformersJsBytes } from './transformers-js';
import { vllmBytes } from './vllm';

export type { EngineBytes, EngineId, EngineNote, EngineOptions, LayerGroup } from './engine';

export const ENGINES: readonly { id: EngineId; name: string }[] = [
  { id: 'ideal', name: 'ideal' },
  { id: 'transformers.js', name: 'transformers.js / ONNX' },
  { id: 'vllm', name: 'vLLM' },
  { id: 'llama.cpp', name: 'llama.cpp' },
  { id: 'preallocated', name: 'preallocated' },
];

const ALIASES: Record<string, EngineId> = {
  onnx: 'transformers.js',
  'transformers-js': 'transformers.js',
  transformersjs: 'transformers.js',
  'llama-cpp': 'llama.cpp',
  llamacpp: 'llama.cpp',
};

/**
 * The engine of that id or alias, in any case.
 * @throws RangeError that names the known ones.
 */
export function engineId(text: string): EngineId {
  const wanted = text.trim().toLowerCase();
  const known =
    ENGINES.find(({ id }) => id === wanted)?.id ??
    (Object.hasOwn(ALIASES, wanted) ? ALIASES[wanted] : undefined);
  if (known) return known;
  throw new RangeError(
    `The engine "${text}" is not known. Known are ${ENGINES.map(({ id }) => id).join(', ')}.`,
  );
}

/**
 * Bytes of a cache under an engine's rule.
 * @throws RangeError when an option is out of range, or the size is above 2^53 bytes.
 */
export function engineBytes(geometry: Geometry, engine: EngineId, options: EngineOptions): EngineBytes {
  requirePositive('batch', options.batch);
  requireCount('tokens', options.tokens);
  switch (engine) {
    case 'ideal':
      return idealBytes(geometry, options);
    case 'transformers.js':
      return transformersJsBytes(geometry, options);
    case 'preallocated':
      return preallocatedBytes(geometry, options);
    case 'vllm':
      return vllmBytes(geometry, options);
    case 'llama.cpp':
      return llamaCppBytes(geometry, options);
  }
}
