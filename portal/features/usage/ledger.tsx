import { USAGE_KINDS } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { formatNumber } from '../../ui/text/format.ts';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { USAGE_KIND } from '../../shared/billing-labels.ts';
import { type LedgerEntry, type LedgerFilters, ledgerQuery } from './queries.ts';
import '../../ui/table/table.css';

/** All usage entries, with CSV export. */
export function LedgerSection({ filters, onKind }: { filters: LedgerFilters; onKind: (kind: string | undefined) => void }) {
  const list = useInfiniteQuery(ledgerQuery(filters));
  return (
    <Section
      title="Ledger"
      note="newest first"
      aside={
        <>
          <FilterChip
            name="Kind"
            value={filters.kind}
            options={USAGE_KINDS.map((value) => ({ value, label: USAGE_KIND[value] }))}
            onChange={onKind}
          />
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
        rowKey={(entry) => entry.id}
        dense
      />
    </Section>
  );
}

const COLUMNS: Column<LedgerEntry>[] = [
  {
    key: 'what',
    head: 'Description',
    lead: true,
    cell: (entry) => (
      <>
        {entry.executionId ? (
          <Link to="/dashboard/runs/$id" params={{ id: entry.executionId }}>
            {titleOf(entry)}
          </Link>
        ) : entry.orderId ? (
          <Link to="/dashboard/billing/invoices" search={{ order: entry.orderId }}>
            {titleOf(entry)}
          </Link>
        ) : (
          <span className="font-medium">{titleOf(entry)}</span>
        )}
        <span className="table-second-line table-phone-line">{[USAGE_KIND[entry.kind], entry.clientName].filter(Boolean).join(', ')}</span>
      </>
    ),
  },
  { key: 'kind', head: 'Kind', hide: 'phone', cell: (entry) => <span className="text-ink-2">{USAGE_KIND[entry.kind]}</span> },
  { key: 'client', head: 'Client', hide: 'phone', cell: (entry) => <span className="text-ink-2">{entry.clientName ?? '–'}</span> },
  { key: 'at', head: 'When', align: 'end', cell: (entry) => <Time iso={entry.at} className="text-ink-2" /> },
  {
    key: 'credits',
    head: 'Credits',
    align: 'end',
    cell: (entry) => (
      <b className="font-medium">
        {entry.credits > 0 ? '+' : entry.credits < 0 ? '−' : ''}
        {formatNumber(Math.abs(entry.credits))}
      </b>
    ),
  },
];

function titleOf(entry: LedgerEntry): string {
  return entry.agentName ?? (entry.note || USAGE_KIND[entry.kind]);
}
