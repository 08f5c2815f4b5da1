/** The hub that models come from: set here by the person, kept in this browser, never taken from a link. */
import { useSignal } from '@preact/signals';
import { chooseHubHost, hubHost } from '../../lab/hub-host';
import { checkHost, DEFAULT_HOST } from '../../model/hub/ids';
import { cut } from '../../protocol/options';
import { LineInput } from '../line-input';
import { choices, host, lookUps } from './models';
import { useHubUi } from './text';

export function HubAddress() {
  const { hub, announce, faultSentence } = useHubUi();
  const text = useSignal(host.value);
  const problem = useSignal<string | null>(null);
  const choose = (wanted: string) => {
    if (wanted.trim() !== '' && checkHost(wanted) === null) {
      problem.value = faultSentence({ code: 'hub-bad-host', params: { host: cut(wanted.trim()) } });
      return;
    }
    if (!chooseHubHost(wanted)) {
      problem.value = hub('hub.addressBlocked');
      return;
    }
    problem.value = null;
    const before = host.value;
    host.value = hubHost();
    text.value = host.value;
    announce(hub('hub.addressSaved', { host: host.value }));
    if (host.value === before) return;
    lookUps.clear();
    choices.value = new Map();
  };
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        choose(text.value);
      }}
    >
      <label for="hub-host">{hub('hub.address')}</label>
      <LineInput
        id="hub-host"
        inputMode="url"
        invalid={problem.value !== null}
        value={text.value}
        onType={(typed) => {
          text.value = typed;
          problem.value = null;
        }}
        button={hub('hub.addressSave')}
      />
      {problem.value !== null && (
        <p class="field-error" role="alert">
          {problem.value}
        </p>
      )}
      <p class="hint" id="hub-host-help">
        {hub('hub.addressHint')}
      </p>
      {host.value !== DEFAULT_HOST && (
        <p>
          <button
            type="button"
            class="button button-quiet"
            data-testid="hub-host-reset"
            onClick={() => {
              choose('');
              document.getElementById('hub-host')?.focus();
            }}
          >
            {hub('hub.addressReset', { host: DEFAULT_HOST })}
          </button>
        </p>
      )}
    </form>
  );
}
