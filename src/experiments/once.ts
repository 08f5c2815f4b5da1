/** Checks of a record in which the same check is made under many policies and modes: told once a policy, unless it fails. Pure. */
import type { Cell, Check } from '../protocol/record';

/**
 * The checks with one more, which was made under a policy and mode: what passed is kept once a policy, with its first numbers, and
 * every one that failed is kept, with the mode that it failed under.
 */
export function withCheckOf(
  checks: readonly Check[],
  { policy, allocator }: Pick<Cell, 'policy' | 'allocator'>,
  check: Check,
): Check[] {
  if (!check.pass) return [...checks, { ...check, policy, allocator }];
  const known = checks.some(
    ({ name, model, expected, pass, policy: under }) =>
      pass && name === check.name && model === check.model && expected === check.expected && under === policy,
  );
  return known ? [...checks] : [...checks, { ...check, policy }];
}
