import { ACCOUNT_SCOPES, DELETION_REQUEST_STATUSES, REACTIVATION_REQUEST_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SearchChange } from '../../app/search-state.ts';
import { deletionsQuery, reactivationsQuery } from '../../queries/account.ts';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { type AccountRequestsSearch, deletionFilters, reactivationFilters } from './account-requests-search.ts';
import { DELETION_COLUMNS, REACTIVATION_COLUMNS } from './request-columns.tsx';
import { DeletionDrawer, ReactivationDrawer } from './request-drawer.tsx';
import { DELETION_STATUS, REACTIVATION_STATUS } from './words.ts';

type Props = { search: AccountRequestsSearch; onSearch: (change: SearchChange<AccountRequestsSearch>) => void };

const DELETION_STATUSES = DELETION_REQUEST_STATUSES.map((value) => ({ value, label: DELETION_STATUS[value].word }));
const REACTIVATION_STATUSES = REACTIVATION_REQUEST_STATUSES.map((value) => ({ value, label: REACTIVATION_STATUS[value].word }));
const SCOPES = ACCOUNT_SCOPES.map((value) => ({ value, label: value === 'partner' ? 'Agencies' : 'Clients' }));

/** Requests of agencies and clients to be deleted or reactivated, for staff. */
export function AccountRequestsPage({ search, onSearch }: Props) {
  useTitle('Account requests');
  return (
    <>
      <PageHeader title="Account requests" meta="Deletions and reactivations of agencies and their clients" />
      {search.show ? <Reactivations search={search} onSearch={onSearch} /> : <Deletions search={search} onSearch={onSearch} />}
    </>
  );
}

function Deletions({ search, onSearch }: Props) {
  const list = useInfiniteQuery(deletionsQuery(deletionFilters(search)));
  const opened = rowsOf(list).find(({ id }) => id === search.request);
  const close = useCallback(() => onSearch({ request: undefined }), [onSearch]);
  return (
    <>
      <FilteredList
        {...filtersOf(search, onSearch, DELETION_STATUSES)}
        none={
          <EmptyState title="No deletion requests">
            Requests to delete an agency or a client appear here. Those of agencies are in the work queue too, until they are decided.
          </EmptyState>
        }
        noMatch="deletion request"
        list={list}
        label="Deletion requests"
        columns={DELETION_COLUMNS}
        rowKey={({ id }) => id}
        openKey={search.request}
        onOpen={({ id }) => onSearch({ request: id })}
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
      <FilteredList
        {...filtersOf(search, onSearch, REACTIVATION_STATUSES)}
        none={
          <EmptyState title="No reactivation requests">A suspended agency or client that asks to be active again appears here.</EmptyState>
        }
        noMatch="reactivation request"
        list={list}
        label="Reactivation requests"
        columns={REACTIVATION_COLUMNS}
        rowKey={({ id }) => id}
        openKey={search.request}
        onOpen={({ id }) => onSearch({ request: id })}
      />
      {opened ? <ReactivationDrawer key={opened.id} request={opened} onClose={close} /> : null}
    </>
  );
}

type Status = NonNullable<AccountRequestsSearch['status']>;

/** The filters of both lists, and the switch between them. */
function filtersOf(search: AccountRequestsSearch, onSearch: Props['onSearch'], statuses: readonly { value: Status; label: string }[]) {
  return {
    search,
    onSearch,
    filters: ['status', 'scope'] as const,
    chips: (
      <>
        <FilterChip name="Status" value={search.status} options={statuses} onChange={(status) => onSearch({ status })} />
        <FilterChip name="Account" value={search.scope} options={SCOPES} onChange={(scope) => onSearch({ scope })} />
      </>
    ),
    tools: (
      <Segmented
        label="Requests"
        value={search.show ?? 'deletion'}
        options={[
          { value: 'deletion', label: 'Deletion' },
          { value: 'reactivation', label: 'Reactivation' },
        ]}
        onChange={(next) => onSearch({ show: next === 'reactivation' ? next : undefined, status: undefined, request: undefined })}
      />
    ),
  };
}
