/** What differs between the environments of several records; what is the same in all is listed below in words. */
import type { EnvironmentComparison, Fact } from '../../record/environment-facts';
import { useUi } from '../context';
import { factLabel, factText } from '../fact-text';
import { ScrollTable } from '../table';

interface Props {
  comparison: EnvironmentComparison;
  /** Of the records, in the order of the facts' values. */
  names: string[];
}

export function EnvironmentTable({ comparison, names }: Props) {
  const ui = useUi<'report' | 'history'>();
  const { tr } = ui;
  const { different, same, partial } = comparison;
  // Features and limits are many, and seldom of interest while they are the same.
  const plain = same.filter(({ name }) => name === null);
  const byName = same.filter(({ name }) => name !== null);
  const inWords = (facts: Fact[]): string =>
    facts
      .map((fact) => {
        const value = fact.values.find((each) => each !== null) ?? null;
        return `${factLabel(fact, ui)}: ${factText(value, ui)}`;
      })
      .join(' · ');
  return (
    <>
      {different.length === 0 ? (
        <p>{tr('many.environmentSame')}</p>
      ) : (
        <ScrollTable
          caption={tr('many.environment')}
          testId="many-environment"
          head={[tr('many.fact'), ...names]}
          textColumns={[0, ...names.map((_, index) => index + 1)]}
        >
          {different.map((fact) => (
            <tr key={`${fact.field} ${fact.name ?? ''}`}>
              <th scope="row" class="text">
                {factLabel(fact, ui)}
              </th>
              {fact.values.map((value, index) => (
                <td key={index} class={value === null ? 'text unmeasured' : 'text'}>
                  {factText(value, ui)}
                </td>
              ))}
            </tr>
          ))}
        </ScrollTable>
      )}
      {plain.length > 0 && <p class="hint many-facts">{tr('many.sameInAll', { facts: inWords(plain) })}</p>}
      {byName.length > 0 && (
        <details class="hint many-facts">
          <summary>{tr('many.sameLimits', { n: byName.length })}</summary>
          <p>{inWords(byName)}</p>
        </details>
      )}
      {partial.length > 0 && <p class="hint many-facts">{tr('many.partial', { facts: inWords(partial) })}</p>}
    </>
  );
}
