/** What every component may use: the store, the texts of the chosen language, and the one live region. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Signal } from '@preact/signals';
import { faultText, t, type Part, type PartKey, type TextKey, type TextParams } from '../i18n';
import type { Store } from '../lab/store';
import type { Fault } from '../protocol/faults';
import { formatBytes, formatInteger } from '../protocol/format';
import type { Lang } from '../protocol/recipe';
import type { Theme } from './theme';

/** State of the page itself, beside the store's: none of it changes a measurement. */
export interface Ui {
  store: Store;
  /** The language whose catalog is loaded and shown. */
  lang: Signal<Lang>;
  theme: Signal<Theme>;
  /** Form fields whose text cannot be used at the moment; while there are any, nothing runs. */
  badFields: Signal<ReadonlyMap<string, Fault>>;
  /** What the live region says; the last message wins. */
  announcement: Signal<string>;
}

const UiContext = createContext<Ui | null>(null);
export const UiProvider = UiContext.Provider;

/** Texts and numbers in the chosen language: the texts of the first paint and of the parts `P`. */
export interface Texts<P extends Part = never> {
  language: Lang;
  tr: (key: TextKey | PartKey<P>, params?: TextParams) => string;
  faultSentence: (fault: Fault) => string;
  int: (value: number) => string;
  size: (bytes: number) => string;
}

/**
 * The context with its texts. `P` names the parts whose texts a component shows beside those of the first paint; it then has
 * to be loaded with them (see `lazyPart`). Throws outside of a UiProvider.
 */
export function useUi<P extends Part = never>(): Ui & Texts<P> & { announce: (message: string) => void } {
  const ui = useContext(UiContext);
  if (ui === null) throw new Error('a component was used outside of the UiProvider');
  const lang = ui.lang.value;
  return {
    ...ui,
    language: lang,
    tr: (key, params) => t(lang, key, params),
    faultSentence: (fault) => faultText(lang, fault),
    int: (value) => formatInteger(value, lang),
    size: (bytes) => formatBytes(bytes, lang),
    announce: (message) => {
      ui.announcement.value = message;
    },
  };
}
