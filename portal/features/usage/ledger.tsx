import { USAGE_KINDS } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { SavedFilters } from '../../shared/saved-filters.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import { USAGE_KIND } from '../../shared/billing-labels.ts';
import { ledgerColumns, ledgerKey, ledgerTitle } from '../../shared/ledger-columns.tsx';
import { type LedgerFilters, ledgerQuery } from './queries.ts';

/** All usage entries, with CSV export. */
export function LedgerSection({ filters, onKind }: { filters: LedgerFilters; onKind: (kind: LedgerFilters['kind']) => void }) {
  const list = useInfiniteQuery(ledgerQuery(filters));
  return (
    <Section
      title="Ledger"
      note="newest first; AI tokens are rounded up to whole credits, each call by itself"
      aside={
        <>
          <FilterChip
            name="Kind"
            value={filters.kind}
            options={USAGE_KINDS.map((value) => ({ value, label: USAGE_KIND[value] }))}
            onChange={onKind}
          />
          <SavedFilters table="ledger" keys={['client', 'span', 'by', 'kind']} />
          <ExportButton size="sm" name="credits" read={() => api.exportLedger({ query: filters })} />
        </>
      }
    >
      <PagedTable
        list={list}
        empty={
          <EmptyState title={filters.kind ? `No ${USAGE_KIND[filters.kind].toLowerCase()} entries` : 'No entries in this period'}>
            Each successful run and each order adds an entry here, with a link to it.
          </EmptyState>
        }
        expected={6}
        label="Ledger"
        columns={COLUMNS}
        rowKey={ledgerKey}
        dense
      />
    </Section>
  );
}

const COLUMNS = ledgerColumns((entry) =>
  entry.executionId ? (
    <Link to="/dashboard/runs/$id" params={{ id: entry.executionId }}>
      {ledgerTitle(entry)}
    </Link>
  ) : entry.orderId ? (
    <Link to="/dashboard/billing/invoices" search={{ order: entry.orderId }}>
      {ledgerTitle(entry)}
    </Link>
  ) : (
    <span className="font-medium">{ledgerTitle(entry)}</span>
  ),
);
