/** The page's head: name, language, theme. */
import { LANGS, type Lang } from '../protocol/recipe';
import { useUi } from './context';
import { applyTheme, THEMES } from './theme';

const LANG_NAMES: Record<Lang, string> = { en: 'English', ko: '한국어' };

export function Header() {
  const { tr, theme, language, store } = useUi();
  return (
    <header class="site-header">
      <a
        class="skip"
        href="#experiment"
        onClick={(event) => {
          // The hash belongs to the results of a link, so the jump is made by hand.
          event.preventDefault();
          document.getElementById('experiment')?.focus();
        }}
      >
        {tr('app.skip')}
      </a>
      <p class="brand">{tr('app.title')}</p>
      <div class="switches">
        <label class="switch">
          <span class="visually-hidden">{tr('lang.label')}</span>
          <select
            value={language}
            onChange={(event) => {
              const lang = LANGS.find((known) => known === event.currentTarget.value);
              if (lang !== undefined) store.setRecipe({ lang });
            }}
          >
            {LANGS.map((lang) => (
              <option key={lang} value={lang} lang={lang}>
                {LANG_NAMES[lang]}
              </option>
            ))}
          </select>
        </label>
        <label class="switch">
          <span class="visually-hidden">{tr('theme.label')}</span>
          <select
            value={theme.value}
            onChange={(event) => {
              const chosen = THEMES.find((known) => known === event.currentTarget.value) ?? 'system';
              theme.value = chosen;
              applyTheme(chosen);
            }}
          >
            {THEMES.map((known) => (
              <option key={known} value={known}>
                {tr(`theme.${known}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
    </header>
  );
}
