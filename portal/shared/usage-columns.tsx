import type { Reply } from '../app/api.ts';
import type { Column } from '../ui/table/table.tsx';
import { formatNumber } from '../ui/text/format.ts';
import { SuccessRate } from './agent-figures.tsx';

export type UsageRow = Reply<'getUsage'>[number];

/** Columns of usage by client, agent or agency: what `lead` names, its share of the credits of all rows, runs and credits. */
export function usageColumns(lead: Pick<Column<UsageRow>, 'head' | 'cell'>, rows: readonly UsageRow[]): Column<UsageRow>[] {
  const most = Math.max(1, ...rows.map((row) => row.credits));
  const total = rows.reduce((sum, row) => sum + row.credits, 0);
  return [
    { key: 'label', lead: true, ...lead },
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
