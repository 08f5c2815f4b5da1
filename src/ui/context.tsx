/** What every component may use: the store, the texts of the chosen language, and the one live region. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Signal } from '@preact/signals';
import { faultText, t, type TextKey, type TextParams } from '../i18n';
import type { Store } from '../lab/store';
import type { Fault } from '../protocol/faults';
import { formatBytes, formatInteger } from '../protocol/format';
import type { Lang, Recipe } from '../protocol/recipe';
import type { Theme } from './theme';

/** State of the page itself, beside the store's: none of it changes a measurement. */
export interface Ui {
  store: Store;
  /** The language whose catalog is loaded and shown. */
  lang: Signal<Lang>;
  theme: Signal<Theme>;
  /** Form fields whose text cannot be used at the moment; while there are any, nothing runs. */
  badFields: Signal<ReadonlyMap<keyof Recipe, Fault>>;
  /** What the live region says; the last message wins. */
  announcement: Signal<string>;
}

const UiContext = createContext<Ui | null>(null);
export const UiProvider = UiContext.Provider;

/** The context with texts and numbers in the chosen language. Throws outside of a UiProvider. */
export function useUi() {
  const ui = useContext(UiContext);
  if (ui === null) throw new Error('a component was used outside of the UiProvider');
  const lang = ui.lang.value;
  return {
    ...ui,
    language: lang,
    tr: (key: TextKey, params?: TextParams) => t(lang, key, params),
    faultSentence: (fault: Fault) => faultText(lang, fault),
    int: (value: number) => formatInteger(value, lang),
    size: (bytes: number) => formatBytes(bytes, lang),
    announce: (message: string) => {
      ui.announcement.value = message;
    },
  };
}
