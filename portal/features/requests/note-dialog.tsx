import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Field, TextArea } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';

type Props = {
  open: boolean;
  title: string;
  /** What happens with the note. */
  lead: string;
  action: string;
  busy: string | false;
  required?: boolean;
  danger?: boolean;
  error: unknown;
  onClose: () => void;
  onSend: (note: string) => void;
};

/** Confirms a decision with a note for its reader. */
export function NoteDialog({ open, title, lead, action, busy, required = false, danger = false, error, onClose, onSend }: Props) {
  const [note, setNote] = useState('');
  useEffect(() => setNote(''), [open]);
  const isReady = !required || note.trim() !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady && !busy) onSend(note.trim());
  };
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <form onSubmit={submit} className="grid gap-4">
        <p className="text-ink-2">{lead}</p>
        {error ? <ErrorBlock error={error} /> : null}
        <Field label="Note" note={required ? 'required' : 'optional'}>
          {(ids) => (
            <TextArea {...ids} rows={3} maxLength={2000} autoFocus value={note} onChange={(event) => setNote(event.target.value)} />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Back</Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" inactive={!isReady} busy={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
