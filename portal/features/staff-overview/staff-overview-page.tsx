import { Link } from '@tanstack/react-router';
import { useLoaded } from '../../app/route-data.ts';
import { ENGINE_HEALTH } from '../../shared/labels.ts';
import { WorkerNote } from '../../shared/worker-note.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { type Figure, Figures, PageHeader } from '../../ui/layout/layout.tsx';
import { formatDuration, formatLongNow, formatNumber } from '../../ui/text/format.ts';
import { readerZone } from '../../ui/text/reader.ts';
import { AtRiskSection } from './at-risk.tsx';
import { AttentionSection } from './attention.tsx';
import { type Facts, useFacts } from './facts.ts';
import { FailuresSection } from './failures.tsx';
import { type StaffOverview, staffOverviewQuery } from './queries.ts';
import { RevenuePanel } from './revenue.tsx';
import { changeText, WeekPanel } from './week.tsx';

/** The overview of staff: what is wrong, agencies at risk, failures, revenue, and what changed in seven days. */
export function StaffOverviewPage() {
  useTitle('Overview');
  const data = useLoaded(staffOverviewQuery);
  const facts = useFacts();
  return (
    <>
      <PageHeader title="Overview" meta={formatLongNow(data.now, readerZone())} />
      {facts.engine ? <WorkerNote workers={facts.engine.workers} /> : null}
      <AttentionSection facts={facts} />
      <Figures items={figuresOf(data, facts)} />
      <div className="grid items-start gap-x-6 rail:grid-cols-[minmax(0,1fr)_340px]">
        <div className="min-w-0">
          <AtRiskSection atRisk={data.atRisk} />
          <FailuresSection failures={data.failures} failed={data.week.failed} />
        </div>
        <div className="mb-6 grid gap-4">
          <RevenuePanel revenue={data.revenue} />
          <WeekPanel week={data.week} from={data.weekFrom} />
        </div>
      </div>
    </>
  );
}

function figuresOf({ atRisk, week }: StaffOverview, { queue, counts, engine }: Facts): Figure[] {
  return [
    {
      label: 'Work queue',
      value: queue ? formatNumber(queue.length) : '–',
      note: (
        <Link to="/admin" className="hover:underline">
          {queue?.length === 0 ? 'nothing waits' : 'open the queue'}
        </Link>
      ),
    },
    {
      label: 'Agencies at risk',
      value: formatNumber(atRisk.total),
      ...(counts ? { unit: ` of ${formatNumber(counts.partners)}` } : {}),
      note: (
        <Link to="/admin/partners" className="hover:underline">
          view all agencies
        </Link>
      ),
    },
    {
      label: 'Runs in 7 days',
      value: formatNumber(week.runs),
      note: (
        <Link to="/admin/usage" search={{ span: '7d' }} className="hover:underline">
          {changeText(week)}
        </Link>
      ),
    },
    {
      label: 'Failed in 7 days',
      value: formatNumber(week.failed),
      note: (
        <Link to="/admin/usage" search={{ span: '7d' }} className="hover:underline">
          {week.failed === 0 ? 'none failed' : `${((week.failed / week.runs) * 100).toFixed(1)}% of the runs`}
        </Link>
      ),
    },
    {
      label: 'Engine',
      value: engine ? ENGINE_HEALTH[engine.health].word : '–',
      note: (
        <Link to="/admin/engine" className="hover:underline">
          {engine?.responseMs ? `answers in ${formatDuration(engine.responseMs)}` : 'open the engine'}
        </Link>
      ),
    },
  ];
}
