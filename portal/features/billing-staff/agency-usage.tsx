import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { csvLine } from '@partner-portal/core/csv/csv.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { Table } from '../../ui/table/table.tsx';
import { plural } from '../../ui/text/format.ts';
import { usageColumns, type UsageRow } from '../../shared/usage-columns.tsx';
import { staffUsageQuery } from './queries.ts';

/** Credits and runs of each agency, most credits first. */
export function AgencyUsage({ from, onPick }: { from: string; onPick: (partnerId: string) => void }) {
  const usage = useQuery(staffUsageQuery({ groupBy: 'partner', from, partnerId: undefined }));
  const rows = usage.data ?? [];
  return (
    <Section
      title="Credits by agency"
      note={rows.length > 0 ? plural(rows.length, 'agency', 'agencies') : undefined}
      aside={rows.length > 0 ? <ExportButton size="sm" name="usage-by-agency" read={() => Promise.resolve(toCsv(rows))} /> : undefined}
    >
      <Loaded query={usage} skeleton={<SkeletonRows rows={5} label="Loading usage by agency" />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState title="No agency used credits">Each agency appears here with its first run.</EmptyState>
          ) : (
            <Table
              label="Credits by agency"
              columns={usageColumns(LEAD, found)}
              rows={found}
              rowKey={(row) => row.key}
              onOpen={(row) => onPick(row.key)}
              dense
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const LEAD = {
  head: 'Agency',
  cell: (row: UsageRow) => (
    <Link to="/admin/partners/$partnerId/billing" params={{ partnerId: row.key }}>
      {row.label}
    </Link>
  ),
};

function toCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map(({ label, credits, runs, failed }) => csvLine([label, credits, runs, failed]));
  return `\uFEFF${csvLine(['Agency', 'Credits', 'Runs', 'Failed'])}${lines.join('')}`;
}
