import { useSyncExternalStore } from 'react';
import { getTheme, setTheme, subscribe, type Theme } from './theme.ts';

/** The chosen theme, or `system`, and how to choose another. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, getTheme, () => 'system'), setTheme];
}
