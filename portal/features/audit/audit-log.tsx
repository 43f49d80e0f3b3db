import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { SavedFilters } from '../../shared/saved-filters.tsx';
import { PagedTable, rowsOf } from '../../shared/paged-table.tsx';
import { AuditChips } from './audit-chips.tsx';
import { auditColumns } from './audit-columns.tsx';
import { EntryDrawer } from './entry-drawer.tsx';
import { ExportMenu } from './export-menu.tsx';
import { auditListQuery, type AuditScope, type AuditSearch } from './queries.ts';
import { loadMore } from '../../shared/load-more.ts';

type Props = {
  scope: AuditScope;
  /** Shows the partner of each entry; off on one partner's own log. */
  isStaff?: boolean;
  search: AuditSearch;
  onSearch: (change: AuditSearch) => void;
};

/** The audit log, newest first, with filters in the URL and an entry drawer. */
export function AuditLog({ scope, isStaff = false, search, onSearch }: Props) {
  const list = useInfiniteQuery(auditListQuery({ ...search, ...scope }));
  const rows = rowsOf(list);
  const onText = useCallback((actor: string | undefined) => onSearch({ actor }), [onSearch]);
  const close = useCallback(() => onSearch({ entry: undefined }), [onSearch]);
  const more = (): void => void loadMore(list);
  return (
    <>
      <FilterBar
        text={search.actor?.includes('@') ? search.actor : undefined}
        onText={onText}
        placeholder="E-mail address"
        chips={<AuditChips search={search} rows={rows} isStaff={isStaff} onSearch={onSearch} />}
        tools={
          <>
            <SavedFilters table="audit" keys={['client', 'action', 'actor', 'result', 'time', 'target']} />
            <ExportMenu filters={{ ...search, ...scope }} />
          </>
        }
      />
      <PagedTable
        list={list}
        empty={
          <NoEntries search={search} hasMore={list.hasNextPage} isLoading={list.isFetchingNextPage} onMore={more} onSearch={onSearch} />
        }
        expected={10}
        label="Audit log"
        columns={auditColumns({ agency: isStaff && !scope.partner, client: !search.client })}
        rowKey={(entry) => entry.id}
        onOpen={(entry) => onSearch({ entry: entry.id })}
        openKey={search.entry}
        dense
      />
      {search.entry ? (
        <EntryDrawer
          id={search.entry}
          loaded={rows.find((entry) => entry.id === search.entry)}
          scope={scope}
          isStaff={isStaff}
          search={search}
          onSearch={onSearch}
          onClose={close}
        />
      ) : null}
    </>
  );
}

type NoneProps = {
  search: AuditSearch;
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
  onSearch: (change: AuditSearch) => void;
};

const UNFILTERED: AuditSearch = {
  action: undefined,
  actor: undefined,
  result: undefined,
  time: undefined,
  target: undefined,
  client: undefined,
};

function NoEntries({ search, hasMore, isLoading, onMore, onSearch }: NoneProps) {
  const { entry: _entry, ...filters } = search;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  if (!isFiltered)
    return <EmptyState title="No entries yet">Every change is recorded here with who made it and the values before and after.</EmptyState>;
  return (
    <EmptyState
      title={hasMore ? 'No match among the newest entries' : 'No matching entries'}
      actions={
        <>
          {hasMore ? (
            <Button size="sm" busy={isLoading && 'Searching'} onClick={onMore}>
              Search older entries
            </Button>
          ) : null}
          <button type="button" className="link" onClick={() => onSearch(UNFILTERED)}>
            Clear filters
          </button>
        </>
      }
    >
      {hasMore ? 'Older entries may match.' : 'No entry matches these filters.'}
    </EmptyState>
  );
}
