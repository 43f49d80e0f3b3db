import { succeededPercent } from '@partner-portal/core/execution/succeeded.ts';
import { TrendChart } from '../ui/charts/trend-chart.tsx';
import { Panel } from '../ui/layout/layout.tsx';
import { formatDate, formatNumber } from '../ui/text/format.ts';

type Day = { runs: number; failed: number };

const FORMAT = { long: (share: number) => `${share.toFixed(1).replace('.0', '')}%`, short: (share: number) => `${Math.round(share)}%` };

/** The share of succeeded runs by day. Days without a run are gaps; without two days that have runs there is nothing to compare, and no chart. */
export function SuccessPanel({
  days,
  byDay,
  labelEvery,
}: {
  days: readonly string[];
  byDay: ReadonlyMap<string, Day>;
  labelEvery: number;
}) {
  const points = days.map((day) => {
    const { runs = 0, failed = 0 } = byDay.get(day) ?? {};
    return {
      label: formatDate(day),
      title: formatDate(day),
      value: succeededPercent({ runs, failed }),
      more: [formatNumber(runs), formatNumber(failed)],
    };
  });
  const shares = points.flatMap(({ value }) => (value === null ? [] : [value]));
  if (shares.length < 2) return null;
  return (
    <Panel title="Succeeded" aside="share of the runs of each day" flush className="mb-6">
      <TrendChart
        points={points}
        height={140}
        labelEvery={labelEvery}
        range={[lowEnd(Math.min(...shares)), 100]}
        format={FORMAT}
        label="Share of succeeded runs per day"
        names={{ bucket: 'Day', value: 'Succeeded', more: ['Runs', 'Failed'] }}
      />
    </Panel>
  );
}

/** Round, below every share, and low enough that one failure of a thousand is no cliff. */
function lowEnd(least: number): number {
  return Math.min(80, Math.floor(least / 20) * 20);
}
