import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../ui/overlays/dialog.tsx';
import { Field, Input, TextArea } from '../ui/forms/field.tsx';
import type { Json } from '../ui/text/json-viewer.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';
import { LeaveGuard } from './forms/leave-guard.tsx';
import type { InputErrors } from './use-input-errors.ts';

export type JsonObject = { [key: string]: Json };

type Props = {
  open: boolean;
  onClose: () => void;
  title: string;
  input: JsonObject;
  labels: Readonly<Record<string, string>>;
  action: string;
  busy: string | false;
  /** The errors of the service, by key. */
  errors: InputErrors;
  note: string;
  /** Renders details to confirm before sending, such as the recipient of a message. */
  confirm?: (input: JsonObject, change: (part: JsonObject) => void) => ReactNode;
  onSubmit: (input: JsonObject) => void;
};

/** Edits the input of an execution in fields or as one JSON object. Values keep their type; those that are not strings are edited as JSON. */
export function EditInputDialog({ open, onClose, title, ...rest }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title} wide>
      {open ? <InputForm onClose={onClose} {...rest} /> : null}
    </Dialog>
  );
}

function InputForm({ onClose, input, labels, action, busy, errors, note, confirm, onSubmit }: Omit<Props, 'open' | 'title'>) {
  const [view, setView] = useState<'fields' | 'json'>('fields');
  const [draft, setDraft] = useState<JsonObject>(input);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const [changed, setChanged] = useState<{ since: InputErrors; keys: readonly string[] }>({ since: errors, keys: [] });
  // An error stays until its value is changed, and comes back when it is refused once more.
  const errorOf = (key: string): string | undefined => (changed.since === errors && changed.keys.includes(key) ? undefined : errors[key]);
  const change = (key: string, value: Json): void => {
    setDraft((before) => ({ ...before, [key]: value }));
    setChanged((before) => ({ since: errors, keys: [...(before.since === errors ? before.keys : []), key] }));
  };
  const keys = [...new Set([...Object.keys(draft), ...Object.keys(errors)])];
  const refused = Object.values(errors).join(' ');
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);
  const parsedText = view === 'json' ? parseObject(text) : undefined;
  // Input that starts a run is not lost; a refusal makes it input again.
  const sent = useRef<string>(undefined);
  useEffect(() => {
    if (!busy) sent.current = undefined;
  }, [busy, errors]);
  const typed = JSON.stringify(view === 'json' ? parsedText : draft);
  /** Focuses the first field that is not valid JSON: its text would be lost. */
  const stopsAtField = (): boolean => {
    const bad = form.current?.querySelector<HTMLElement>('[data-unreadable]');
    bad?.focus();
    return bad !== null && bad !== undefined;
  };
  const toJson = (): void => {
    if (stopsAtField()) return;
    setText(JSON.stringify(draft, null, 2));
    setProblem(undefined);
    setView('json');
  };
  const read = (): JsonObject | undefined => {
    if (view === 'fields') return stopsAtField() ? undefined : draft;
    setProblem(parsedText ? undefined : 'This is not a JSON object. Check quotes and commas.');
    if (!parsedText) form.current?.querySelector('textarea')?.focus();
    return parsedText;
  };
  const toFields = (): void => {
    const parsed = read();
    if (parsed) {
      setDraft(parsed);
      setView('fields');
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const parsed = read();
    if (!parsed || busy) return;
    sent.current = JSON.stringify(parsed);
    onSubmit(parsed);
  };
  return (
    <form ref={form} onSubmit={submit}>
      <LeaveGuard isAtRisk={() => typed !== JSON.stringify(input) && typed !== sent.current} />
      <div className="mb-4 flex gap-3 max-md:flex-col max-md:items-start md:items-center">
        <p className="flex-1 text-ink-2">{note}</p>
        <Segmented
          label="View"
          value={view}
          onChange={(next) => (next === 'json' ? toJson() : toFields())}
          options={[
            { value: 'fields', label: 'Fields' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      {view === 'json' ? (
        <Field label="Input" error={problem ?? (refused || undefined)}>
          {(ids) => <TextArea {...ids} mono rows={12} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
      ) : (
        <div className="grid gap-3">
          {keys.map((key) => (
            <ValueField
              key={key}
              name={key}
              label={labels[key] ?? key}
              value={draft[key] ?? ''}
              error={errorOf(key)}
              onChange={(next) => change(key, next)}
            />
          ))}
        </div>
      )}
      {confirm && view === 'fields' ? confirm(draft, (part) => setDraft((before) => ({ ...before, ...part }))) : null}
      {confirm && parsedText ? confirm(parsedText, (part) => setText(JSON.stringify({ ...parsedText, ...part }, null, 2))) : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

type ValueFieldProps = { name: string; label: string; value: Json; error: string | undefined; onChange: (value: Json) => void };

function ValueField({ name, label, value, error, onChange }: ValueFieldProps) {
  const note = label === name ? undefined : <code>{name}</code>;
  // Chosen once: another element would lose the focus while someone types.
  const [isLong] = useState(() => typeof value === 'string' && (value.length > 80 || value.includes('\n')));
  if (typeof value !== 'string') return <JsonField name={name} label={label} value={value} error={error} onChange={onChange} />;
  return (
    <Field label={label} note={note} error={error}>
      {(ids) =>
        isLong ? (
          <TextArea {...ids} value={value} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <Input {...ids} value={value} onChange={(event) => onChange(event.target.value)} />
        )
      }
    </Field>
  );
}

/** A number, list or object, edited as JSON and applied as soon as it is valid. */
function JsonField({ name, label, value, error, onChange }: ValueFieldProps) {
  const [text, setText] = useState(() => JSON.stringify(value));
  const isGood = parse(text) !== undefined;
  const change = (next: string): void => {
    setText(next);
    const parsed = parse(next);
    if (parsed !== undefined) onChange(parsed);
  };
  return (
    <Field label={label} note={label === name ? 'JSON' : <code>{name}</code>} error={isGood ? error : 'This is not valid JSON yet.'}>
      {(ids) => (
        <Input {...ids} mono data-unreadable={isGood ? undefined : ''} value={text} onChange={(event) => change(event.target.value)} />
      )}
    </Field>
  );
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // JSON.parse returns nothing but JSON values
  } catch {
    return undefined;
  }
}

function parseObject(text: string): JsonObject | undefined {
  const value = parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
