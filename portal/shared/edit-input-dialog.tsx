import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../ui/overlays/dialog.tsx';
import { Field, Input, TextArea } from '../ui/forms/field.tsx';
import type { Json } from '../ui/text/json-viewer.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';

export type JsonObject = { [key: string]: Json };

type Props = {
  open: boolean;
  onClose: () => void;
  title: string;
  input: JsonObject;
  labels: Readonly<Record<string, string>>;
  action: string;
  busy: string | false;
  note: string;
  /** What is to be seen before it is sent, such as who gets a message. */
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

function InputForm({ onClose, input, labels, action, busy, note, confirm, onSubmit }: Omit<Props, 'open' | 'title'>) {
  const [view, setView] = useState<'fields' | 'json'>('fields');
  const [draft, setDraft] = useState<JsonObject>(input);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const parsedText = view === 'json' ? parseObject(text) : undefined;
  /** Focuses the first field that is not valid JSON: its text would be lost. */
  const stopsAtField = (): boolean => {
    const bad = form.current?.querySelector<HTMLElement>('[aria-invalid]');
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
    if (parsed && !busy) onSubmit(parsed);
  };
  return (
    <form ref={form} onSubmit={submit}>
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
        <Field label="Input" error={problem}>
          {(ids) => <TextArea {...ids} mono rows={12} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
      ) : (
        <div className="grid gap-3">
          {Object.entries(draft).map(([key, value]) => (
            <ValueField
              key={key}
              name={key}
              label={labels[key] ?? key}
              value={value}
              onChange={(next) => setDraft((before) => ({ ...before, [key]: next }))}
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

function ValueField({ name, label, value, onChange }: { name: string; label: string; value: Json; onChange: (value: Json) => void }) {
  const note = label === name ? undefined : <code>{name}</code>;
  // Chosen once: another element would lose the focus while someone types.
  const [isLong] = useState(() => typeof value === 'string' && (value.length > 80 || value.includes('\n')));
  if (typeof value !== 'string') return <JsonField name={name} label={label} value={value} onChange={onChange} />;
  return (
    <Field label={label} note={note}>
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
function JsonField({ name, label, value, onChange }: { name: string; label: string; value: Json; onChange: (value: Json) => void }) {
  const [text, setText] = useState(() => JSON.stringify(value));
  const isGood = parse(text) !== undefined;
  const change = (next: string): void => {
    setText(next);
    const parsed = parse(next);
    if (parsed !== undefined) onChange(parsed);
  };
  return (
    <Field label={label} note={label === name ? 'JSON' : <code>{name}</code>} error={isGood ? undefined : 'This is not valid JSON yet.'}>
      {(ids) => <Input {...ids} mono value={text} onChange={(event) => change(event.target.value)} />}
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
