import { useMessages } from '../../app/messages.ts';
import { BarChart, ChartLegend } from '../../ui/charts/bar-chart.tsx';
import { labelStep } from '../../ui/charts/scale.ts';
import { Panel } from '../../ui/layout/layout.tsx';
import { monthName } from './days.ts';
import { asHeading } from '../../ui/text/format.ts';
import { dateFormat } from '../../ui/text/intl.ts';

/** `date`: "YYYY-MM-DD". */
export type ResultDay = { date: string; results: number; failed: number };

/** The days of the month so far, today last; nothing before the first result or failure. `label` says whose they are. */
export function MonthDays({ days, label }: { days: readonly ResultDay[]; label: string }) {
  const { t, tag } = useMessages();
  const [first] = days;
  if (first === undefined || days.every((day) => day.results + day.failed === 0)) return null;
  const short = dateFormat(tag, { day: 'numeric', timeZone: 'UTC' });
  const long = dateFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
  const hasFailures = days.some((day) => day.failed > 0);
  const names = {
    bucket: t('client-home.day'),
    value: t('client-home.results-by-day'),
    ...(hasFailures ? { bad: t('client-home.failed') } : {}),
  };
  return (
    <Panel
      className="mb-8"
      title={t('client-home.days', { month: monthName(first.date, tag) })}
      aside={<ChartLegend value={names.value} current={t('client-home.today')} {...(names.bad === undefined ? {} : { bad: names.bad })} />}
      flush
    >
      <BarChart
        label={label}
        height={150}
        labelEvery={labelStep(days.length, 8)}
        names={names}
        bars={days.map((day, at) => {
          const date = new Date(`${day.date}T00:00:00Z`);
          return {
            label: short.format(date),
            title: asHeading(long.format(date), tag),
            value: day.results,
            bad: day.failed,
            isBadExtra: true,
            isCurrent: at === days.length - 1,
          };
        })}
      />
    </Panel>
  );
}
