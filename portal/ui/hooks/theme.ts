import { Listeners } from './listeners.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'portal.theme';
const listeners = new Listeners();

/** The chosen theme, or `system`. The page's first script reads the same key before the first paint. */
export function getTheme(): Theme {
  const pinned = document.documentElement.dataset.theme;
  return pinned === 'light' || pinned === 'dark' ? pinned : 'system';
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  listeners.notify();
}

/** Calls `listener` after each choice, until the returned function is called. */
export const { subscribe } = listeners;
