import { uiText, useUiText } from '../text/reader.ts';
import clsx from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useDialogHost } from '../overlays/dialog-host.ts';
import { findByLetters } from './find-by-letters.ts';
import './input.css';
import '../overlays/menu.css';
import '../overlays/popover.css';

export type Option = { value: string; label: string; hint?: string };

/** For a list of which only the first options are loaded: typing searches for the others. */
export type OptionSearch = {
  /** The search text of the current `options`. */
  text: string;
  onText: (text: string) => void;
  isBusy: boolean;
  /** Note above the options, such as that there are more. */
  note?: string | undefined;
};

type ListboxProps = {
  options: readonly Option[];
  value: string | undefined;
  onPick: (value: string) => void;
  label: string;
  search?: OptionSearch | undefined;
};

/** Letters typed within this time of each other look for one option together. */
const TYPING_MS = 700;

function isLong({ options, search }: Pick<ListboxProps, 'options' | 'search'>): boolean {
  return search !== undefined || options.length > 9;
}

/** A list with one choice: arrow keys, Home, End, first letters and Enter; long lists have a search field. */
function Listbox({ options, value, onPick, label, search }: ListboxProps) {
  const isSearchable = isLong({ options, search });
  const t = useUiText();
  const id = useId();
  const [query, setQuery] = useState('');
  useSearchText(query, search?.onText);
  // Until the search for the typed text ends, only loaded options that match can be picked.
  const isFound = search !== undefined && search.text === query.trim() && !search.isBusy;
  const all = options.map((option, index) => ({ ...option, id: `${id}-${index}` }));
  const shown = query && !isFound ? all.filter((option) => option.label.toLowerCase().includes(query.trim().toLowerCase())) : all;
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      options.findIndex((option) => option.value === value),
    ),
  );
  const typed = useRef({ text: '', at: 0 });
  const current = shown[Math.min(at, shown.length - 1)];

  const onKeyDown = (event: KeyboardEvent): void => {
    const last = shown.length - 1;
    const moves: Record<string, number> = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      setAt(move);
    } else if (event.key === 'Enter' || (event.key === ' ' && !isSearchable)) {
      event.preventDefault();
      if (current) onPick(current.value);
    } else if (!isSearchable && event.key.length === 1) {
      const isMore = event.timeStamp - typed.current.at < TYPING_MS;
      typed.current = { text: (isMore ? typed.current.text : '') + event.key.toLowerCase(), at: event.timeStamp };
      const found = findByLetters(
        shown.map((option) => option.label),
        at,
        typed.current.text,
      );
      if (found >= 0) setAt(found);
    }
  };
  const list = (
    <ul
      id={id}
      role="listbox"
      aria-label={label}
      tabIndex={isSearchable ? -1 : 0}
      aria-activedescendant={isSearchable ? undefined : current?.id}
      className="outline-0"
    >
      {shown.map((option) => (
        // The listbox has the focus and handles the keys of its options.
        <li
          key={option.value}
          id={option.id}
          role="option"
          aria-selected={option.value === value}
          data-current={option === current ? '' : undefined}
          ref={option === current ? (node) => node?.scrollIntoView({ block: 'nearest' }) : undefined}
          className="menu-item scroll-mt-18"
          onPointerMove={() => setAt(shown.indexOf(option))}
          onClick={() => onPick(option.value)}
        >
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
          {option.hint ? <span className="text-xs text-ink-3">{option.hint}</span> : null}
          {option.value === value ? <Check aria-hidden /> : <span className="w-3.5" />}
        </li>
      ))}
      {shown.length === 0 ? (
        <li className="px-2 py-1.5 text-ink-3">
          {search === undefined || isFound ? t('ui.nothingMatches', { text: query.trim() }) : t('ui.loading')}
        </li>
      ) : null}
    </ul>
  );
  return (
    <div onKeyDown={onKeyDown}>
      {isSearchable ? (
        // Stays while the options scroll under it.
        <div className="sticky -top-1 -mx-1 -mt-1 mb-1 bg-raised px-1 pt-1">
          <input
            autoFocus
            role="combobox"
            aria-expanded
            aria-controls={id}
            aria-autocomplete="list"
            aria-label={t('ui.searchIn', { name: label })}
            aria-activedescendant={current?.id}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setAt(0);
            }}
            placeholder={t('ui.search')}
            className="w-full border-b border-line-soft px-2 py-1.5 outline-0 placeholder:text-ink-3"
          />
          {search ? (
            <p role="status" className="px-2 py-1.5 text-xs text-ink-3 empty:hidden">
              {search.note}
            </p>
          ) : null}
        </div>
      ) : null}
      {list}
    </div>
  );
}

/** Reports what was typed after a pause, so that not every letter causes a request; the next list begins with nothing typed. */
function useSearchText(typed: string, onText: ((text: string) => void) | undefined): void {
  useEffect(() => {
    const timer = setTimeout(() => onText?.(typed.trim()), 250);
    return () => clearTimeout(timer);
  }, [typed, onText]);
  useEffect(() => () => onText?.(''), [onText]);
}

type SelectProps = {
  options: readonly Option[];
  value: string | undefined;
  onChange: (value: string) => void;
  label: string;
  /** Label of the value if it is not among the options. */
  chosenName?: string | undefined;
  search?: OptionSearch | undefined;
  placeholder?: string;
  id?: string;
  disabled?: boolean;
  size?: 'md' | 'lg';
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
};

/** Looks like an input with a chevron, and is named by its label and its value. */
export function Select({
  options,
  value,
  onChange,
  label,
  chosenName,
  search,
  placeholder = uiText('ui.choose'),
  size,
  ...rest
}: SelectProps) {
  const chosen = options.find((option) => option.value === value)?.label ?? chosenName;
  return (
    <ListPicker
      options={options}
      value={value}
      label={label}
      search={search}
      onPick={onChange}
      trigger={
        // The label alone, which names an input, would hide the value from assistive technology.
        <button
          type="button"
          {...rest}
          aria-label={`${label}: ${chosen ?? placeholder}`}
          className={clsx('input text-left', size === 'lg' && 'input-large')}
        >
          <span className={clsx('min-w-0 flex-1 truncate', !chosen && 'text-ink-3')}>{chosen ?? placeholder}</span>
          <ChevronDown aria-hidden />
        </button>
      }
    />
  );
}

type ListPickerProps = ListboxProps & {
  /** A button that is named by what the list sets, and by its value. */
  trigger: ReactNode;
  onOpenChange?: (isOpen: boolean) => void;
};

/** A button that opens a list, by a click or an arrow key; the list is as wide as the button at least. */
export function ListPicker({ trigger, onOpenChange, onPick, ...list }: ListPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const [host, ref] = useDialogHost();
  const change = (next: boolean): void => {
    setOpen(next);
    onOpenChange?.(next);
  };
  // With a search field it is a dialog, which holds more than the list.
  const popup = isLong(list) ? ({ role: 'dialog', 'aria-label': list.label } as const) : ({ role: 'presentation' } as const);
  return (
    <Popover.Root open={isOpen} onOpenChange={change}>
      <Popover.Trigger
        asChild
        ref={ref}
        aria-haspopup={popup.role === 'dialog' ? 'dialog' : 'listbox'}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          change(true);
        }}
      >
        {trigger}
      </Popover.Trigger>
      {/* A modal dialog makes everything outside it inert, so its lists must be inside it. */}
      <Popover.Portal container={host}>
        <Popover.Content
          {...popup}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="menu popover min-w-(--radix-popover-trigger-width)"
        >
          <Listbox
            {...list}
            onPick={(picked) => {
              change(false);
              onPick(picked);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
