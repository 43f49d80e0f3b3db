import clsx from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';
import './checkbox.css';
import './field.css';
import './input.css';

type FieldProps = {
  label: ReactNode;
  /** Shown to the right of the label: "required", "128 of 320, one text". */
  note?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode;
  className?: string;
};

/** Label above, hint below; an error replaces the hint and is linked to the control. */
export function Field({ label, note, hint, error, children, className }: FieldProps) {
  const id = useId();
  const below = error ?? hint;
  return (
    <div className={className}>
      <div className="field-label">
        <label htmlFor={id} id={`${id}-label`}>
          {label}
        </label>
        {note ? <span className="field-note">{note}</span> : null}
      </div>
      {children({ id, 'aria-describedby': below ? `${id}-hint` : undefined, 'aria-invalid': error ? true : undefined })}
      {below ? (
        <p id={`${id}-hint`} className="field-hint" data-bad={error ? '' : undefined}>
          {below}
        </p>
      ) : null}
    </div>
  );
}

type InputProps = Omit<ComponentProps<'input'>, 'size'> & { size?: 'md' | 'lg'; mono?: boolean; before?: ReactNode; after?: ReactNode };

export function Input({ size, mono, before, after, className, ...rest }: InputProps) {
  const look = clsx('input', size === 'lg' && 'input-large', mono && 'font-mono', className);
  if (!before && !after) return <input {...rest} className={look} />;
  return (
    <span className={look}>
      {before}
      <input {...rest} />
      {after}
    </span>
  );
}

type TextFieldProps = Omit<InputProps, 'onChange'> &
  Pick<FieldProps, 'label' | 'note' | 'hint' | 'error'> & { onChange: (text: string) => void };

/** One line of text with its label. A text longer than `maxLength` is refused by the form at its field: a browser would cut it without a word. */
export function TextField({ label, note, hint, error, onChange, maxLength: _refused, ...input }: TextFieldProps) {
  return (
    <Field label={label} note={note} hint={hint} error={error}>
      {(ids) => (
        <Input
          {...input}
          {...ids}
          onChange={(event) => onChange(event.target.value)}
          {...(input.type === 'url' ? completesUrl(onChange) : {})}
        />
      )}
    </Field>
  );
}

/** People type an address without its scheme: "site.example/book" becomes "https://site.example/book" when they leave the field or press Enter. */
export function completesUrl(onChange: (text: string) => void): Pick<ComponentProps<'input'>, 'onBlur' | 'onKeyDown'> {
  const complete = (text: string): void => {
    const typed = text.trim();
    if (/^[\p{L}\d-]+(\.[\p{L}\d-]+)+(:\d+)?([/?#]\S*)?$/u.test(typed)) onChange(`https://${typed}`);
  };
  return {
    onBlur: (event) => complete(event.currentTarget.value),
    onKeyDown: (event) => {
      if (event.key === 'Enter') complete(event.currentTarget.value);
    },
  };
}

export function TextArea({ mono, className, ...rest }: ComponentProps<'textarea'> & { mono?: boolean }) {
  return <textarea {...rest} className={clsx('input', mono && 'font-mono text-xs', className)} />;
}

export function Checkbox({ label, hint, ...rest }: ComponentProps<'input'> & { label: ReactNode; hint?: ReactNode }) {
  return (
    <label className="flex gap-2.5 py-1">
      <input {...rest} type="checkbox" className="checkbox mt-0.5" />
      <span className="min-w-0">
        {label}
        {hint ? <span className="block text-xs text-ink-3">{hint}</span> : null}
      </span>
    </label>
  );
}
