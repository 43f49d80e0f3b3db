import { useQuery } from '@tanstack/react-query';
import { BarChart, ChartLegend } from '../../ui/charts/bar-chart.tsx';
import { formatDate, plural } from '../../ui/text/format.ts';
import { deliveryDaysQuery } from './queries.ts';

/** Deliveries of one endpoint by day, with those that failed. Absent until there is one. */
export function DeliveryDays({ endpointId }: { endpointId: string }) {
  const { data } = useQuery(deliveryDaysQuery(endpointId));
  if (!data || data.every((day) => day.delivered + day.failed === 0)) return null;
  const today = data.at(-1)?.date;
  return (
    <section aria-label="Deliveries per day" className="border-b border-line-soft px-5 pb-2">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-1 text-xs text-ink-3">
        <span className="mr-auto">Last {plural(data.length, 'day')}</span>
        <ChartLegend value="Deliveries" bad="Failed" current="Today" />
      </p>
      <BarChart
        height={96}
        labelEvery={4}
        bars={data.map(({ date, delivered, failed }) => ({
          label: formatDate(date),
          title: formatDate(date),
          value: delivered + failed,
          bad: failed,
          isCurrent: date === today,
        }))}
        label="Deliveries per day"
        names={{ bucket: 'Day', value: 'Deliveries', bad: 'Failed' }}
      />
    </section>
  );
}
