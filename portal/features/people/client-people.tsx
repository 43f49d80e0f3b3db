import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { PagedTable, rowsOf } from '../../shared/paged-table.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { PersonCell } from '../../ui/identity/person-cell.tsx';
import { Time } from '../../ui/text/time.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { InvitationList, InviteDialog } from './invitations.tsx';
import { type Client, clientUsersQuery } from '../../queries/clients.ts';
import { clientLoginUrl, domainQuery } from '../../queries/domain.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/table/table.css';

type User = Reply<'listClientUsers'>['data'][number];

/** Users and invitations of one client. */
export function ClientPeople({ client }: { client: Client }) {
  const users = useInfiniteQuery(clientUsersQuery(client.id));
  const { data: domain } = useQuery(domainQuery);
  const [isInviting, setInviting] = useState(false);
  const refusal = useRefusal('invitations.manage');
  const scope = { kind: 'client_user', clientId: client.id } as const;
  return (
    <>
      <Section
        title="People"
        note={users.hasNextPage ? undefined : rowsOf(users).length || undefined}
        aside={
          <div className="flex items-center gap-2">
            {domain ? <CopyButton text={clientLoginUrl(domain)} label="Copy portal link" /> : null}
            <Button size="sm" icon={<UserPlus aria-hidden />} disabledReason={refusal} onClick={() => setInviting(true)}>
              Invite
            </Button>
          </div>
        }
      >
        <PagedTable
          list={users}
          expected={3}
          empty={
            <EmptyState title="No users yet">
              Invite someone at {client.name}. They appear here once they accept, and see their own business only.
            </EmptyState>
          }
          label="People"
          columns={columns(client)}
          rowKey={(user) => user.id}
        />
      </Section>
      <Section title="Invitations">
        <InvitationList scope={scope} empty={`Invite someone at ${client.name}. They get a link to set a password.`} />
      </Section>
      <InviteDialog scope={scope} open={isInviting} onClose={() => setInviting(false)} title={`Invite someone at ${client.name}`} />
    </>
  );
}

function columns(client: Client): Column<User>[] {
  return [
    {
      key: 'name',
      head: 'Name',
      lead: true,
      cell: (user) => (
        <PersonCell name={user.fullName || user.email} url={user.avatarUrl}>
          <span className="font-medium">{user.fullName || user.email}</span>
          <span className="table-second-line table-phone-line">{user.email}</span>
        </PersonCell>
      ),
    },
    { key: 'email', head: 'E-mail', hide: 'phone', cell: (user) => <span className="text-ink-2">{user.email}</span> },
    {
      key: 'status',
      head: 'State',
      hide: 'phone',
      cell: (user) => (user.status === 'active' ? <span className="text-ink-2">Active</span> : <span className="text-warn">Disabled</span>),
    },
    {
      key: 'seen',
      head: 'Last login',
      align: 'end',
      hide: 'phone',
      cell: (user) => <Time iso={user.lastLoginAt} className="text-ink-2" />,
    },
    {
      key: 'acts',
      head: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: (user) => <RemoveUser client={client} user={user} />,
    },
  ];
}

function RemoveUser({ client, user }: { client: Client; user: User }) {
  const [isAsking, setAsking] = useState(false);
  const refusal = useRefusal('clients.manage');
  const name = user.fullName || user.email;
  const remove = useMutation({
    mutationFn: () => api.removeClientUser({ params: { id: client.id, userId: user.id } }),
    onSuccess: () => {
      setAsking(false);
      announce(`${name} can no longer log in.`);
      void refreshAfter('clientUsersChanged', client.id);
    },
    onError: (error) => {
      setAsking(false);
      announceError(error);
    },
  });
  return (
    <>
      <Button size="sm" kind="danger-text" disabledReason={refusal} onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Remove ${name}?`}
        action="Remove"
        busy={remove.isPending && 'Removing'}
        onConfirm={() => remove.mutate()}
      >
        <b>{name}</b> is logged out immediately and can no longer see {client.name}. You can invite them again. If the chatbot mails
        hand-overs to {user.email}, it notifies everyone of the inbox instead.
      </ConfirmDialog>
    </>
  );
}
