import { USAGE_KINDS, type UsageKind } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import { USAGE_KIND } from '../../shared/billing-labels.ts';
import { ledgerColumns, ledgerKey, ledgerTitle } from '../../shared/ledger-columns.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { partnerLedgerQuery } from './queries.ts';

type Props = { partnerId: string; kind: UsageKind | undefined; onKind: (kind: UsageKind | undefined) => void };

/** Credits of one agency: every entry, with its sign. */
export function PartnerLedger({ partnerId, kind, onKind }: Props) {
  const list = useInfiniteQuery(partnerLedgerQuery({ partnerId, kind }));
  return (
    <Section
      title="Ledger"
      note="newest first; AI tokens are rounded up to whole credits, each call by itself"
      aside={
        <>
          <FilterChip
            name="Kind"
            value={kind}
            options={USAGE_KINDS.map((value) => ({ value, label: USAGE_KIND[value] }))}
            onChange={onKind}
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
        rowKey={ledgerKey}
        dense
      />
    </Section>
  );
}

const COLUMNS = ledgerColumns((entry) => <span className="font-medium">{ledgerTitle(entry)}</span>);
