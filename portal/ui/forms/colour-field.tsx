import type { ReactNode } from 'react';
import { Field, Input } from './field.tsx';

type Props = {
  label: string;
  note?: ReactNode;
  hint: ReactNode;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  disabled: boolean;
  /** Shown by the picker while no colour is given. */
  fallback?: string;
};

/** A colour as `#rrggbb`, picked or typed. */
export function ColourField({ label, note, hint, value, onChange, error, disabled, fallback = '#1f6f8b' }: Props) {
  return (
    <Field label={label} note={note} hint={hint} error={error}>
      {(ids) => (
        <span className="flex gap-2">
          <input
            type="color"
            aria-label={`Pick the ${label.toLowerCase()}`}
            disabled={disabled}
            value={isColour(value) ? value : fallback}
            onChange={(event) => onChange(event.target.value)}
            className="min-h-8 w-11 rounded-md border border-control bg-surface p-1"
          />
          <Input
            {...ids}
            mono
            className="max-w-36"
            placeholder="#1f4e8c"
            maxLength={7}
            disabled={disabled}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )}
    </Field>
  );
}

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}
