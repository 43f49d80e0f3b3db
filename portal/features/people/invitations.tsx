import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, formApi, type Reply } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { INVITATION_STATES, invitationMail } from '../../shared/labels.ts';
import { InvitationLink } from '../../shared/invitation-link.tsx';
import { RevokeInvitation } from '../../shared/revoke-invitation.tsx';
import { NEW_MEMBERS } from './team-view.ts';
import { type Invitation, type InvitationScope, invitationsQuery } from './team-queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import '../../ui/table/table.css';

type WithLink = Reply<'resendInvitation'>;

const refresh = (): void => void refreshAfter('invitationsChanged');

/** Invitations with their status; resends, revokes and shows the new link. */
export function InvitationList({ scope, empty }: { scope: InvitationScope; empty: string }) {
  const list = useInfiniteQuery(invitationsQuery(scope));
  const [fresh, setFresh] = useState<WithLink>();
  return (
    <>
      <PagedTable
        list={list}
        empty={<EmptyState title="No invitations yet">{empty}</EmptyState>}
        expected={4}
        label="Invitations"
        columns={columns(setFresh)}
        rowKey={(row) => row.id}
      />
      <Dialog open={fresh !== undefined} onClose={() => setFresh(undefined)} title="New invitation link">
        {fresh ? <InvitationLink invitation={fresh} onDone={() => setFresh(undefined)} /> : null}
      </Dialog>
    </>
  );
}

function columns(onFresh: (invitation: WithLink) => void): Column<Invitation>[] {
  return [
    {
      key: 'email',
      head: 'Invited',
      lead: true,
      cell: (row) => (
        <>
          <span className="font-medium">{row.email}</span>
          {row.fullName ? <span className="text-ink-3"> {row.fullName}</span> : null}
          <span className="table-second-line table-phone-line">
            {INVITATION_STATES[row.status].word}, {invitationMail(row)}
          </span>
        </>
      ),
    },
    {
      key: 'status',
      head: 'State',
      hide: 'phone',
      cell: (row) => <Status mark={INVITATION_STATES[row.status].mark}>{INVITATION_STATES[row.status].word}</Status>,
    },
    {
      key: 'mail',
      head: 'Mail',
      hide: 'phone',
      cell: (row) => (
        <span className={row.emailStatus === 'failed' ? 'text-bad' : 'text-ink-3'}>
          {invitationMail(row)}
          {row.resendCount ? `, sent again ${row.resendCount === 1 ? 'once' : `${row.resendCount} times`}` : ''}
        </span>
      ),
    },
    { key: 'sent', head: 'Sent', align: 'end', hide: 'phone', cell: (row) => <Time iso={row.sentAt} className="text-ink-2" /> },
    {
      key: 'until',
      head: 'Expires',
      align: 'end',
      hide: 'phone',
      cell: (row) =>
        row.status === 'pending' ? <Time iso={row.expiresAt} className="text-ink-2" /> : <span className="text-ink-3">–</span>,
    },
    {
      key: 'acts',
      head: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: (row) => <RowActions row={row} onFresh={onFresh} />,
    },
  ];
}

function RowActions({ row, onFresh }: { row: Invitation; onFresh: (invitation: WithLink) => void }) {
  const refusal = useRefusal('invitations.manage');
  const resend = useMutation({
    mutationFn: () => api.resendInvitation({ params: { id: row.id } }),
    onSuccess: (invitation) => {
      onFresh(invitation);
      refresh();
    },
    onError: (error) => announceError(error),
  });
  // Final: a person who is wanted after all is invited again.
  if (row.status === 'accepted' || row.status === 'revoked') return null;
  return (
    <span className="inline-flex gap-1.5">
      <Button size="sm" disabledReason={refusal} busy={resend.isPending && 'Sending'} onClick={() => resend.mutate()}>
        Send again
      </Button>
      <RevokeInvitation invitation={row} refusal={refusal} />
    </span>
  );
}

/** Invites one person and shows the invitation link. */
export function InviteDialog({
  scope,
  open,
  onClose,
  onInvited,
  title,
}: {
  scope: InvitationScope;
  open: boolean;
  onClose: () => void;
  onInvited?: () => void;
  title: string;
}) {
  const [made, setMade] = useState<WithLink>();
  const close = (): void => {
    setMade(undefined);
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title={made ? 'Invitation created' : title}>
      {made ? (
        <InvitationLink invitation={made} onDone={close} />
      ) : (
        <InviteForm
          scope={scope}
          onMade={(invitation) => {
            setMade(invitation);
            refresh();
            onInvited?.();
          }}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

function InviteForm({ scope, onMade, onClose }: { scope: InvitationScope; onMade: (invitation: WithLink) => void; onClose: () => void }) {
  const form = useForm({
    saved: { email: '', fullName: '' },
    send: ({ email, fullName }) =>
      formApi.createInvitation({ body: { ...scope, email, ...(fullName.trim() ? { fullName: fullName.trim() } : {}) } }),
    onSaved: onMade,
  });
  return (
    <Form form={form} className="mt-3 grid gap-4">
      <TextField label="E-mail" note="required" type="email" autoFocus required {...form.input('email')} />
      <TextField label="Name" maxLength={LIMITS.nameMax} {...form.input('fullName')} />
      <p className="text-xs text-ink-3">{scope.kind === 'team' ? NEW_MEMBERS : 'They see this business only, in your branding.'}</p>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" inactive={!form.values.email.trim()} busy={form.isBusy && 'Inviting'}>
          Invite
        </Button>
      </DialogActions>
    </Form>
  );
}
