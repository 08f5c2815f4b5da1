/** The catalogue of published models. Loaded when a list of models is opened, never at first paint: import() it. */
import { ALIBABA } from './alibaba';
import { CLASSICS } from './classics';
import { DEEPSEEK } from './deepseek';
import { GOOGLE } from './google';
import { HYBRIDS } from './hybrids';
import { LABS_ASIA } from './labs-asia';
import { LABS_OPEN } from './labs-open';
import { META } from './meta';
import { MISTRAL } from './mistral';
import { MOONSHOT_ZAI } from './moonshot-zai';
import { NVIDIA } from './nvidia';
import { OPENAI_MICROSOFT } from './openai-microsoft';
import { QWEN_HYBRID } from './qwen-hybrid';
import type { Architecture } from './architecture';

export type { Architecture, ArchitectureSource } from './architecture';

/** All models, by maker. */
export const ARCHITECTURES: readonly Architecture[] = [
  ...META,
  ...ALIBABA,
  ...QWEN_HYBRID,
  ...GOOGLE,
  ...DEEPSEEK,
  ...MOONSHOT_ZAI,
  ...NVIDIA,
  ...OPENAI_MICROSOFT,
  ...MISTRAL,
  ...LABS_ASIA,
  ...HYBRIDS,
  ...LABS_OPEN,
  ...CLASSICS,
];

/** The model with that hub id (letters of either case); null when the catalogue has none. */
export function findArchitecture(id: string): Architecture | null {
  const wanted = id.trim().toLowerCase();
  return ARCHITECTURES.find((architecture) => architecture.id.toLowerCase() === wanted) ?? null;
}
