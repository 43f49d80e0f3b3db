import { uiText } from '../text/reader.ts';
import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Kbd } from '../layout/layout.tsx';

/** Filter chips on the left, the text filter (focused with /) and tools on the right. */
export function FilterBar({
  chips,
  text,
  onText,
  placeholder = uiText('ui.filterByText'),
  tools,
}: {
  chips?: ReactNode;
  text?: string | undefined;
  onText?: (text: string | undefined) => void;
  placeholder?: string;
  tools?: ReactNode;
}) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <div className="flex flex-wrap items-center gap-1.5">{chips}</div>
      <div className="ml-auto flex items-center gap-2 max-md:w-full max-md:justify-end">
        {tools}
        {onText ? <TextFilter text={text ?? ''} onText={onText} placeholder={placeholder} /> : null}
      </div>
    </div>
  );
}

type TextFilterProps = {
  text: string;
  onText: (text: string | undefined) => void;
  placeholder: string;
  /** Fills the row it is in. */
  isWide?: boolean;
};

/** Waits for a pause in typing, so that not every letter causes a request. */
export function TextFilter({ text, onText, placeholder, isWide = false }: TextFilterProps) {
  const [typed, setTyped] = useState(text);
  // Texts that were reported and are not `text` yet. When one becomes `text`, newer input must not be overwritten.
  const reported = useRef<string[]>([]);
  useEffect(() => {
    const at = reported.current.indexOf(text);
    reported.current = reported.current.slice(at + 1);
    if (at < 0) setTyped(text);
  }, [text]);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => {
      reported.current.push(typed.trim());
      onText(typed.trim() || undefined);
    }, 250);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  return (
    <span
      data-wide={isWide ? '' : undefined}
      className="flex h-6.5 w-50 data-wide:h-8 data-wide:w-full items-center gap-2 rounded-sm border border-line bg-surface px-2 text-xs max-md:h-11 max-md:flex-1 max-md:text-base focus-within:border-accent-mark focus-within:shadow-[0_0_0_1px_var(--color-accent-mark)]"
    >
      <Search className="icon-small text-ink-3" aria-hidden />
      <input
        data-filter-text
        type="search"
        aria-label={placeholder}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="min-w-0 flex-1 outline-0 placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
      />
      {typed ? null : (
        <span className="max-md:hidden">
          <Kbd>/</Kbd>
        </span>
      )}
    </span>
  );
}
