import { USAGE_KINDS, type UsageKind } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { choiceParam } from '../../app/search-params.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import { USAGE_KIND } from '../../shared/billing-labels.ts';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/time.tsx';
import { type LedgerEntry, partnerLedgerQuery } from './queries.ts';
import '../../ui/table/table.css';

type Props = { partnerId: string; kind: UsageKind | undefined; onKind: (kind: UsageKind | undefined) => void };

/** Credits of one agency: every entry, with its sign. */
export function PartnerLedger({ partnerId, kind, onKind }: Props) {
  const list = useInfiniteQuery(partnerLedgerQuery({ partnerId, kind }));
  return (
    <Section
      title="Ledger"
      note="newest first"
      aside={
        <>
          <FilterChip
            name="Kind"
            value={kind}
            options={USAGE_KINDS.map((value) => ({ value, label: USAGE_KIND[value] }))}
            onChange={(value) => onKind(choiceParam(USAGE_KINDS, value))}
          />
          <ExportButton size="sm" name="credits" read={() => api.exportLedger({ query: { partnerId, kind } })} />
        </>
      }
    >
      <PagedTable
        list={list}
        empty={
          kind ? (
            <NoMatch what="entry" onClear={() => onKind(undefined)} />
          ) : (
            <EmptyState title="No entries yet">Runs, purchases and adjustments of credits appear here.</EmptyState>
          )
        }
        expected={5}
        label="Ledger"
        columns={COLUMNS}
        rowKey={(row) => `${row.id} ${row.kind}`}
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
    cell: (row) => (
      <>
        <span className="font-medium">{row.agentName ?? (row.note || USAGE_KIND[row.kind])}</span>
        <span className="table-second-line table-phone-line">{[USAGE_KIND[row.kind], row.clientName].filter(Boolean).join(', ')}</span>
      </>
    ),
  },
  { key: 'kind', head: 'Kind', hide: 'phone', cell: (row) => <span className="text-ink-2">{USAGE_KIND[row.kind]}</span> },
  { key: 'client', head: 'Client', hide: 'phone', cell: (row) => <span className="text-ink-2">{row.clientName ?? '–'}</span> },
  { key: 'at', head: 'When', align: 'end', cell: (row) => <Time iso={row.at} className="text-ink-2" /> },
  {
    key: 'credits',
    head: 'Credits',
    align: 'end',
    cell: (row) => (
      <b className="font-medium">
        {row.credits > 0 ? '+' : row.credits < 0 ? '−' : ''}
        {formatNumber(Math.abs(row.credits))}
      </b>
    ),
  },
];
