import { type ReactNode, useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Field, TextArea } from '../ui/forms/field.tsx';
import { Dialog, DialogActions, isTyped, TypedName } from '../ui/overlays/dialog.tsx';
import { Form } from './forms/form.tsx';
import { useForm } from './forms/use-form.ts';

type Props<Result> = {
  open?: boolean;
  title: string;
  /** The consequence of the action, and who reads the text. */
  children: ReactNode;
  label?: 'Note' | 'Reason';
  /** Shown next to the label. */
  hint?: string;
  required?: boolean;
  /** More to choose, below the text. */
  more?: ReactNode;
  /** Text that must be typed for an action that cannot be undone. */
  typed?: string | undefined;
  maxLength?: number;
  rows?: number;
  placeholder?: string;
  action: string;
  /** The action while it is in progress: "Rejecting". */
  busy: string;
  keep?: string;
  danger?: boolean;
  /** Calls the service with the trimmed text. */
  send: (text: string) => Promise<Result>;
  onSaved: (result: Result) => void;
  onClose: () => void;
};

/** Confirms an action with a text for its reader, or for the audit log. */
export function NoteDialog<Result>({ open = true, title, ...rest }: Props<Result>) {
  return (
    <Dialog open={open} onClose={rest.onClose} title={title}>
      <NoteForm {...rest} />
    </Dialog>
  );
}

function NoteForm<Result>({
  children,
  label = 'Note',
  required = false,
  hint = required ? 'required' : 'optional',
  more,
  typed,
  maxLength = 2000,
  rows = 3,
  placeholder,
  action,
  busy,
  keep = 'Back',
  danger = false,
  send,
  onSaved,
  onClose,
}: Omit<Props<Result>, 'open' | 'title'>) {
  const [name, setName] = useState('');
  const isAllowed = isTyped(name, typed);
  const form = useForm({
    saved: { text: '' },
    send: ({ text }) => send(text.trim()),
    onSaved,
    fieldNames: { note: 'text', reason: 'text' },
    keepValues: true,
  });
  return (
    <Form form={form} className="grid gap-4">
      <p className="text-ink-2">{children}</p>
      <Field label={label} note={hint} error={form.errors['text']}>
        {(ids) => (
          <TextArea
            {...ids}
            data-field="text"
            required={required}
            autoFocus
            rows={rows}
            maxLength={maxLength}
            placeholder={placeholder}
            value={form.values.text}
            onChange={(event) => form.set({ text: event.target.value })}
          />
        )}
      </Field>
      {more}
      {typed ? <TypedName name={typed} value={name} onChange={setName} /> : null}
      <DialogActions>
        <Button onClick={onClose}>{keep}</Button>
        <Button
          kind={danger ? 'danger' : 'primary'}
          type="submit"
          inactive={!isAllowed || (required && !form.values.text.trim())}
          busy={form.isBusy && busy}
        >
          {action}
        </Button>
      </DialogActions>
    </Form>
  );
}
