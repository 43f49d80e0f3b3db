import { useState } from 'react';
import { formatDay } from '../text/format.ts';
import { Field, Input } from './field.tsx';
import './input.css';

type WriteOnlyProps = {
  label: string;
  /** When it was saved; 'unknown' when the time was not recorded. */
  savedAt: string | undefined;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  error?: string | undefined;
  placeholder?: string;
  disabled?: boolean;
};

/** A field whose value is never shown: it shows when the value was saved, and Replace opens it for a new one. */
export function WriteOnlyField({ label, savedAt, value, onChange, hint, error, placeholder, disabled }: WriteOnlyProps) {
  const [isReplacing, setReplacing] = useState(savedAt === undefined);
  return (
    <Field label={label} note={savedAt ? undefined : 'required'} hint={hint} error={error}>
      {(ids) =>
        isReplacing ? (
          <Input
            {...ids}
            mono
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={value}
            placeholder={placeholder}
            disabled={disabled}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <span className="input">
            <span className="flex-1 text-ink-3">saved{savedAt && savedAt !== 'unknown' ? ` ${formatDay(savedAt)}` : ''}, never shown</span>
            <button {...ids} type="button" className="link" disabled={disabled} onClick={() => setReplacing(true)}>
              Replace
            </button>
          </span>
        )
      }
    </Field>
  );
}
