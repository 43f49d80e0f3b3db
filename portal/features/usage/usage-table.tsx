import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../ui/text/format.ts';
import { isId } from '../../app/search-params.ts';
import { type Column, Table } from '../../ui/table/table.tsx';
import { SuccessRate } from '../../shared/agent-figures.tsx';
import type { UsageGroup, UsageRow } from './queries.ts';

/** Credits and executions per client or agent, largest first. */
export function UsageTable({ rows, by }: { rows: readonly UsageRow[]; by: Exclude<UsageGroup, 'day'> }) {
  const most = Math.max(1, ...rows.map((row) => row.credits));
  const total = rows.reduce((sum, row) => sum + row.credits, 0);
  const columns: Column<UsageRow>[] = [
    { key: 'label', head: by === 'client' ? 'Client' : 'Agent', lead: true, cell: (row) => <NameCell row={row} by={by} /> },
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
  return (
    <Table
      label={by === 'client' ? 'Usage by client' : 'Usage by agent'}
      columns={columns}
      rows={rows.toSorted((a, b) => b.credits - a.credits)}
      rowKey={(row) => row.key}
      dense
    />
  );
}

function NameCell({ row, by }: { row: UsageRow; by: Exclude<UsageGroup, 'day'> }) {
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
