import { ROLES, USER_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { api } from '../../app/api.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { USER_ROLE } from '../../shared/labels.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { SavedFilters } from '../../shared/saved-filters.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { shownColumns, TableTools, type TableView, useTableView } from '../../ui/table/table-tools.tsx';
import { PersonCell } from '../../ui/identity/person-cell.tsx';
import { Time } from '../../ui/text/time.tsx';
import { type User, type UserFilters, usersQuery } from './queries.ts';
import { StaffMemberActions } from './staff-member-actions.tsx';
import '../../ui/table/table.css';

type Props = { search: UserFilters; onSearch: (change: UserFilters) => void };

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
  const onText = useCallback((q: string | undefined) => onSearch({ q }), [onSearch]);
  return (
    <>
      <PageHeader
        title="Users"
        meta="Everyone who can log in, across all agencies and their clients"
        actions={<ExportButton name="users" read={() => api.exportUsers({ query: search })} />}
      />
      <FilterBar
        text={search.q}
        onText={onText}
        placeholder="Name or e-mail"
        chips={
          <>
            <FilterChip
              name="Role"
              value={search.role}
              options={ROLE_CHOICES}
              onChange={(role) => onSearch({ role: ROLES.find((one) => one === role) })}
            />
            <FilterChip
              name="State"
              value={search.status}
              options={STATUS_CHOICES}
              onChange={(status) => onSearch({ status: USER_STATUSES.find((one) => one === status) })}
            />
          </>
        }
        tools={
          <>
            <SavedFilters table="users" keys={['q', 'role', 'status']} />
            <TableTools view={view} choices={CHOICES} />
          </>
        }
      />
      <UserTable search={search} onSearch={onSearch} view={view} />
    </>
  );
}

function UserTable({ search, onSearch, view }: Props & { view: TableView }) {
  const list = useInfiniteQuery(usersQuery(search));
  const me = useUser();
  return (
    <PagedTable
      list={list}
      empty={<NoMatch what="user" q={search.q} onClear={() => onSearch({ q: undefined, role: undefined, status: undefined })} />}
      label="Users"
      columns={shownColumns(columnsFor(me.id), view)}
      rowKey={(row) => row.id}
      dense={view.isDense}
    />
  );
}

function columnsFor(ownId: string): Column<User>[] {
  return [
    {
      key: 'name',
      head: 'Name',
      lead: true,
      cell: (row) => (
        <PersonCell name={row.fullName} url={row.avatarUrl}>
          <span className="font-medium">{row.fullName}</span>
          {row.id === ownId ? <span className="text-ink-3"> (you)</span> : null}
          <span className="table-second-line">{row.email}</span>
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
