import { Sun } from 'lucide-react';
import { useTheme } from '../hooks/use-theme.ts';
import '../controls/button.css';
import './theme-choice.css';

const THEMES = [
  ['system', 'Same as the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** System, light or dark, for pages that load no menus: a popover of the browser. Rendered by the build, its `change` is heard by the landing page's script. */
export function ThemeChoice() {
  const [theme, setTheme] = useTheme();
  return (
    <>
      <button type="button" className="button button-quiet button-square" aria-label="Theme" popoverTarget="theme-choice">
        <Sun aria-hidden />
      </button>
      <fieldset id="theme-choice" popover="auto" className="theme-choice">
        <legend className="sr-only">Theme</legend>
        {THEMES.map(([value, label]) => (
          <label key={value}>
            <input type="radio" name="theme" value={value} checked={theme === value} onChange={() => setTheme(value)} />
            {label}
          </label>
        ))}
      </fieldset>
    </>
  );
}
