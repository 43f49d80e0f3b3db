import { Link } from '@tanstack/react-router';
import { isId } from '../../app/search-params.ts';
import { Table } from '../../ui/table/table.tsx';
import { usageColumns, type UsageRow } from '../../shared/usage-columns.tsx';
import type { UsageGroup } from './usage-search.ts';

/** Credits and executions per client or agent, largest first. */
export function UsageTable({ rows, by }: { rows: readonly UsageRow[]; by: Exclude<UsageGroup, 'day'> }) {
  const lead = { head: by === 'client' ? 'Client' : 'Agent', cell: (row: UsageRow) => <NameCell row={row} by={by} /> };
  return (
    <Table
      label={by === 'client' ? 'Usage by client' : 'Usage by agent'}
      columns={usageColumns(lead, rows)}
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
