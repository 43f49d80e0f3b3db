import { listBindings, useSingleKeys } from './key-bindings.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { Kbd } from '../layout/layout.tsx';
import { Switch } from '../controls/switch.tsx';

const GROUPS = ['Anywhere', 'Go', 'Lists', 'This page'] as const;

/** The list that `?` opens: all active shortcuts and the switch for single-letter keys. */
export function KeyList({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [isOn, setOn] = useSingleKeys();
  const bindings = open ? listBindings() : [];
  return (
    <Dialog open={open} onClose={onClose} title="Keys" wide>
      <div className="mt-3 grid gap-x-8 gap-y-4 md:grid-cols-2">
        {GROUPS.map((group) => {
          const mine = bindings.filter((binding) => binding.group === group);
          if (mine.length === 0) return null;
          return (
            <section key={group}>
              <h3 className="mb-1 text-xs text-ink-3">{group}</h3>
              <ul>
                {mine.map((binding) => (
                  <li key={binding.keys} className="flex h-[30px] items-center border-b border-line-soft">
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
