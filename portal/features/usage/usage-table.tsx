import { Link } from '@tanstack/react-router';
import { isId } from '../../app/search-params.ts';
import { Table } from '../../ui/table/table.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { sortUsage, usageColumns, type UsageRow } from '../../shared/usage-columns.tsx';
import { type UsageOrder, usageOrder } from '../../shared/usage-orders.ts';
import type { UsageGroup } from './usage-search.ts';

type By = Exclude<UsageGroup, 'day'>;

type Props = {
  rows: readonly UsageRow[];
  by: By;
  /** What the meter counts in addition to them. It stays below the rows in every order. */
  elsewhere: UsageRow | undefined;
  sort: UsageOrder | undefined;
  onSort: (sort: UsageOrder | undefined) => void;
};

/** Credits and runs per client or agent, most credits first unless `sort` says otherwise, and their sum. */
export function UsageTable({ rows, by, elsewhere, sort, onSort }: Props) {
  const lead = { head: by === 'client' ? 'Client' : 'Agent', cell: (row: UsageRow) => <NameCell row={row} by={by} /> };
  const all = [...sortUsage(rows, sort), ...(elsewhere ? [elsewhere] : [])];
  const total = all.reduce((sum, row) => sum + row.credits, 0);
  return (
    <Table
      label={by === 'client' ? 'Usage by client' : 'Usage by agent'}
      columns={usageColumns(lead, all)}
      rows={all}
      rowKey={(row) => row.key}
      dense
      sorting={{ by: sort, onSort: (order) => onSort(usageOrder(order)) }}
      foot={
        <p className="tabular-nums mt-2 px-0.5 text-ink-3">
          <b className="font-medium text-ink-2">{formatNumber(total)} credits</b> in all.
          {by === 'agent' ? ' The credits of an agent include the AI tokens of its runs.' : ''}
        </p>
      }
    />
  );
}

function NameCell({ row, by }: { row: UsageRow; by: By }) {
  if (!isId(row.key)) return <span className="font-medium">{row.label}</span>;
  return by === 'client' ? (
    <Link to="/dashboard/clients/$id" params={{ id: row.key }}>
      {row.label}
    </Link>
  ) : (
    <Link to="/dashboard/agents/$id" params={{ id: row.key }}>
      {row.label}
    </Link>
  );
}
