import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { csvLine } from '@partner-portal/core/csv/csv.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { RankChart } from '../../ui/charts/rank-chart.tsx';
import { Panel, Section } from '../../ui/layout/layout.tsx';
import { Table } from '../../ui/table/table.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { sortUsage, usageColumns, type UsageRow } from '../../shared/usage-columns.tsx';
import { type UsageOrder, usageOrder } from '../../shared/usage-orders.ts';
import { largestAgencies } from './largest-agencies.ts';
import { staffUsageQuery } from './queries.ts';

/** Bars of the chart; the table below has every agency. */
const SHOWN = 10;

type Props = {
  from: string;
  onPick: (partnerId: string) => void;
  sort: UsageOrder | undefined;
  onSort: (sort: UsageOrder | undefined) => void;
};

/** Credits and runs of each agency, most credits first unless `sort` says otherwise. */
export function AgencyUsage({ from, onPick, sort, onSort }: Props) {
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
            <>
              <Panel className="mb-4" flush>
                <RankChart
                  label="Agencies with most credits"
                  names={{ label: 'Agency', value: 'Credits', more: ['Runs', 'Failed'] }}
                  ranks={largestAgencies(found, SHOWN).map(({ key, label, credits, runs, failed, isRest }) => ({
                    key,
                    label,
                    value: credits,
                    more: [formatNumber(runs), formatNumber(failed)],
                    isRest,
                  }))}
                />
              </Panel>
              <Table
                label="Credits by agency"
                columns={usageColumns(LEAD, found)}
                rows={sortUsage(found, sort)}
                sorting={{ by: sort, onSort: (order) => onSort(usageOrder(order)) }}
                rowKey={(row) => row.key}
                onOpen={(row) => onPick(row.key)}
                dense
              />
            </>
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
