import { USAGE_KINDS } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../shared/loaded.tsx';
import { USAGE_KIND } from '../../shared/billing-labels.ts';
import type { UsageRow } from '../../shared/usage-columns.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { staffUsageQuery } from './queries.ts';

/** Credits by kind of entry in the ledger: what was used, and what was added to accounts. Absent without an entry. */
export function KindUsage({ from, partnerId }: { from: string; partnerId: string | undefined }) {
  const usage = useQuery(staffUsageQuery({ groupBy: 'kind', from, partnerId }));
  if (usage.data?.length === 0) return null;
  return (
    <Section
      title="Credits by kind"
      note="entries of the ledger in this period; adjustments include bought credits that ended periods used"
    >
      <Loaded query={usage} skeleton={<SkeletonRows rows={3} height={34} label="Loading credits by kind" />}>
        {(rows) => <Table label="Credits by kind" columns={COLUMNS} rows={rows} rowKey={(row) => row.key} dense />}
      </Loaded>
    </Section>
  );
}

const nameOf = (row: UsageRow): string => {
  const kind = USAGE_KINDS.find((one) => one === row.key);
  return kind ? USAGE_KIND[kind] : row.label;
};

/** The kinds that use credits (PLAN-20). All others add some to an account, or take some from it. */
const isUse = ({ key }: UsageRow): boolean => key === 'run' || key === 'ai_tokens';

/** Used credits are positive in usage, those that were added negative. */
const COLUMNS: Column<UsageRow>[] = [
  { key: 'kind', head: 'Kind', lead: true, cell: (row) => <span className="font-medium">{nameOf(row)}</span> },
  { key: 'runs', head: 'Runs', align: 'end', hide: 'phone', cell: (row) => amount(row.runs) },
  { key: 'used', head: 'Used', align: 'end', cell: (row) => amount(isUse(row) ? row.credits : 0) },
  { key: 'added', head: 'Added', align: 'end', cell: (row) => amount(isUse(row) ? 0 : -row.credits) },
];

function amount(value: number) {
  if (value === 0) return <span className="text-ink-3">–</span>;
  return `${value < 0 ? '−' : ''}${formatNumber(Math.abs(value))}`;
}
