/** All families whose layers keep something other than keys and values in every layer: latents, compressed entries, states. */
import { WITH_MORE } from './attention-and-more';
import { COMPRESSED } from './compressed';
import type { Family } from './family';
import { GATED_DELTA } from './gated-delta';
import { KIMI_LINEAR } from './kimi-linear';
import { LATENT } from './latent';
import { LIGHTNING } from './lightning';
import { MAMBA } from './mamba';
import { MAMBA_HYBRID } from './mamba-hybrid';
import { NEMOTRON_H } from './nemotron-h';
import { RECURRENT } from './recurrent';
import { SHORT_CONV } from './short-conv';
import { ZAMBA } from './zamba';

export const OTHER_CACHES: readonly Family[] = [
  ...LATENT,
  ...COMPRESSED,
  ...GATED_DELTA,
  ...KIMI_LINEAR,
  ...LIGHTNING,
  ...SHORT_CONV,
  ...MAMBA,
  ...MAMBA_HYBRID,
  ...NEMOTRON_H,
  ...ZAMBA,
  ...RECURRENT,
  ...WITH_MORE,
];
