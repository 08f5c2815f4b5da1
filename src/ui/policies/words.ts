/** The translating function of the policies report, what its sentences are made with, and names and numbers that several of its parts show. */
import type { PartKey, TextKey, TextParams } from '../../i18n';
import type { Allocator, Device, Lang, Policy } from '../../protocol/recipe';

/** Parts whose texts the report is loaded with: its own, and the reports' common ones. */
export type PoliciesTexts = 'policies' | 'report';

export type PoliciesTranslate = (key: TextKey | PartKey<PoliciesTexts>, params?: TextParams) => string;

export interface PoliciesWords {
  tr: PoliciesTranslate;
  int: (value: number) => string;
  size: (bytes: number) => string;
  language: Lang;
}

/** A policy under a mode, such as “static with lazyRelease”; on WASM, which has no modes, the policy alone. */
export function pairName(
  { policy, allocator, device }: { policy: Policy; allocator: Allocator; device: Device },
  tr: PoliciesTranslate,
): string {
  return device === 'wasm' ? policy : tr('policies.pair', { policy, mode: allocator });
}

/** A time of a step with as many digits as are worth telling: "0.84 ms", "12.3 ms", "912 ms". */
export function milliseconds(ms: number, lang: Lang): string {
  const digits = ms < 10 ? 2 : ms < 100 ? 1 : 0;
  return `${ms.toLocaleString(lang === 'ko' ? 'ko-KR' : 'en-US', { maximumFractionDigits: digits })} ms`;
}

/** How many times one number is another: "8.1" below 10, "12" above. */
export function times(larger: number, smaller: number): string {
  const quotient = larger / smaller;
  return quotient.toFixed(quotient < 10 ? (quotient < 1.995 ? 2 : 1) : 0);
}
