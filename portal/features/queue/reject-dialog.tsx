import { type FormEvent, useEffect, useState } from 'react';
import { fieldErrors } from '../../app/errors.ts';
import type { PlanRequest } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Field, TextArea } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';

type Props = {
  open: boolean;
  request: PlanRequest;
  busy: boolean;
  error: unknown;
  onClose: () => void;
  onSend: (note: string) => void;
};

/** Rejects a plan request with a note for the applicant. */
export function RejectDialog({ open, request, busy, error, onClose, onSend }: Props) {
  const [note, setNote] = useState('');
  useEffect(() => setNote(''), [open]);
  const isReady = note.trim() !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady && !busy) onSend(note.trim());
  };
  const errors = fieldErrors(error);
  return (
    <Dialog open={open} onClose={onClose} title={`Reject ${request.applicant.companyName}?`}>
      <form onSubmit={submit} className="grid gap-4">
        <p className="text-ink-2">{request.applicant.fullName} gets your note by e-mail. Explain why, and what would help.</p>
        {error && !errors['note'] ? <ErrorBlock error={error} /> : null}
        <Field label="Note" note="required" error={errors['note']}>
          {(ids) => (
            <TextArea {...ids} rows={4} maxLength={2000} autoFocus value={note} onChange={(event) => setNote(event.target.value)} />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Back</Button>
          <Button kind="danger" type="submit" inactive={!isReady} busy={busy && 'Rejecting'}>
            Reject
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
