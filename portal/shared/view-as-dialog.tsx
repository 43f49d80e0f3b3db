import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../app/api.ts';
import { queryClient } from '../app/query-client.ts';
import { fieldErrors } from '../app/errors.ts';
import { beginView } from '../app/session.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../ui/overlays/dialog.tsx';
import { Field, TextArea } from '../ui/forms/field.tsx';
import { FormError } from './error-block.tsx';

type Props = {
  open: boolean;
  onClose: () => void;
  /** Name of the agency or client to view as. */
  name: string;
  scope: { partnerId?: string; clientId?: string };
};

const REASON_MAX = 300;

/** Asks for a reason, then opens a view-as session: read-only, for 30 minutes, recorded in both audit logs. */
export function ViewAsDialog({ open, onClose, name, scope }: Props) {
  const [reason, setReason] = useState('');
  const begin = useMutation({
    mutationFn: () => api.viewAs({ body: { ...scope, reason: reason.trim() } }),
    onSuccess: (session) => {
      queryClient.clear();
      beginView(session);
    },
  });
  const errors = fieldErrors(begin.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason.trim() && !begin.isPending) begin.mutate();
  };
  return (
    <Dialog open={open} onClose={onClose} title={`View as ${name}`}>
      <form onSubmit={submit} className="grid gap-4">
        <p className="text-ink-2">
          For 30 minutes you see what they see and cannot change anything. Your name and the reason are recorded in the audit log.
        </p>
        <FormError error={begin.error} />
        <Field label="Reason" note={`${reason.length} of ${REASON_MAX}`} error={errors['reason']}>
          {(ids) => (
            <TextArea
              {...ids}
              required
              autoFocus
              rows={2}
              maxLength={REASON_MAX}
              placeholder="They asked why a text was not sent"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Stay here</Button>
          <Button kind="primary" type="submit" inactive={!reason.trim()} busy={begin.isPending && 'Opening'}>
            View as {name}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
