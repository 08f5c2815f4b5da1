/** Composition root: the store, the automation contract, the page. */
import { effect, signal } from '@preact/signals';
import { h, render } from 'preact';
import { loadCatalog, preferredLang, t } from './i18n';
import { installAutomation } from './lab/automation';
import { keepHistory } from './lab/history-keeper';
import { createStore } from './lab/store';
import type { Lang } from './protocol/recipe';
import { App } from './ui/app';
import type { Ui } from './ui/context';
import { applyTheme, readTheme } from './ui/theme';

const store = createStore();
const wanted = (): Lang => store.recipe.value.lang ?? preferredLang(navigator.languages);
const ui: Ui = {
  store,
  lang: signal('en'),
  theme: signal(readTheme()),
  badFields: signal(new Map()),
  announcement: signal(''),
};

applyTheme(ui.theme.value);
installAutomation(store);
keepHistory(store);

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no #app');

/** Shows the language once its catalog is there. A switch that was overtaken by another is dropped. */
async function showLanguage(lang: Lang): Promise<void> {
  await loadCatalog(lang);
  if (lang !== wanted()) return;
  ui.lang.value = lang;
  document.documentElement.lang = lang;
  document.title = t(lang, 'app.title');
}

effect(() => {
  void showLanguage(wanted()).then(() => {
    // The first time; later calls find nothing to change.
    render(h(App, { ui }), root);
  });
});
