import type { AuthMethod } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useUser } from '../../app/session.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { PersonCell } from '../../ui/identity/person-cell.tsx';
import { Time } from '../../ui/text/time.tsx';
import { MemberActions } from './member-actions.tsx';
import { type Member, teamQuery } from './team-queries.ts';
import '../../ui/table/table.css';

/** Labels for the last login method. */
const HOW: Record<AuthMethod, string> = {
  password: 'Password',
  password_mfa: 'Password and code',
  saml: 'SSO (SAML)',
  oidc: 'SSO (OpenID)',
  view_as: 'View as',
};

/** The partner's team members with their roles. */
export function Members() {
  const user = useUser();
  return (
    <PagedTable
      list={useInfiniteQuery(teamQuery)}
      // The list always contains the current user.
      empty={null}
      expected={3}
      label="Members"
      columns={columns(user.id)}
      rowKey={(row) => row.id}
    />
  );
}

const roleOf = ({ partnerRole }: Member): string => (partnerRole === 'admin' ? 'Admin' : 'Moderator');

function columns(ownId: string): Column<Member>[] {
  return [
    {
      key: 'name',
      head: 'Name',
      lead: true,
      cell: (row) => (
        <PersonCell name={row.fullName || row.email} url={row.avatarUrl}>
          <span className="font-medium">{row.fullName || row.email}</span>
          {row.id === ownId ? <span className="text-ink-3"> (you)</span> : null}
          <span className="table-second-line">{row.email}</span>
          <span className="table-second-line table-phone-line">
            {roleOf(row)}, two-step {row.mfaEnabled ? 'on' : 'off'}
            {row.status === 'disabled' ? ', disabled' : ''}
          </span>
        </PersonCell>
      ),
    },
    { key: 'role', head: 'Role', hide: 'phone', cell: (row) => roleOf(row) },
    {
      key: 'mfa',
      head: 'Two-step',
      hide: 'phone',
      cell: (row) => <span className={row.mfaEnabled ? 'text-ink-2' : 'text-ink-3'}>{row.mfaEnabled ? 'On' : 'Off'}</span>,
    },
    {
      key: 'how',
      head: 'Login method',
      hide: 'phone',
      cell: (row) =>
        row.status === 'disabled' ? (
          <Status mark="pause">Disabled by staff</Status>
        ) : row.authMethod ? (
          <span className="text-ink-2">{HOW[row.authMethod]}</span>
        ) : (
          <span className="text-ink-3">never</span>
        ),
    },
    { key: 'seen', head: 'Last login', align: 'end', hide: 'phone', cell: (row) => <Time iso={row.lastLoginAt} className="text-ink-2" /> },
    {
      key: 'acts',
      head: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: (row) => <MemberActions member={row} />,
    },
  ];
}
