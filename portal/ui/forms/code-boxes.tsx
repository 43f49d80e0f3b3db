import { useUiText } from '../text/reader.ts';
import { useRef } from 'react';
import './code-boxes.css';

/** Six boxes over one input, so that paste, autofill and screen readers work. `onComplete` is called with the sixth digit. */
export function CodeBoxes({
  value,
  onChange,
  onComplete,
  bad,
  disabled,
}: {
  value: string;
  onChange: (value: string) => void;
  onComplete: (value: string) => void;
  bad?: boolean;
  disabled?: boolean;
}) {
  const t = useUiText();
  const input = useRef<HTMLInputElement>(null);
  const change = (text: string): void => {
    const digits = text.replace(/\D/g, '').slice(0, 6);
    onChange(digits);
    if (digits.length === 6 && digits !== value) onComplete(digits);
  };
  const box = (at: number) => (
    <span key={at} aria-hidden data-current={at === Math.min(value.length, 5) ? '' : undefined}>
      {value[at] ?? ''}
    </span>
  );
  return (
    <div className="code-boxes" data-bad={bad ? '' : undefined} onClick={() => input.current?.focus()}>
      {[0, 1, 2].map(box)}
      <i aria-hidden />
      {[3, 4, 5].map(box)}
      <input
        ref={input}
        autoFocus
        aria-label={t('ui.code')}
        aria-invalid={bad || undefined}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={value}
        disabled={disabled}
        onChange={(event) => change(event.target.value)}
      />
    </div>
  );
}
