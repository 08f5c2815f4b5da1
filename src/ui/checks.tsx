/** The checks: what was expected, what was measured, passed or failed in words and by a sign. */
import { checkText } from '../i18n/check-text';
import type { Check } from '../protocol/record';
import { useUi } from './context';
import { modelName } from './model-name';
import { ScrollTable } from './table';

export function Checks({ checks }: { checks: Check[] }) {
  const { tr } = useUi<'report'>();
  if (checks.length === 0) return null;
  const passed = checks.filter(({ pass }) => pass).length;
  return (
    <section aria-labelledby="checks-title">
      <h3 id="checks-title">
        {tr('checks.title')}
        <span class="aside"> {tr('checks.summary', { passed, total: checks.length })}</span>
      </h3>
      <ScrollTable
        caption={tr('checks.title')}
        hideCaption
        testId="checks"
        head={[
          tr('checks.name'),
          tr('checks.result'),
          tr('table.model'),
          tr('checks.expected'),
          tr('checks.measured'),
        ]}
        textColumns={[0, 1, 2, 3, 4]}
      >
        {distinct(checks).map(({ key, check, count }) => (
          <CheckRow key={key} check={check} count={count} />
        ))}
      </ScrollTable>
    </section>
  );
}

/** A check may be made once a variant, batch and repeat of a model; those that say the same are one row with their number. */
function distinct(checks: readonly Check[]): { key: string; check: Check; count: number }[] {
  const rows = new Map<string, { key: string; check: Check; count: number }>();
  for (const check of checks) {
    const { name, model, pass, expected, measured, detail } = check;
    const key = JSON.stringify([name, model, pass, expected, measured, detail]);
    rows.set(key, { key, check, count: (rows.get(key)?.count ?? 0) + 1 });
  }
  return [...rows.values()];
}

function CheckRow({ check, count }: { check: Check; count: number }) {
  const { tr, language } = useUi<'report'>();
  const { name, model, pass, phrases } = check;
  // A check without phrases, from a file, has its English words only.
  const say = (part: 'expected' | 'measured' | 'detail') => {
    if (phrases === undefined) return check[part];
    const phrase = phrases[part];
    return phrase === null ? '' : checkText(language, phrase);
  };
  const lang = phrases === undefined ? 'en' : language;
  const detail = say('detail');
  return (
    <tr data-check={name} data-pass={pass}>
      <th scope="row" class="text">
        {tr(`check.${name}`)}
        {detail !== '' && (
          <span class="hint check-detail" lang={lang}>
            {detail}
          </span>
        )}
      </th>
      <td class={pass ? 'text verdict-pass' : 'text verdict-fail'}>
        <span aria-hidden="true">{pass ? '✓' : '✗'}</span> {tr(pass ? 'checks.pass' : 'checks.fail')}
        {count > 1 && <span class="below">{tr('checks.times', { count })}</span>}
      </td>
      <td class="text">{model === null ? tr('checks.record') : modelName(model, tr)}</td>
      <td class="text" lang={lang}>
        {say('expected')}
      </td>
      <td class="text" lang={lang}>
        {say('measured')}
      </td>
    </tr>
  );
}
