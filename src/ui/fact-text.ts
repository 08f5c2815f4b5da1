/** Facts of environments in words, wherever two or more environments are compared. */
import type { EnvironmentDifference } from '../record/compare';
import type { FactValue } from '../record/environment-facts';
import type { Texts } from './context';

type Words = Pick<Texts<'report'>, 'tr' | 'int'>;

/** The fact's name; features and limits by their WebGPU names. */
export function factLabel(
  { field, name }: Pick<EnvironmentDifference, 'field' | 'name'>,
  { tr }: Words,
): string {
  const label = tr(`env.${field}`);
  return name === null ? label : `${label} ${name}`;
}

/** The fact's value; one that is not known says so. */
export function factText(value: FactValue, { tr, int }: Words): string {
  if (value === null) return tr('many.unknown');
  if (typeof value === 'boolean') return tr(value ? 'env.yes' : 'env.no');
  return typeof value === 'number' ? int(value) : value;
}
