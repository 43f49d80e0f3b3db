import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Invoice, invoicesQuery } from '../../queries/billing.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { PagedTable, rowsOf } from '../../shared/paged-table.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Table, TableFoot } from '../../ui/table/table.tsx';
import { formatNumber, joinWords } from '../../ui/text/format.ts';
import { invoiceColumns } from './invoice-columns.tsx';
import { filtersOf, type InvoiceSearch } from './invoice-search.ts';
import { sums } from './issue-dialog.tsx';
import { type Group, groupOf, openGroups } from './open-groups.ts';
import { loadMore } from '../../shared/load-more.ts';

type Props = {
  search: InvoiceSearch;
  /** Reports the rows, for keys and selection. */
  onShown: (rows: readonly Invoice[]) => void;
  choice: { chosen: ReadonlySet<string>; onToggle: (id: string) => void };
  onOpen: (id: string) => void;
  onClear: () => void;
};

/** Rows of one group are loaded at once up to this many; more by the button below. */
const GROUP_PAGE = 50;
const SHORT: Record<Group, string> = { overdue: 'Overdue', draft: 'Drafts', issued: 'Issued, not due yet' };

/** What there is to do: overdue invoices, drafts, and those that are issued and not due yet. */
export function OpenInvoices({ search, onShown, choice, onOpen, onClear }: Props) {
  const filters = { ...filtersOf(search), limit: GROUP_PAGE };
  const lists = {
    overdue: useInfiniteQuery(invoicesQuery({ ...filters, overdue: true })),
    draft: useInfiniteQuery(invoicesQuery({ ...filters, status: 'draft' })),
    issued: useInfiniteQuery(invoicesQuery({ ...filters, status: 'issued' })),
  };
  const groups = openGroups({ overdue: readOf(lists.overdue), draft: readOf(lists.draft), issued: readOf(lists.issued) });
  const rows = [...groups.overdue, ...groups.draft, ...groups.issued];
  useShown(rows, onShown);
  const all = Object.values(lists);
  const failed = all.find((list) => list.error && !list.data);
  if (failed) return <ErrorBlock error={failed.error} onRetry={() => all.forEach((list) => void list.refetch())} />;
  if (all.some((list) => !list.data)) return <SkeletonRows rows={8} label="Loading invoices" />;
  if (rows.length === 0)
    return search.partner ? (
      <NoMatch what="open invoice" onClear={onClear}>
        This agency owes nothing and has no draft.
      </NoMatch>
    ) : (
      <EmptyState title="Nothing to issue or collect">
        Drafts appear here when a billing period begins, and invoices until they are paid. Choose a state to see the others.
      </EmptyState>
    );
  const more = all.find((list) => list.hasNextPage);
  const headings = headingsOf(groups, lists);
  return (
    <Table
      label="Open invoices"
      columns={invoiceColumns({ hasAgency: true, choice })}
      rows={rows}
      rowKey={(row) => row.id}
      groupOf={(row) => headings[groupOf(row)]}
      onOpen={(row) => onOpen(row.id)}
      openKey={search.invoice}
      {...choice}
      onToggle={(id) => {
        if (groups.draft.some((row) => row.id === id)) choice.onToggle(id);
      }}
      foot={
        <TableFoot
          shown={rows.length}
          hasMore={more !== undefined}
          isLoading={all.some((list) => list.isFetchingNextPage)}
          onMore={() => void (more && loadMore(more))}
          step={GROUP_PAGE}
          canOpen
          canChoose
        />
      }
    />
  );
}

/** Any invoices that match the filters, newest first. */
export function FoundInvoices({ search, onShown, choice, onOpen, onClear }: Props) {
  const list = useInfiniteQuery(invoicesQuery(filtersOf(search)));
  const rows = rowsOf(list);
  useShown(rows, onShown);
  return (
    <PagedTable
      list={list}
      empty={<NoMatch what="invoice" onClear={onClear} />}
      label="Invoices"
      columns={invoiceColumns({ hasAgency: true, choice })}
      rowKey={(row) => row.id}
      onOpen={(row) => onOpen(row.id)}
      openKey={search.invoice}
      {...choice}
      onToggle={(id) => {
        if (rows.some((row) => row.id === id && row.status === 'draft')) choice.onToggle(id);
      }}
    />
  );
}

function readOf(list: UseInfiniteQueryResult<InfiniteData<{ data: Invoice[] }>>) {
  return { rows: rowsOf(list), readAt: list.dataUpdatedAt };
}

type Lists = Record<Group, Pick<UseInfiniteQueryResult, 'hasNextPage'>>;

/** "Overdue: 3, $897.00"; the sum only when all of them are loaded. */
function headingsOf(groups: Record<Group, Invoice[]>, lists: Lists): Record<Group, string> {
  const heading = (name: Group): string => {
    const isWhole = !lists[name].hasNextPage;
    return `${SHORT[name]}: ${formatNumber(groups[name].length)}${isWhole ? `, ${joinWords(sums(groups[name]))}` : ' and more'}`;
  };
  return { overdue: heading('overdue'), draft: heading('draft'), issued: heading('issued') };
}

function useShown(rows: readonly Invoice[], onShown: (rows: readonly Invoice[]) => void): void {
  const key = rows.map(({ id, status, number }) => `${id} ${status} ${number ?? ''}`).join();
  // oxlint-disable-next-line react/exhaustive-deps -- the rows are the same as long as their key is
  useEffect(() => onShown(rows), [key]);
}
