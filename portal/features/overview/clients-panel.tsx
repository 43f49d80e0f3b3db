import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ActivityOrder, type ClientActivity, clientsActivityQuery } from '../../queries/agency.ts';
import { DayBars } from '../../shared/activity-column.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';

const SHOWN = 8;

/** Who runs most and who fails: thirty days of each client. Absent until a client has a run. */
export function ClientsPanel() {
  const [sort, setSort] = useState<ActivityOrder>('runs');
  const [isWhole, setWhole] = useState(false);
  const activity = useQuery(clientsActivityQuery(sort));
  if (activity.data?.total === 0) return null;
  return (
    <Section
      title="Clients"
      note="last 30 days"
      aside={
        <Segmented
          label="Order"
          value={sort}
          onChange={setSort}
          options={[
            { value: 'runs', label: 'Most runs' },
            { value: 'failed', label: 'Most failures' },
          ]}
        />
      }
    >
      <Loaded query={activity} skeleton={<SkeletonRows rows={5} label="Loading clients" />}>
        {({ clients, days, total }) => {
          const rows = isWhole ? clients : clients.slice(0, SHOWN);
          return (
            <Table
              label="Clients, last 30 days"
              columns={columnsOf(days)}
              rows={rows}
              rowKey={(row) => row.id}
              dense
              foot={
                total > rows.length ? (
                  <>
                    <span>
                      Showing {formatNumber(rows.length)} of {plural(total, 'client')} with runs
                    </span>
                    {isWhole ? (
                      <Link className="link" to="/dashboard/clients">
                        All clients
                      </Link>
                    ) : (
                      <Button size="sm" onClick={() => setWhole(true)}>
                        Show {formatNumber(clients.length)}
                      </Button>
                    )}
                  </>
                ) : undefined
              }
            />
          );
        }}
      </Loaded>
    </Section>
  );
}

function columnsOf(days: readonly string[]): Column<ClientActivity>[] {
  return [
    {
      key: 'client',
      head: 'Client',
      lead: true,
      cell: (row) => (
        <Link to="/dashboard/clients/$id" params={{ id: row.id }}>
          {row.name}
        </Link>
      ),
    },
    {
      key: 'days',
      head: 'By day',
      cell: (row) => <DayBars byDay={row.byDay} days={days} />,
    },
    { key: 'runs', head: 'Runs', align: 'end', cell: (row) => formatNumber(row.runs) },
    {
      key: 'failed',
      head: 'Failed',
      align: 'end',
      cell: (row) =>
        row.failed === 0 ? (
          <span className="text-ink-3">0</span>
        ) : (
          <Link
            to="/dashboard/runs"
            search={{ client: row.id, status: 'FAILED', started: '30d' }}
            className="inline-flex items-center gap-1.5 text-bad max-md:min-h-11"
          >
            <Mark kind="bad" size={12} />
            {formatNumber(row.failed)}
            <span className="hidden text-ink-3 md:inline">{shareOf(row.failed, row.runs)}</span>
          </Link>
        ),
    },
  ];
}

/** Returns a share in percent. Some that failed are never 0%, and some that did not are never all. */
function shareOf(failed: number, runs: number): string {
  const percent = Math.round((failed / runs) * 100);
  return percent === 0 ? '<1%' : `${failed < runs ? Math.min(percent, 99) : percent}%`;
}
