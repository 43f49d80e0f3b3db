import type { ReactNode } from 'react';
import './segmented.css';

type SegmentedProps<T extends string> = {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: ReactNode; name?: string }[];
};

/** Switches between two to four views of the same content. Arrow keys move, as in a radio group. */
export function Segmented<T extends string>({ label, value, onChange, options }: SegmentedProps<T>) {
  const move = (step: number): void => {
    const at = options.findIndex((option) => option.value === value);
    const next = options[(at + step + options.length) % options.length];
    if (next) onChange(next.value);
  };
  return (
    <div role="radiogroup" aria-label={label} className="segmented">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          aria-label={option.name}
          tabIndex={option.value === value ? 0 : -1}
          ref={(node) => {
            if (option.value === value && node?.parentElement?.contains(document.activeElement)) node.focus();
          }}
          onClick={() => onChange(option.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowRight') move(1);
            else if (event.key === 'ArrowLeft') move(-1);
          }}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
