import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { csvLine } from '@partner-portal/core/csv/csv.ts';
import { SuccessRate } from '../../shared/agent-figures.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { staffUsageQuery, type UsageRow } from './queries.ts';

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
              columns={columnsOf(found)}
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

function columnsOf(rows: readonly UsageRow[]): Column<UsageRow>[] {
  const most = Math.max(1, ...rows.map((row) => row.credits));
  const total = rows.reduce((sum, row) => sum + row.credits, 0);
  return [
    {
      key: 'agency',
      head: 'Agency',
      lead: true,
      cell: (row) => (
        <Link to="/admin/partners/$partnerId/billing" params={{ partnerId: row.key }}>
          {row.label}
        </Link>
      ),
    },
    {
      key: 'share',
      head: 'Share',
      hide: 'phone',
      cell: (row) => (
        <span className="block h-1 w-40 rounded-[2px] bg-line-soft">
          <span className="block h-1 rounded-[2px] bg-data-2" style={{ width: `${(row.credits / most) * 100}%` }} />
        </span>
      ),
    },
    {
      key: 'percent',
      head: <span className="sr-only">Percent</span>,
      align: 'end',
      hide: 'phone',
      cell: (row) => <span className="text-ink-3">{total ? Math.round((row.credits / total) * 100) : 0}%</span>,
    },
    { key: 'runs', head: 'Runs', align: 'end', cell: (row) => formatNumber(row.runs) },
    { key: 'rate', head: 'Succeeded', align: 'end', hide: 'phone', cell: (row) => <SuccessRate runs={row.runs} failed={row.failed} /> },
    { key: 'credits', head: 'Credits', align: 'end', cell: (row) => <b className="font-medium">{formatNumber(row.credits)}</b> },
  ];
}

function toCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map(({ label, credits, runs, failed }) => csvLine([label, credits, runs, failed]));
  return `\uFEFF${csvLine(['Agency', 'Credits', 'Runs', 'Failed'])}${lines.join('')}`;
}
