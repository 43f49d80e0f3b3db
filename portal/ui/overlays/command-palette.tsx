import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { takeKept } from '../keyboard/keep-keys.ts';
import { Kbd } from '../layout/layout.tsx';
import { useBackdrop } from './backdrop.ts';
import { holdFocus } from './dialog.tsx';
import { openModal } from './modal-dialogs.ts';
import './command-palette.css';
import './dialog.css';
import './overlay.css';

export type PaletteItem = { key: string; group: 'Go to' | 'Do' | 'Recent'; icon: ReactNode; words: string; kind?: string; run: () => void };

type PaletteProps = {
  onClose: () => void;
  items: readonly PaletteItem[];
  onQuery: (query: string) => void;
  isSearching: boolean;
  placeholder: string;
};

/** Finds pages and actions by typing. Matches are bold. */
export function CommandPalette({ onClose, items, onQuery, isSearching, placeholder }: PaletteProps) {
  const [query, setQuery] = useState('');
  const ref = useRef<HTMLDialogElement>(null);
  const backdrop = useBackdrop(onClose);
  const takeTyped = useEffectEvent(() => {
    const typed = takeKept();
    if (!typed) return;
    setQuery(typed);
    onQuery(typed);
  });
  useEffect(() => {
    const letGo = ref.current ? openModal(ref.current) : undefined;
    takeTyped();
    return letGo;
  }, []);
  const shown = items.filter((item) => matches(item.words, query));
  const change = (text: string): void => {
    setQuery(text);
    onQuery(text);
  };
  return (
    <dialog ref={ref} className="overlay dialog command-palette" aria-label="Search or jump to" onClose={onClose} {...backdrop}>
      <Command shouldFilter={false} label="Search or jump to" loop>
        <div className="flex h-11 items-center gap-2.5 border-b border-line px-3.5 text-base">
          <Search className="icon text-ink-3" aria-hidden />
          <Command.Input
            ref={holdFocus}
            value={query}
            onValueChange={change}
            placeholder={placeholder}
            className="min-w-0 flex-1 outline-0 placeholder:text-ink-3"
          />
          <Kbd>Esc</Kbd>
        </div>
        <Command.List className="max-h-[52vh] overflow-y-auto pb-1.5">
          {shown.length === 0 && !isSearching ? <p className="px-3.5 py-4 text-ink-3">Nothing matches “{query}”.</p> : null}
          {(['Recent', 'Go to', 'Do'] as const).map((group) => {
            const inGroup = shown.filter((item) => item.group === group).slice(0, 12);
            if (inGroup.length === 0) return null;
            return (
              <Command.Group
                key={group}
                heading={group}
                className="[&_[cmdk-group-heading]]:px-3.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-3"
              >
                {inGroup.map((item) => (
                  <Command.Item
                    key={item.key}
                    value={item.key}
                    onSelect={() => {
                      onClose();
                      item.run();
                    }}
                    className="mx-1.5 flex h-8.5 items-center gap-2.5 rounded-md px-2 data-[selected=true]:bg-accent-wash data-[selected=true]:shadow-[inset_2px_0_0_var(--color-accent-mark)] [&_svg]:size-4 [&_svg]:stroke-[1.5] [&_svg]:text-ink-3"
                  >
                    {item.icon}
                    <span className="min-w-0 flex-1 truncate">
                      <Bold text={item.words} query={query} />
                    </span>
                    {item.kind ? <span className="text-xs text-ink-3">{item.kind}</span> : null}
                  </Command.Item>
                ))}
              </Command.Group>
            );
          })}
        </Command.List>
      </Command>
    </dialog>
  );
}

function matches(words: string, query: string): boolean {
  const text = words.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => text.includes(part));
}

function Bold({ text, query }: { text: string; query: string }) {
  const parts = query
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (parts.length === 0) return text;
  return text.split(new RegExp(`(${parts.join('|')})`, 'gi')).map((piece, at) => (at % 2 ? <b key={at}>{piece}</b> : piece));
}
