import { ROLES, USER_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { USER_ROLE } from '../../shared/labels.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { useTableView } from '../../ui/table/table-tools.tsx';
import { PersonCell } from '../../ui/identity/person-cell.tsx';
import { Time } from '../../ui/text/time.tsx';
import { type User, type UserFilters, usersQuery } from './queries.ts';
import type { SearchChange } from '../../app/search-state.ts';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { StaffMemberActions } from './staff-member-actions.tsx';
import '../../ui/table/table.css';

type Props = { search: UserFilters; onSearch: (change: SearchChange<UserFilters>) => void };

const ROLE_CHOICES = ROLES.map((value) => ({ value, label: USER_ROLE[value] }));
const STATUS_CHOICES = USER_STATUSES.map((value) => ({ value, label: value === 'active' ? 'Active' : 'Disabled' }));

/** Columns that can be hidden. */
const CHOICES = [
  { key: 'agency', word: 'Agency' },
  { key: 'role', word: 'Role' },
  { key: 'mfa', word: 'MFA' },
  { key: 'status', word: 'State' },
  { key: 'login', word: 'Last login' },
];

/** All users across partners and clients. */
export function UsersPage({ search, onSearch }: Props) {
  useTitle('Users');
  const view = useTableView('users');
  const list = useInfiniteQuery(usersQuery(search));
  const me = useUser();
  return (
    <>
      <PageHeader
        title="Users"
        meta="Everyone who can log in, across all agencies and their clients"
        actions={<ExportButton name="users" read={() => api.exportUsers({ query: search })} />}
      />
      <FilteredList
        search={search}
        onSearch={onSearch}
        filters={['q', 'role', 'status']}
        placeholder="Name or e-mail"
        chips={
          <>
            <FilterChip name="Role" value={search.role} options={ROLE_CHOICES} onChange={(role) => onSearch({ role })} />
            <FilterChip name="State" value={search.status} options={STATUS_CHOICES} onChange={(status) => onSearch({ status })} />
          </>
        }
        saved="users"
        view={view}
        hideable={CHOICES}
        // The list always contains the current user.
        none={null}
        noMatch="user"
        list={list}
        label="Users"
        columns={columnsFor(me.id)}
        rowKey={(row) => row.id}
      />
    </>
  );
}

function columnsFor(ownId: string): Column<User>[] {
  return [
    {
      key: 'name',
      head: 'Name',
      lead: true,
      cell: (row) => (
        <PersonCell name={row.fullName || row.email} url={row.avatarUrl}>
          <span className="font-medium">{row.fullName || row.email}</span>
          {row.id === ownId ? <span className="text-ink-3"> (you)</span> : null}
          {row.fullName ? <span className="table-second-line">{row.email}</span> : null}
          <span className="table-second-line table-phone-line">
            {roleOf(row)}
            {row.status === 'active' ? '' : ', disabled'}
          </span>
        </PersonCell>
      ),
    },
    {
      key: 'agency',
      head: 'Agency',
      hide: 'phone',
      cell: (row) =>
        row.role === 'ADMIN' ? (
          <span className="text-ink-3">–</span>
        ) : (
          <Link className="hover:underline" to="/admin/partners/$partnerId" params={{ partnerId: row.partnerId }}>
            {row.partnerName}
          </Link>
        ),
    },
    { key: 'role', head: 'Role', hide: 'phone', cell: (row) => <span className="text-ink-2">{roleOf(row)}</span> },
    {
      key: 'mfa',
      head: 'MFA',
      hide: 'phone',
      cell: (row) => <span className={row.mfaEnabled ? 'text-ink-2' : 'text-ink-3'}>{row.mfaEnabled ? 'On' : 'Off'}</span>,
    },
    {
      key: 'status',
      head: 'State',
      hide: 'phone',
      cell: (row) => <Status mark={row.status === 'active' ? 'ok' : 'pause'}>{row.status === 'active' ? 'Active' : 'Disabled'}</Status>,
    },
    { key: 'login', head: 'Last login', align: 'end', hide: 'phone', cell: (row) => <Time iso={row.lastLoginAt} className="text-ink-2" /> },
    {
      key: 'act',
      head: <span className="sr-only">Action</span>,
      align: 'end',
      cell: (row) => <StaffMemberActions user={row} />,
    },
  ];
}

function roleOf(row: User): string {
  return row.role === 'PARTNER' ? (row.partnerRole === 'admin' ? 'Agency admin' : 'Agency moderator') : USER_ROLE[row.role];
}
