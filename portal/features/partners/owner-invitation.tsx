import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, formApi, type Reply } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { InvitationLink } from '../../shared/invitation-link.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import type { Invitation } from './team-queries.ts';

type WithLink = Reply<'resendInvitation'>;

/** Whether staff can still send this invitation: it is the owner’s, no owner has accepted, and no other one is open. */
export function maySend(row: Invitation, all: readonly Invitation[]): boolean {
  if (row.kind !== 'owner' || row.status === 'accepted') return false;
  const owners = all.filter(({ kind }) => kind === 'owner');
  return row.status !== 'revoked' || (row === owners[0] && owners.every(({ status }) => status === 'revoked'));
}

/** Sends the owner’s invitation again, also to a corrected address, and revokes it: no one of the agency can before its owner has accepted. */
export function OwnerInvitationActions({ row, onSend }: { row: Invitation; onSend: (row: Invitation) => void }) {
  const refusal = useRefusal('partners.manage');
  const revoke = useMutation({
    mutationFn: () => api.revokeInvitation({ params: { id: row.id } }),
    onSuccess: () => {
      announce(`Invitation for ${row.email} revoked.`);
      void refreshAfter('invitationsChanged');
    },
    onError: (error) => announceError(error),
  });
  return (
    <span className="inline-flex gap-1.5">
      <Button size="sm" disabledReason={refusal} onClick={() => onSend(row)}>
        Send again
      </Button>
      {row.status === 'pending' ? (
        <Button size="sm" kind="danger-text" disabledReason={refusal} busy={revoke.isPending && 'Revoking'} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      ) : null}
    </span>
  );
}

/** Asks for the address, and shows the new link, which cannot be read later. */
export function SendOwnerInvitation({ row, onClose }: { row: Invitation; onClose: () => void }) {
  const [sent, setSent] = useState<WithLink>();
  const form = useForm({
    saved: { email: row.email },
    send: ({ email }) => formApi.resendInvitation({ params: { id: row.id }, body: { email } }),
    onSaved: (invitation) => {
      setSent(invitation);
      void refreshAfter('invitationsChanged');
    },
    fieldOfCode: { email_in_use: 'email', already_pending: 'email' },
  });
  return (
    <Dialog open onClose={onClose} isSending={form.isBusy} title={sent ? 'New invitation link' : 'Send the owner’s invitation again'}>
      {sent ? (
        <InvitationLink invitation={sent} onDone={onClose} />
      ) : (
        <Form form={form} className="mt-3 grid gap-4">
          <TextField
            label="E-mail"
            hint="Correct it if it is wrong. The link that was sent before stops working."
            type="email"
            autoFocus
            required
            {...form.input('email')}
          />
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" type="submit" inactive={!form.values.email.trim()} busy={form.isBusy && 'Sending'}>
              Send
            </Button>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}
