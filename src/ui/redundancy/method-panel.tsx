/** "Check the method": data with a known answer, worked out in the page, without a model or a GPU. */
import { useSignal } from '@preact/signals';
import type { MethodCheck } from '../../redundancy/method-check';
import { toFault } from '../../protocol/faults';
import { useUi } from '../context';
import { ScrollTable } from '../table';
import { places } from './numbers';
import type { RedundancyTexts } from './words';

type State = { status: 'idle' | 'running' } | { status: 'done'; result: MethodCheck } | { status: 'failed' };

export function MethodPanel() {
  const { tr, announce, faultSentence } = useUi<RedundancyTexts>();
  const state = useSignal<State>({ status: 'idle' });
  const check = async () => {
    state.value = { status: 'running' };
    try {
      const { checkMethod } = await import('../../redundancy/method-check');
      const result = await checkMethod();
      state.value = { status: 'done', result };
      announce(verdictOf(result, tr));
    } catch (error) {
      console.error(error);
      state.value = { status: 'failed' };
    }
  };
  const { status } = state.value;
  return (
    <section class="method" aria-labelledby="method-title" data-testid="method">
      <h2 id="method-title">{tr('red.method.title')}</h2>
      <p>{tr('red.method.lead')}</p>
      <p>
        <button
          type="button"
          class="button"
          data-testid="check-method"
          disabled={status === 'running'}
          onClick={() => void check()}
        >
          {tr(status === 'done' ? 'red.method.again' : 'red.method.run')}
        </button>{' '}
        {status === 'running' && <span class="muted">{tr('red.method.running')}</span>}
      </p>
      {state.value.status === 'failed' && (
        <p class="message message-error" role="alert">
          {faultSentence(toFault(null, 'page-outdated'))}
        </p>
      )}
      {state.value.status === 'done' && <Found result={state.value.result} />}
    </section>
  );
}

function verdictOf(
  { pass, tolerance }: MethodCheck,
  tr: ReturnType<typeof useUi<RedundancyTexts>>['tr'],
): string {
  return tr(pass ? 'red.method.pass' : 'red.method.fail', { tolerance });
}

function Found({ result }: { result: MethodCheck }) {
  const { tr } = useUi<RedundancyTexts>();
  const { planted, tolerance, leak, pass } = result;
  const title = tr('red.method.table');
  return (
    <>
      <p class={pass ? 'verdict-pass' : 'verdict-fail'} data-testid="method-verdict" data-pass={pass}>
        <span aria-hidden="true">{pass ? '✓' : '✗'}</span> {verdictOf(result, tr)}
      </p>
      <ScrollTable
        caption={title}
        hideCaption
        head={[
          tr('red.method.truth'),
          tr('red.method.found'),
          tr('red.method.difference'),
          tr('red.method.result'),
        ]}
        textColumns={[3]}
      >
        {planted.map(({ truth, found }) => {
          const good = Math.abs(found - truth) <= tolerance;
          return (
            <tr key={truth}>
              <th scope="row">{truth}</th>
              <td>{places(found, 3)}</td>
              <td>{places(found - truth, 3)}</td>
              <td class={good ? 'text verdict-pass' : 'text verdict-fail'}>
                <span aria-hidden="true">{good ? '✓' : '✗'}</span> {tr(good ? 'checks.pass' : 'checks.fail')}
              </td>
            </tr>
          );
        })}
      </ScrollTable>
      <p class={leak.caught ? 'verdict-pass' : 'verdict-fail'}>
        <span aria-hidden="true">{leak.caught ? '✓' : '✗'}</span>{' '}
        {tr('red.method.leak', {
          shuffled: places(leak.shuffled, 3),
          caught: tr(leak.caught ? 'red.method.caught' : 'red.method.missed'),
        })}
      </p>
    </>
  );
}
