import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../app/api.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { INVITATION_STATES, invitationMail } from '../../shared/labels.ts';
import { PagedTable } from '../../shared/paged-table.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PersonCell } from '../../ui/identity/person-cell.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { maySend, OwnerInvitationActions, SendOwnerInvitation } from './owner-invitation.tsx';
import { type Invitation, type Member, partnerInvitationsQuery, partnerMembersQuery, type TeamView } from './team-queries.ts';
import '../../ui/table/table.css';

type Props = {
  partnerId: string;
  view: TeamView;
  onView: (view: TeamView) => void;
  /** What staff can do with a member. */
  actions: (member: Member) => ReactNode;
};

/** Members and invitations of one agency, for staff. */
export function PartnerTeam({ partnerId, view, onView, actions }: Props) {
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Segmented
          label="Team"
          value={view}
          onChange={onView}
          options={[
            { value: 'members', label: 'Members' },
            { value: 'invitations', label: 'Invitations' },
          ]}
        />
        <span className="ml-auto">
          {view === 'members' ? (
            <ExportButton key="members" size="sm" name="team" read={() => api.exportUsers({ query: { partnerId, role: 'PARTNER' } })} />
          ) : (
            <ExportButton key="invitations" size="sm" name="invitations" read={() => api.exportInvitations({ query: { partnerId } })} />
          )}
        </span>
      </div>
      {view === 'members' ? <Members partnerId={partnerId} actions={actions} /> : <Invitations partnerId={partnerId} />}
    </>
  );
}

function Members({ partnerId, actions }: Pick<Props, 'partnerId' | 'actions'>) {
  return (
    <PagedTable
      list={useInfiniteQuery(partnerMembersQuery(partnerId))}
      empty={<EmptyState title="No members yet">The owner appears here after accepting the invitation.</EmptyState>}
      expected={4}
      label="Members"
      columns={memberColumns(actions)}
      rowKey={(row) => row.id}
    />
  );
}

const permissionOf = ({ partnerRole }: Member): string => (partnerRole === 'admin' ? 'Admin' : 'Moderator');

function memberColumns(actions: Props['actions']): Column<Member>[] {
  return [
    {
      key: 'name',
      head: 'Name',
      lead: true,
      cell: (row) => (
        <PersonCell name={row.fullName || row.email} url={row.avatarUrl}>
          <span className="font-medium">{row.fullName || row.email}</span>
          <span className="table-second-line">{row.email}</span>
          <span className="table-second-line table-phone-line">
            {permissionOf(row)}, two-step {row.mfaEnabled ? 'on' : 'off'}
            {row.status === 'disabled' ? ', disabled' : ''}
          </span>
        </PersonCell>
      ),
    },
    { key: 'permission', head: 'Role', hide: 'phone', cell: permissionOf },
    {
      key: 'mfa',
      head: 'Two-step',
      hide: 'phone',
      cell: (row) => <span className={row.mfaEnabled ? 'text-ink-2' : 'text-ink-3'}>{row.mfaEnabled ? 'On' : 'Off'}</span>,
    },
    {
      key: 'state',
      head: 'State',
      hide: 'phone',
      cell: (row) => <Status mark={row.status === 'active' ? 'ok' : 'pause'}>{row.status === 'active' ? 'Active' : 'Disabled'}</Status>,
    },
    { key: 'since', head: 'Member since', align: 'end', hide: 'phone', cell: (row) => <Time iso={row.createdAt} className="text-ink-2" /> },
    { key: 'seen', head: 'Last login', align: 'end', hide: 'phone', cell: (row) => <Time iso={row.lastLoginAt} className="text-ink-2" /> },
    { key: 'act', head: <span className="sr-only">Actions</span>, align: 'end', cell: actions },
  ];
}

function Invitations({ partnerId }: Pick<Props, 'partnerId'>) {
  const list = useInfiniteQuery(partnerInvitationsQuery(partnerId));
  const all = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const [sending, setSending] = useState<Invitation>();
  return (
    <>
      <PagedTable
        list={list}
        empty={
          <EmptyState title="No invitations yet">Invitations to the team and to clients appear here once the agency sends them.</EmptyState>
        }
        expected={4}
        label="Invitations"
        columns={invitationColumns(all, setSending)}
        rowKey={(row) => row.id}
      />
      {sending ? <SendOwnerInvitation row={sending} onClose={() => setSending(undefined)} /> : null}
    </>
  );
}

const KINDS: Record<Invitation['kind'], string> = { owner: 'Owner', team: 'Member', client_user: 'Client user' };

const invitationColumns = (all: readonly Invitation[], onSend: (row: Invitation) => void): Column<Invitation>[] => [
  {
    key: 'email',
    head: 'Invited',
    lead: true,
    cell: (row) => (
      <>
        <span className="font-medium">{row.email}</span>
        {row.fullName ? <span className="text-ink-3"> {row.fullName}</span> : null}
        <span className="table-second-line table-phone-line">
          {KINDS[row.kind]}, {INVITATION_STATES[row.status].word.toLowerCase()}
        </span>
      </>
    ),
  },
  { key: 'kind', head: 'As', hide: 'phone', cell: (row) => <span className="text-ink-2">{KINDS[row.kind]}</span> },
  {
    key: 'state',
    head: 'State',
    hide: 'phone',
    cell: (row) => <Status mark={INVITATION_STATES[row.status].mark}>{INVITATION_STATES[row.status].word}</Status>,
  },
  {
    key: 'mail',
    head: 'Mail',
    hide: 'phone',
    cell: (row) => <span className={row.emailStatus === 'failed' ? 'text-bad' : 'text-ink-3'}>{invitationMail(row)}</span>,
  },
  { key: 'sent', head: 'Sent', align: 'end', hide: 'phone', cell: (row) => <Time iso={row.sentAt} className="text-ink-2" /> },
  {
    key: 'until',
    head: 'Expires',
    align: 'end',
    hide: 'phone',
    cell: (row) => (row.status === 'pending' ? <Time iso={row.expiresAt} className="text-ink-2" /> : <span className="text-ink-3">–</span>),
  },
  {
    key: 'acts',
    head: <span className="sr-only">Actions</span>,
    align: 'end',
    cell: (row) => (maySend(row, all) ? <OwnerInvitationActions row={row} onSend={onSend} /> : null),
  },
];
