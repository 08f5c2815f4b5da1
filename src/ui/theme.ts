/** The page's theme: kept in localStorage, put on the document as `data-theme`, which the styles read. */

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'kvlab.theme';

/** The theme that was chosen on an earlier visit; `system` when none was, or when the storage is closed. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Shows a theme and keeps it; a closed storage only means that the next visit starts with `system`. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Blocked storage (private windows, strict settings): the choice holds for this visit.
  }
}
