import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BarChart, ChartLegend } from '../../ui/charts/bar-chart.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { formatDate, formatNumber } from '../../ui/text/format.ts';
import { dateFormat } from '../../ui/text/intl.ts';
import { partnerDaysQuery } from './queries.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;

/** The last thirty days of one agency in its time zone, and its usage on them. */
export function usePartnerDays(partnerId: string, timezone: string, enabled = true) {
  const dayOf = dateFormat('en-CA', { timeZone: timezone });
  const days = Array.from({ length: DAYS }, (_, at) => dayOf.format(Date.now() - (DAYS - 1 - at) * DAY_MS));
  // From the day before, since its midnight is another moment than that of UTC; what is older than the first day is not shown.
  return { days, usage: useQuery({ ...partnerDaysQuery(partnerId, new Date(Date.parse(days[0] ?? '') - DAY_MS).toISOString()), enabled }) };
}

/** Runs by day, with those that failed. Absent until there is a run. */
export function PartnerDays({ partnerId, timezone }: { partnerId: string; timezone: string }) {
  const {
    days,
    usage: { data },
  } = usePartnerDays(partnerId, timezone);
  if (!data || data.every((row) => row.runs === 0)) return null;
  const byDay = new Map(data.map((row) => [row.key, row]));
  const shown = days.map((day) => byDay.get(day) ?? { runs: 0, failed: 0, credits: 0 });
  return (
    <Panel
      className="mb-6"
      title="Last 30 days"
      aside={
        <>
          <ChartLegend value="Runs" bad="Failed" current="Today" />
          <Link className="link" to="/admin/usage" search={{ partner: partnerId }}>
            {formatNumber(shown.reduce((sum, { credits }) => sum + credits, 0))} credits
          </Link>
        </>
      }
      flush
    >
      <BarChart
        height={120}
        labelEvery={6}
        bars={days.map((day, at) => ({
          label: formatDate(day),
          title: formatDate(day),
          value: shown[at]?.runs ?? 0,
          bad: shown[at]?.failed ?? 0,
          isCurrent: at === DAYS - 1,
        }))}
        label="Runs per day"
        names={{ bucket: 'Day', value: 'Runs', bad: 'Failed' }}
      />
    </Panel>
  );
}
