import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import '../controls/chip.css';
import { isOfInputMethod } from '../keyboard/input-method.ts';
import { Field } from './field.tsx';
import './input.css';

type Props = {
  label: string;
  note?: ReactNode;
  hint: ReactNode;
  placeholder: string;
  items: readonly string[];
  /** Text typed but not added yet. */
  typed: string;
  onChange: (items: string[], typed: string) => void;
  /** Adds what a text names; `bad` is a part of it that cannot be added. */
  add: (items: readonly string[], text: string) => { items: string[]; bad: string | undefined };
  /** Explains why the text cannot be added. */
  explainBad: (bad: string) => string;
  /** Whether Space adds the typed text, in addition to Enter and comma. */
  spaceAdds?: boolean;
  /** Name of the field in its form: text that cannot be added blocks the submit. */
  fieldName?: string;
  error: string | undefined;
  disabled: boolean;
};

/** A list of short texts as chips. Enter, comma or leaving the field adds one; Backspace in an empty field removes the last. */
export function ChipsField({
  items,
  typed,
  onChange,
  add,
  explainBad,
  spaceAdds,
  fieldName,
  error,
  disabled,
  placeholder,
  ...words
}: Props) {
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem]);
  const take = (text: string): void => {
    const { items: next, bad } = add(items, text);
    setProblem(bad ? explainBad(bad) : undefined);
    onChange(next, bad ?? '');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isOfInputMethod(event.nativeEvent)) return;
    if ((event.key === 'Enter' || event.key === ',' || (spaceAdds && event.key === ' ')) && typed.trim()) {
      event.preventDefault();
      take(typed);
    } else if (event.key === 'Backspace' && !typed) onChange(items.slice(0, -1), '');
  };
  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    take(`${typed}${event.clipboardData.getData('text')}`);
  };
  const type = (text: string): void => {
    if (!text) setProblem(undefined);
    onChange([...items], text);
  };
  return (
    <Field {...words} error={problem ?? error}>
      {(ids) => (
        <span className="input flex-wrap !gap-1.5" aria-disabled={disabled || undefined}>
          {items.map((item) => (
            <span key={item} className="chip max-w-full">
              <span className="chip-value truncate">{item}</span>
              {disabled ? null : (
                <button
                  type="button"
                  className="chip-remove"
                  aria-label={`Remove ${item}`}
                  onClick={() => {
                    input.current?.focus();
                    onChange(
                      items.filter((one) => one !== item),
                      typed,
                    );
                  }}
                >
                  <X className="icon-small" aria-hidden />
                </button>
              )}
            </span>
          ))}
          <input
            {...ids}
            ref={input}
            data-field={fieldName}
            className="!min-w-32"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            disabled={disabled}
            placeholder={items.length === 0 ? placeholder : ''}
            value={typed}
            onChange={(event) => type(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={() => (typed.trim() ? take(typed) : undefined)}
          />
        </span>
      )}
    </Field>
  );
}
