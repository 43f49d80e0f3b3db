import { Monitor, Moon, Sun } from 'lucide-react';
import { useTheme } from '../hooks/use-theme.ts';
import { Menu } from '../overlays/menu.tsx';
import '../controls/button.css';

/** System, light or dark. */
export function ThemeMenu() {
  const [theme, setTheme] = useTheme();
  const items = [
    {
      label: 'Same as the system',
      icon: <Monitor aria-hidden />,
      onPick: () => setTheme('system'),
      checked: theme === 'system',
      isChoice: true,
    },
    { label: 'Light', icon: <Sun aria-hidden />, onPick: () => setTheme('light'), checked: theme === 'light', isChoice: true },
    { label: 'Dark', icon: <Moon aria-hidden />, onPick: () => setTheme('dark'), checked: theme === 'dark', isChoice: true },
  ];
  return (
    <Menu
      items={items}
      label="Theme"
      trigger={
        <button type="button" className="button button-quiet button-square" aria-label="Theme">
          {theme === 'dark' ? <Moon aria-hidden /> : <Sun aria-hidden />}
        </button>
      }
    />
  );
}
