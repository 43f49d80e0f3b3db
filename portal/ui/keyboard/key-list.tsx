import { listBindings, useSingleKeys } from './key-bindings.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { Kbd } from '../layout/layout.tsx';
import { Switch } from '../controls/switch.tsx';

const GROUPS = ['Anywhere', 'Go', 'Lists', 'This page'] as const;

/** Keys of every list, also where the page behind has none. */
const LIST_KEYS = [
  { keys: 'j', label: 'Next row' },
  { keys: 'k', label: 'Previous row' },
  { keys: 'Enter', label: 'Open the row' },
  { keys: 'x', label: 'Select the row' },
].map((key) => ({ ...key, group: 'Lists' as const }));

/** The list that `?` opens: all active shortcuts, those of lists, and the switch for single-letter keys. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useSingleKeys();
  const active = listBindings();
  const bindings = [...active, ...LIST_KEYS.filter(({ keys }) => !active.some((binding) => binding.keys === keys))];
  return (
    <Dialog open onClose={onClose} title="Keys" wide>
      {/* Columns, not a grid: groups of different lengths leave no hole. */}
      <div className="mt-3 gap-x-8 md:columns-2">
        {GROUPS.map((group) => {
          const mine = bindings.filter((binding) => binding.group === group);
          if (mine.length === 0) return null;
          return (
            <section key={group} className="mb-4 break-inside-avoid">
              <h3 className="mb-1 text-xs text-ink-3">{group}</h3>
              <ul>
                {mine.map((binding) => (
                  <li key={binding.keys} className="flex h-7.5 items-center border-b border-line-soft">
                    <span className="flex-1">{binding.label}</span>
                    <span className="flex gap-1">
                      {show(binding.keys).map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      <div className="mt-5 flex items-center gap-3">
        <Switch checked={isOn} onChange={setOn} label="Single-letter keys" />
        <div>
          <p className="font-medium">Single-letter keys</p>
          <p className="text-xs text-ink-3">Turn them off if your assistive tools send letters. Ctrl K always works.</p>
        </div>
      </div>
    </Dialog>
  );
}

function show(keys: string): string[] {
  if (keys.startsWith('mod+')) return [navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl', keys.slice(4).toUpperCase()];
  return keys.split(' ').map((key) => (key.length === 1 ? key.toUpperCase() : key));
}
