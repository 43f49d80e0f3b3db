import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from '../queries/keys.ts';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { SkeletonBlock } from '../ui/feedback/skeleton.tsx';
import type { Column } from '../ui/table/table.tsx';
import { formatDate, formatNumber, plural } from '../ui/text/format.ts';

type Activity = Reply<'getActivity'>;
type Days = Activity['rows'][number]['byDay'];
/** Thirty days of each row; undefined until they are loaded. */
type ActivityByRow = ReadonlyMap<string, { byDay: Days | undefined; days: readonly string[] }>;

const activityQuery = (of: 'clients' | 'agents', ids: readonly string[]) =>
  queryOptions({
    queryKey: keys.summary.activity(of, ids),
    // As many as the service answers for at once.
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(ids.length / LIMITS.pageMax) }, (_, at) =>
        ids.slice(at * LIMITS.pageMax, (at + 1) * LIMITS.pageMax),
      );
      return Promise.all(parts.map((part) => api.getActivity({ query: { of, ids: part.join(',') }, signal })));
    },
    enabled: ids.length > 0,
    placeholderData: (before) => before,
    staleTime: 60_000,
  });

/** Returns thirty days of the clients or agents of a list; of none while `isShown` is false. */
export function useActivity(of: 'clients' | 'agents', ids: readonly string[], isShown: boolean): ActivityByRow {
  const { data, isPlaceholderData } = useQuery(activityQuery(of, isShown ? ids : []));
  const [days = []] = data?.map((part) => part.days) ?? [];
  const byId = new Map(data?.flatMap((part) => part.rows.map((row) => [row.id, row.byDay] as const)));
  // While more rows are asked for, those that were there keep theirs.
  const known = ids.filter((id) => data && (byId.has(id) || !isPlaceholderData));
  return new Map(known.map((id) => [id, { byDay: byId.get(id), days }]));
}

/** The column of a list with the days of each row as small bars. Its key is `days`. */
export function activityColumn<Row extends { id: string }>(activity: ActivityByRow): Column<Row> {
  return { key: 'days', head: '30 days', hide: 'phone', cell: (row) => <DaysOf activity={activity.get(row.id)} /> };
}

function DaysOf({ activity }: { activity: { byDay: Days | undefined; days: readonly string[] } | undefined }) {
  if (!activity) return <SkeletonBlock height={18} />;
  const { byDay, days } = activity;
  if (!byDay) return <span className="text-ink-3">–</span>;
  return <DayBars byDay={byDay} days={days} height={18} />;
}

/** Runs by day as small bars with the failed part; `days` are their dates. */
export function DayBars({ byDay, days, height = 22 }: { byDay: Days; days: readonly string[]; height?: number }) {
  const points = byDay.map(({ runs, failed }) => ({ value: runs, bad: failed }));
  return <Sparkline height={height} points={points} label={daysInWords(byDay, days)} />;
}

/** "96 runs in 30 days, 2 failed; most on 3 May: 9". */
function daysInWords(byDay: Days, days: readonly string[]): string {
  const sum = (name: 'runs' | 'failed'): number => byDay.reduce((total, day) => total + day[name], 0);
  const most = byDay.reduce((best, day, at) => (day.runs > (byDay[best]?.runs ?? 0) ? at : best), 0);
  const day = days[most];
  return `${plural(sum('runs'), 'run')} in ${plural(days.length, 'day')}, ${formatNumber(sum('failed'))} failed${day ? `; most on ${formatDate(day)}: ${formatNumber(byDay[most]?.runs ?? 0)}` : ''}`;
}
