/** Parts of the page whose code is loaded when they are first shown, so that the first paint stays small. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { useUi } from './context';

/**
 * A component whose code `load` brings. Until then it shows `waiting`; when its file is gone (an older build after a
 * redeploy), the sentence that says so.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props & { waiting?: ComponentChildren }> {
  // Once it is there, it is shown at once wherever it is used again.
  let Part: FunctionComponent<Props> | null = null;
  return function LazyPart({ waiting = null, ...props }: Props & { waiting?: ComponentChildren }) {
    const { faultSentence } = useUi();
    const state = useSignal<'waiting' | 'ready' | 'failed'>(Part === null ? 'waiting' : 'ready');
    const shown = state.value;
    useEffect(() => {
      if (Part !== null) return;
      load().then(
        (loaded) => {
          Part = loaded;
          state.value = 'ready';
        },
        () => {
          state.value = 'failed';
        },
      );
    }, []);
    if (shown === 'failed') {
      return <p class="message message-error">{faultSentence({ code: 'page-outdated', params: {} })}</p>;
    }
    return Part === null ? <>{waiting}</> : <Part {...(props as unknown as Props)} />;
  };
}
