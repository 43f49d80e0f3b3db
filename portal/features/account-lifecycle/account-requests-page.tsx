import { ACCOUNT_SCOPES, DELETION_REQUEST_STATUSES, REACTIVATION_REQUEST_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { deletionsQuery, reactivationsQuery } from '../../queries/account.ts';
import { PagedTable, rowsOf } from '../../shared/paged-table.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { type AccountRequestsSearch, deletionFilters, reactivationFilters } from './account-requests-search.ts';
import { DELETION_COLUMNS, REACTIVATION_COLUMNS } from './request-columns.tsx';
import { DeletionDrawer, ReactivationDrawer } from './request-drawer.tsx';
import { DELETION_STATUS, REACTIVATION_STATUS } from './words.ts';

type Props = { search: AccountRequestsSearch; onSearch: (change: AccountRequestsSearch) => void };

const SCOPES = ACCOUNT_SCOPES.map((value) => ({ value, label: value === 'partner' ? 'Agencies' : 'Clients' }));

/** Requests of agencies and clients to be deleted or reactivated, for staff. */
export function AccountRequestsPage({ search, onSearch }: Props) {
  useTitle('Account requests');
  const { show } = search;
  const statuses = show
    ? REACTIVATION_REQUEST_STATUSES.map((value) => ({ value, label: REACTIVATION_STATUS[value].word }))
    : DELETION_REQUEST_STATUSES.map((value) => ({ value, label: DELETION_STATUS[value].word }));
  return (
    <>
      <PageHeader title="Account requests" meta="Deletions and reactivations of agencies and their clients" />
      <FilterBar
        chips={
          <>
            <FilterChip
              name="Status"
              value={search.status}
              options={statuses}
              onChange={(status) => onSearch({ status: statuses.find(({ value }) => value === status)?.value })}
            />
            <FilterChip
              name="Account"
              value={search.scope}
              options={SCOPES}
              onChange={(scope) => onSearch({ scope: ACCOUNT_SCOPES.find((one) => one === scope) })}
            />
          </>
        }
        tools={
          <Segmented
            label="Requests"
            value={show ?? 'deletion'}
            options={[
              { value: 'deletion', label: 'Deletion' },
              { value: 'reactivation', label: 'Reactivation' },
            ]}
            onChange={(next) =>
              onSearch({ show: next === 'reactivation' ? 'reactivation' : undefined, status: undefined, request: undefined })
            }
          />
        }
      />
      {show ? <Reactivations search={search} onSearch={onSearch} /> : <Deletions search={search} onSearch={onSearch} />}
    </>
  );
}

function Deletions({ search, onSearch }: Props) {
  const list = useInfiniteQuery(deletionsQuery(deletionFilters(search)));
  const opened = rowsOf(list).find(({ id }) => id === search.request);
  const close = useCallback(() => onSearch({ request: undefined }), [onSearch]);
  return (
    <>
      <PagedTable
        list={list}
        label="Deletion requests"
        columns={DELETION_COLUMNS}
        rowKey={({ id }) => id}
        openKey={search.request}
        onOpen={({ id }) => onSearch({ request: id })}
        empty={<Empty search={search} onSearch={onSearch} what="deletion" />}
      />
      {opened ? <DeletionDrawer key={opened.id} request={opened} onClose={close} /> : null}
    </>
  );
}

function Reactivations({ search, onSearch }: Props) {
  const list = useInfiniteQuery(reactivationsQuery(reactivationFilters(search)));
  const opened = rowsOf(list).find(({ id }) => id === search.request);
  const close = useCallback(() => onSearch({ request: undefined }), [onSearch]);
  return (
    <>
      <PagedTable
        list={list}
        label="Reactivation requests"
        columns={REACTIVATION_COLUMNS}
        rowKey={({ id }) => id}
        openKey={search.request}
        onOpen={({ id }) => onSearch({ request: id })}
        empty={<Empty search={search} onSearch={onSearch} what="reactivation" />}
      />
      {opened ? <ReactivationDrawer key={opened.id} request={opened} onClose={close} /> : null}
    </>
  );
}

function Empty({ search, onSearch, what }: Props & { what: 'deletion' | 'reactivation' }) {
  if (search.status || search.scope)
    return <NoMatch what={`${what} request`} q={undefined} onClear={() => onSearch({ status: undefined, scope: undefined })} />;
  return (
    <EmptyState title={`No ${what} requests`}>
      {what === 'deletion'
        ? 'Requests to delete an agency or a client appear here. Those of agencies are in the work queue too, until they are decided.'
        : 'A suspended agency or client that asks to be active again appears here.'}
    </EmptyState>
  );
}
