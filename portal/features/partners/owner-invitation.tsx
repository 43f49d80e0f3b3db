import { useState } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { InvitationLink } from '../../shared/invitation-link.tsx';
import { RevokeInvitation } from '../../shared/revoke-invitation.tsx';
import { Button } from '../../ui/controls/button.tsx';
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
  return (
    <span className="inline-flex gap-1.5">
      <Button size="sm" disabledReason={refusal} onClick={() => onSend(row)}>
        Send again
      </Button>
      <RevokeInvitation invitation={row} refusal={refusal} />
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
    <Dialog open onClose={onClose} title={sent ? 'New invitation link' : 'Send the owner’s invitation again'}>
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
