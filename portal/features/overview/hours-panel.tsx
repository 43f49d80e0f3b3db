import { formatMinute, inPlace } from '../../ui/text/format.ts';
import { dateFormat } from '../../ui/text/intl.ts';
import { BarChart, ChartLegend } from '../../ui/charts/bar-chart.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import type { Summary } from '../../queries/agency.ts';

/** Today's executions per hour in the partner's time zone, with the same weekday last week. */
export function HoursPanel({ summary }: { summary: Summary }) {
  const { now, timezone, today } = summary;
  const clock = formatMinute(now, timezone);
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  const weekday = dateFormat('en-GB', { weekday: 'long', timeZone: timezone }).format(new Date(now));
  const bars = today.byHour.map((row) => ({
    label: String(row.hour).padStart(2, '0'),
    title: `${String(row.hour).padStart(2, '0')}:00`,
    value: row.runs,
    bad: row.failed,
    before: row.lastWeek,
    isCurrent: row.hour === hour,
  }));
  return (
    <Panel
      title={`Today by the hour${inPlace(timezone)}`}
      aside={<ChartLegend value="Runs" bad="Failed" current="This hour" before={`Last ${weekday}`} />}
      flush
    >
      <BarChart
        bars={bars}
        label="Runs today by the hour"
        names={{ bucket: 'Hour', value: 'Runs', bad: 'Failed', before: `Last ${weekday}` }}
        now={{ share: (hour + minute / 60) / 24, text: clock }}
      />
    </Panel>
  );
}
