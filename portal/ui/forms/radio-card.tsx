import type { ReactNode } from 'react';

type Props = { name: string; isChosen: boolean; onPick: () => void; disabled?: boolean; children: ReactNode };

/** One choice of a fieldset, as a ruled block that is a radio button as a whole. */
export function RadioCard({ name, isChosen, onPick, disabled = false, children }: Props) {
  return (
    <label className="flex cursor-pointer gap-3 rounded-lg border border-line p-3.5 hover:bg-hover has-checked:border-accent-mark has-checked:bg-accent-wash has-disabled:cursor-default has-disabled:hover:bg-transparent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-mark">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        disabled={disabled}
        onChange={onPick}
        className="mt-1 size-4 flex-none accent-accent-mark outline-0"
      />
      <span className="min-w-0 flex-1">{children}</span>
    </label>
  );
}
