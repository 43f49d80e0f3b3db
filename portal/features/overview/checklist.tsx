import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/controls/button.tsx';
import type { Summary } from '../../queries/agency.ts';

const KEY = 'portal.checklist-hidden';
const WORDS = ['', 'One step', 'Two steps', 'Three steps', 'Four steps', 'Five steps', 'Six steps'];

/** Onboarding checklist, ticked from the account's data. Hidden once dismissed or complete. */
export function Checklist({ items }: { items: Summary['checklist'] }) {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(KEY) === 'yes');
  const left = items.filter((item) => !item.done);
  const next = left[0];
  if (isHidden || !next) return null;
  const hide = (): void => {
    localStorage.setItem(KEY, 'yes');
    setHidden(true);
  };
  return (
    <div className="mb-5 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-dashed border-line py-1.5 pr-2 pl-3.5">
      <span className="flex gap-[3px]" aria-hidden>
        {items.map((item) => (
          <i
            key={item.key}
            className={`h-1 w-2.5 rounded-[2px] ${item.done ? 'bg-ink-2' : 'shadow-[inset_0_0_0_1px_var(--color-control)]'}`}
          />
        ))}
      </span>
      <p className="min-w-0 flex-1">
        <b>{WORDS[left.length] ?? `${left.length} steps`} left.</b>{' '}
        <Link to={next.href} className="text-ink-2 hover:underline">
          {next.label}.
        </Link>
      </p>
      <IconButton size="sm" label="Hide the checklist" onClick={hide}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
