/** Small hooks that several components need. */
import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { copyText } from '../lab/handout';
import { useUi } from './context';

/**
 * The signal's value, at most one change per `ms`, the last one always: tables and charts drawn from it take no time away
 * from the run, however fast records come.
 */
export function useThrottled<T>(source: ReadonlySignal<T>, ms: number): T {
  const shown = useSignal(source.peek());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = source.subscribe((value) => {
      if (timer !== undefined) return;
      shown.value = value;
      timer = setTimeout(() => {
        timer = undefined;
        shown.value = source.peek();
      }, ms);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [source, ms]);
  return shown.value;
}

/** A function that copies a text and says so in the live region; it resolves to whether it worked. */
export function useCopy(): (text: string) => Promise<boolean> {
  const { announce, tr } = useUi();
  return async (text) => {
    const copied = await copyText(text);
    announce(tr(copied ? 'copy.done' : 'copy.failed'));
    return copied;
  };
}

/** True for `ms` after the returned function was called; for "copied" marks that go away. */
export function useFlash(ms: number): [boolean, () => void] {
  const on = useSignal(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  const flash = () => {
    on.value = true;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      on.value = false;
    }, ms);
  };
  return [on.value, flash];
}

/**
 * For a closed section whose contents are loaded later: when it is first opened, and when there is a record, since a printed
 * report shows what is closed on the screen.
 */
export function useOpened(): {
  shown: boolean;
  onToggle: (event: { currentTarget: HTMLDetailsElement }) => void;
} {
  const { store } = useUi();
  const opened = useSignal(false);
  return {
    shown: opened.value || store.record.value !== null,
    onToggle: ({ currentTarget }) => {
      if (currentTarget.open) opened.value = true;
    },
  };
}
