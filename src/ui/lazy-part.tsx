/** Parts of the page whose code and texts are loaded when they are first shown, so that the first paint stays small. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadPart, type Part } from '../i18n';
import { useUi } from './context';

/**
 * A component whose code `load` brings, and whose texts are those of the named parts. Until both are there, it shows
 * `waiting`; when a file is gone (an older build after a redeploy), the sentence that says so and a button to try again.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  ...texts: Part[]
): FunctionComponent<Props & { waiting?: ComponentChildren }> {
  // Once it is there, it is shown at once wherever it is used again.
  let Loaded: FunctionComponent<Props> | null = null;
  return function LazyPart({ waiting = null, ...props }: Props & { waiting?: ComponentChildren }) {
    const { faultSentence, language, tr } = useUi();
    const state = useSignal<'waiting' | 'ready' | 'failed'>(Loaded === null ? 'waiting' : 'ready');
    const shown = state.value;
    const fetchAll = async () => {
      state.value = 'waiting';
      try {
        const [part] = await Promise.all([load(), ...texts.map((name) => loadPart(language, name))]);
        Loaded = part;
        state.value = 'ready';
      } catch {
        state.value = 'failed';
      }
    };
    useEffect(() => {
      if (Loaded === null) void fetchAll();
    }, []);
    if (shown === 'failed') {
      return (
        <p class="message message-error">
          {faultSentence({ code: 'page-outdated', params: {} })}{' '}
          <button type="button" class="button button-quiet" onClick={() => void fetchAll()}>
            {tr('part.retry')}
          </button>
        </p>
      );
    }
    return Loaded === null ? <>{waiting}</> : <Loaded {...(props as unknown as Props)} />;
  };
}
