import { uiText, useUiText } from '../text/reader.ts';
import clsx from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useDialogHost } from '../overlays/dialog-host.ts';
import './input.css';
import '../overlays/menu.css';
import '../overlays/popover.css';

export type Option = { value: string; label: string; hint?: string };

/** For options of which only the first are there: the others are looked for as one types. */
export type OptionSearch = {
  /** What `options` were looked for with. */
  text: string;
  onText: (text: string) => void;
  isBusy: boolean;
  /** What is said above the options, such as that there are more. */
  note?: string | undefined;
};

type ListboxProps = {
  options: readonly Option[];
  value: string | undefined;
  onPick: (value: string) => void;
  label: string;
  search?: OptionSearch | undefined;
  searchable?: boolean;
};

/** A list with one choice: arrow keys, Home, End, first letters and Enter; long lists have a search field. */
export function Listbox({ options, value, onPick, label, search, searchable = search !== undefined || options.length > 9 }: ListboxProps) {
  const t = useUiText();
  const id = useId();
  const [query, setQuery] = useState('');
  useSearchText(query, search?.onText);
  // Until what was typed is found, only what matches it can be picked.
  const isFound = search !== undefined && search.text === query.trim() && !search.isBusy;
  const shown = query && !isFound ? options.filter((option) => option.label.toLowerCase().includes(query.trim().toLowerCase())) : options;
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
    } else if (event.key === 'Enter' || (event.key === ' ' && !searchable)) {
      event.preventDefault();
      if (current) onPick(current.value);
    } else if (!searchable && event.key.length === 1) {
      const now = Date.now();
      typed.current = { text: (now - typed.current.at < 700 ? typed.current.text : '') + event.key.toLowerCase(), at: now };
      const found = shown.findIndex((option) => option.label.toLowerCase().startsWith(typed.current.text));
      if (found >= 0) setAt(found);
    }
  };
  const list = (
    <ul
      id={id}
      role="listbox"
      aria-label={label}
      tabIndex={searchable ? -1 : 0}
      autoFocus={!searchable}
      aria-activedescendant={current ? `opt-${current.value}` : undefined}
      className="outline-0"
    >
      {shown.map((option) => (
        // The listbox has the focus and handles the keys of its options.
        <li
          key={option.value}
          id={`opt-${option.value}`}
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
      {searchable ? (
        // Stays while the options scroll under it.
        <div className="sticky -top-1 -mx-1 -mt-1 mb-1 bg-raised px-1 pt-1">
          <input
            autoFocus
            role="combobox"
            aria-expanded
            aria-controls={id}
            aria-label={t('ui.searchIn', { name: label })}
            aria-activedescendant={current ? `opt-${current.value}` : undefined}
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
  /** What the value is called when it is not among the options. */
  chosenName?: string | undefined;
  search?: OptionSearch | undefined;
  placeholder?: string;
  id?: string;
  disabled?: boolean;
  size?: 'md' | 'lg';
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
};

/** Looks like an input with a chevron; the menu is a popover. */
export function Select({
  options,
  value,
  onChange,
  label,
  chosenName,
  search,
  placeholder = uiText('ui.choose'),
  size,
  disabled,
  ...rest
}: SelectProps) {
  const [open, setOpen] = useState(false);
  const chosen = options.find((option) => option.value === value)?.label ?? chosenName;
  return (
    <PickerPopover
      label={label}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          {...rest}
          disabled={disabled}
          aria-haspopup="listbox"
          className={clsx('input text-left', size === 'lg' && 'input-large')}
        >
          <span className={clsx('min-w-0 flex-1 truncate', !chosen && 'text-ink-3')}>{chosen ?? placeholder}</span>
          <ChevronDown aria-hidden />
        </button>
      }
    >
      <Listbox
        options={options}
        value={value}
        label={label}
        search={search}
        onPick={(picked) => {
          setOpen(false);
          onChange(picked);
        }}
      />
    </PickerPopover>
  );
}

/** A popover that holds a list; as wide as its trigger at least. */
export function PickerPopover({
  label,
  open,
  onOpenChange,
  trigger,
  children,
  align = 'start',
}: {
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  const [host, ref] = useDialogHost();
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild ref={ref}>
        {trigger}
      </Popover.Trigger>
      {/* A modal dialog makes everything outside it inert, so its lists must be inside it. */}
      <Popover.Portal container={host}>
        <Popover.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="menu popover min-w-(--radix-popover-trigger-width)"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
