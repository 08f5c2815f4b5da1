/** Which faults of a record are told apart from its numbers: above them, and in the verdict. */
import type { Fault } from '../protocol/faults';
import type { LabRecord } from '../protocol/record';

/**
 * Faults that cut a record short. Where policies and modes are compared, one that fails is a finding with a row of its own and
 * counted in the sentence: only what no point says is left.
 */
export function untoldFaults({ recipe, faults, cells, growth }: LabRecord): Fault[] {
  if (recipe.experiment !== 'policies') return faults;
  const told = new Set([...cells, ...growth].map(({ fault }) => JSON.stringify(fault)));
  return faults.filter((fault) => !told.has(JSON.stringify(fault)));
}
