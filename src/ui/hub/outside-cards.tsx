/** Cards of the chosen models from outside: what they are, as far as a look-up tells, and a way to take them out again. */
import { useEffect } from 'preact/hooks';
import { isOutside } from '../../lab/models';
import type { LookedUp } from '../../lab/look-up';
import { isCommit } from '../../model/hub/ids';
import { shortModelName } from '../../protocol/model-name';
import { Badge } from '../badges';
import { choices, host, lookUps, removeOutside } from './models';
import { OutsideFacts } from './outside-facts';
import { Revision } from './reveal';
import { useHubUi } from './text';
import { Variants } from './variants';

export function OutsideCards() {
  const { store } = useHubUi();
  const ids = store.recipe.value.model.filter(isOutside);
  return (
    <>
      {ids.map((id) => (
        <OutsideCard key={id} id={id} />
      ))}
    </>
  );
}

/** What a model from outside is called on the page. */
export function outsideName(id: string): string {
  return id.startsWith('local:') ? id.slice('local:'.length) : shortModelName(id);
}

function OutsideCard({ id }: { id: string }) {
  const { hub, store, announce } = useHubUi();
  const local = id.startsWith('local:');
  const [repo = id, asked] = id.split('@');
  const name = local ? outsideName(id) : repo;
  const state = lookUps.states.value.get(id);
  useEffect(() => {
    // A folder asks nobody; a hub id that came with a link is looked up only when the person says so.
    if (local && state === undefined) void lookUps.look(id);
  }, [local, state === undefined]);
  const revision = state?.status === 'found' ? state.found.revision : asked;
  return (
    <div class="card is-chosen hub-card" data-testid="outside-card" data-id={id}>
      <div class="card-title">
        <span class="card-name" title={id}>
          {asked === undefined || isCommit(asked) ? name : id}
        </span>
        <Badge kind={local ? 'local' : 'hub'} />
        <button
          type="button"
          class="button button-quiet hub-remove"
          aria-label={hub('hub.removeOf', { name })}
          onClick={() => {
            removeOutside(store, id);
            announce(hub('hub.removed', { name }));
            // The button that had the focus is gone.
            document.querySelector<HTMLElement>('[data-testid="other-models"] > summary')?.focus();
          }}
        >
          {hub('hub.remove')}
        </button>
      </div>
      {revision !== undefined && !local && (
        <p class="hub-id">
          {hub('hub.commit')} <Revision revision={revision} />
        </p>
      )}
      <OutsideState id={id} name={name} />
    </div>
  );
}

function OutsideState({ id, name }: { id: string; name: string }) {
  const { hub, faultSentence } = useHubUi();
  const state = lookUps.states.value.get(id);
  const lookUp = () => void lookUps.look(id);
  switch (state?.status) {
    case 'looking':
      return (
        <p class="muted" role="status">
          {hub('hub.looking', { host: host.value })}
        </p>
      );
    case 'failed':
      return (
        <div class="message message-error" role="alert">
          <p>{faultSentence(state.fault)}</p>
          {state.fault.code !== 'local-needs-folder' && (
            <p>
              <button type="button" class="button button-quiet" onClick={lookUp}>
                {hub('hub.again')}
              </button>
            </p>
          )}
        </div>
      );
    case 'found':
      return (
        <>
          <OutsideFacts found={state.found} />
          <ChoiceNote id={id} />
          <Variants found={state.found} />
          {state.found.listing?.stored === true && <p class="hint">{hub('hub.fromStorage')}</p>}
          {state.notices.map((notice) => (
            <p key={notice.code} class="message message-warn">
              {faultSentence(notice)}
            </p>
          ))}
        </>
      );
    case undefined:
      return id.startsWith('local:') ? null : (
        <>
          <p class="hint">{hub('hub.notLookedUp', { host: host.value })}</p>
          <p>
            <button
              type="button"
              class="button button-quiet"
              data-testid="look-up"
              aria-label={hub('hub.lookUpOf', { name })}
              onClick={lookUp}
            >
              {hub('hub.lookUp')}
            </button>
          </p>
        </>
      );
  }
}

/** What adding this model changed in the settings, as long as it holds. */
function ChoiceNote({ id }: { id: LookedUp['pinned'] }) {
  const { hub, store } = useHubUi();
  const choice = choices.value.get(id);
  if (choice === undefined || store.recipe.value.dtype.join() !== choice.dtype) return null;
  return (
    <p class="hub-note" role="status">
      {hub(choice.why === 'missing' ? 'hub.choseMissing' : 'hub.choseSmaller', {
        dtype: choice.dtype,
        from: choice.from.join(', '),
      })}
    </p>
  );
}
