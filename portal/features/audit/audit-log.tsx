import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SearchChange } from '../../app/search-state.ts';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { AuditChips } from './audit-chips.tsx';
import { auditColumns } from './audit-columns.tsx';
import { EntryDrawer } from './entry-drawer.tsx';
import { ExportMenu } from './export-menu.tsx';
import { auditListQuery, type AuditScope, type AuditSearch } from './queries.ts';

type Props = {
  scope: AuditScope;
  /** Shows the partner of each entry; off on one partner's own log. */
  isStaff?: boolean;
  search: AuditSearch;
  onSearch: (change: SearchChange<AuditSearch>) => void;
};

/** The audit log, newest first, with filters in the URL and an entry drawer. */
export function AuditLog({ scope, isStaff = false, search, onSearch }: Props) {
  const list = useInfiniteQuery(auditListQuery({ ...search, ...scope }));
  const rows = rowsOf(list);
  const onText = useCallback((actor: string | undefined) => onSearch({ actor }), [onSearch]);
  const close = useCallback(() => onSearch({ entry: undefined }), [onSearch]);
  return (
    <>
      <FilteredList
        search={search}
        onSearch={onSearch}
        filters={['client', 'action', 'actor', 'result', 'time', 'target']}
        text={{ value: search.actor?.includes('@') ? search.actor : undefined, onText }}
        placeholder="E-mail address"
        chips={<AuditChips search={search} rows={rows} isStaff={isStaff} onSearch={onSearch} />}
        saved="audit"
        moreTools={<ExportMenu filters={{ ...search, ...scope }} />}
        none={
          <EmptyState title="No entries yet">Every change is recorded here with who made it and the values before and after.</EmptyState>
        }
        noMatch={(clear) => <NoMatch title="No matching entries" onClear={clear} />}
        list={list}
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
