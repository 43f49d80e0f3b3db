import type { Reply } from '../app/api.ts';
import { ordersOf, sortRows } from '../ui/table/sort.ts';
import type { Column, Order } from '../ui/table/table.tsx';
import { formatNumber } from '../ui/text/format.ts';
import { SuccessRate } from './agent-figures.tsx';
import type { UsageOrder } from './usage-orders.ts';

export type UsageRow = Reply<'getUsage'>[number];

/** Most credits first is the order without a choice. */
const BY_CREDITS: readonly [Order, Order] = [
  { name: undefined, direction: 'descending' },
  { name: 'credits', direction: 'ascending' },
];
/** Returns usage in one of these orders. */
export function sortUsage(rows: readonly UsageRow[], order: UsageOrder | undefined): readonly UsageRow[] {
  return sortRows(rows, order ?? '-credits', { label: (row) => row.label, runs: (row) => row.runs, credits: (row) => row.credits });
}

/** Columns of usage by client, agent or agency: what `lead` names, its share of the credits of all rows, runs and credits. */
export function usageColumns(lead: Pick<Column<UsageRow>, 'head' | 'cell'>, rows: readonly UsageRow[]): Column<UsageRow>[] {
  const most = Math.max(1, ...rows.map((row) => row.credits));
  const total = rows.reduce((sum, row) => sum + row.credits, 0);
  return [
    { key: 'label', lead: true, sort: ordersOf('label', 'ascending'), ...lead },
    {
      key: 'share',
      head: 'Share',
      hide: 'phone',
      cell: (row) => (
        <span className="block h-1 w-40 rounded-2xs bg-line-soft">
          <span className="block h-1 rounded-2xs bg-data-2" style={{ width: `${(row.credits / most) * 100}%` }} />
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
    { key: 'runs', head: 'Runs', align: 'end', sort: ordersOf('runs', 'descending'), cell: (row) => formatNumber(row.runs) },
    { key: 'rate', head: 'Succeeded', align: 'end', hide: 'phone', cell: (row) => <SuccessRate runs={row.runs} failed={row.failed} /> },
    {
      key: 'credits',
      head: 'Credits',
      align: 'end',
      sort: BY_CREDITS,
      cell: (row) => <b className="font-medium">{formatNumber(row.credits)}</b>,
    },
  ];
}
