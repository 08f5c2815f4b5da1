/** The catalogue of published models. Loaded when a list of models is opened, never at first paint: import() it. */
import { CLASSICS } from './classics';
import { DEEPSEEK } from './deepseek';
import { GEMMA } from './gemma';
import { GEMMA_SHARED } from './gemma-shared';
import { HYBRIDS } from './hybrids';
import { LABS_ASIA } from './labs-asia';
import { LABS_OPEN } from './labs-open';
import { META } from './meta';
import { MINIMAX_BAIDU } from './minimax-baidu';
import { MISTRAL } from './mistral';
import { MOONSHOT } from './moonshot';
import { NVIDIA } from './nvidia';
import { OPENAI_MICROSOFT } from './openai-microsoft';
import { QWEN2 } from './qwen2';
import { QWEN3 } from './qwen3';
import { QWEN3_5 } from './qwen3-5';
import { QWEN3_NEXT } from './qwen3-next';
import { QWEN3_VL } from './qwen3-vl';
import { SMOL_OLMO } from './smol-olmo';
import { ZAI } from './zai';
import type { Architecture } from './architecture';

export type { Architecture, ArchitectureSource } from './architecture';

/** All models, by maker. */
export const ARCHITECTURES: readonly Architecture[] = [
  ...META,
  ...QWEN2,
  ...QWEN3,
  ...QWEN3_VL,
  ...QWEN3_NEXT,
  ...QWEN3_5,
  ...GEMMA,
  ...GEMMA_SHARED,
  ...DEEPSEEK,
  ...MOONSHOT,
  ...ZAI,
  ...NVIDIA,
  ...OPENAI_MICROSOFT,
  ...MISTRAL,
  ...MINIMAX_BAIDU,
  ...LABS_ASIA,
  ...HYBRIDS,
  ...SMOL_OLMO,
  ...LABS_OPEN,
  ...CLASSICS,
];

/** The model with that hub id (letters of either case); null when the catalogue has none. */
export function findArchitecture(id: string): Architecture | null {
  const wanted = id.trim().toLowerCase();
  return ARCHITECTURES.find((architecture) => architecture.id.toLowerCase() === wanted) ?? null;
}
