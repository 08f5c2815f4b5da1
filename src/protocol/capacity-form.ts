/** How the planner's form reads what is typed, where that differs from a link: thousands with commas, and percent without a sign. */
import type { CapacityState } from './capacity';
import { MAX_CONTEXT_TOKENS } from './capacity-options';

/**
 * What is typed into a field of the planner as the text that a link would have for it.
 * Tokens per session: `8,192` is one number (1 to 3 digits, then groups of exactly three without a blank); `4096,8192` and
 * `8, 192` are two. Share: a number without a sign is percent, also 1 and below. Other fields are read as in a link.
 */
export function linkText(name: keyof CapacityState, typed: string): string {
  if (name === 'contexts') return typed.replace(/\d[\d,]*\d/g, withoutThousands);
  if (name === 'share') return /^\s*[\d.]+\s*$/.test(typed) ? `${typed.trim()}%` : typed;
  return typed;
}

/** Three numbers without blanks, such as `128,256,512`, stay three: no context is as long as the one number would be. */
function withoutThousands(run: string): string {
  const one = run.replaceAll(',', '');
  return /^[1-9]\d{0,2}(?:,\d{3})+$/.test(run) && Number(one) <= MAX_CONTEXT_TOKENS ? one : run;
}
