import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { type Activity, activityQuery } from '../queries/activity.ts';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { SkeletonBlock } from '../ui/feedback/skeleton.tsx';
import type { Column } from '../ui/table/table.tsx';
import { formatDate, formatNumber, plural } from '../ui/text/format.ts';

type Days = Activity['rows'][number]['byDay'];
/** Thirty days of a row; `byDay` is undefined without a run in them. */
type OfRow = { byDay: Days | undefined; days: readonly string[] };
/** Activity by row id; rows whose activity is not loaded yet are missing. */
type ActivityByRow = ReadonlyMap<string, OfRow>;
type Listed = { data: { pages: readonly { data: readonly { id: string }[] }[] } | undefined };

/** Returns thirty days of the clients or agents of a list, a page of which is one query; of none while `isShown` is false. */
export function useActivity(of: 'clients' | 'agents', list: Listed, isShown: boolean): ActivityByRow {
  const pages = list.data?.pages.map((page) => page.data.map(({ id }) => id)) ?? [];
  const queries = useQueries({ queries: isShown ? pages.map((ids) => activityQuery(of, ids)) : [] });
  // When a row is added or removed, its page is refetched; meanwhile the other rows keep their values.
  const [known] = useState(() => new Map<string, OfRow>());
  for (const [at, { data }] of queries.entries()) {
    if (!data) continue;
    const byId = new Map(data.rows.map((row) => [row.id, row.byDay]));
    for (const id of pages[at] ?? []) known.set(id, { byDay: byId.get(id), days: data.days });
  }
  return known;
}

/** The column of a list with the days of each row as small bars. Its key is `days`. */
export function activityColumn<Row extends { id: string }>(activity: ActivityByRow): Column<Row> {
  return { key: 'days', head: '30 days', hide: 'phone', cell: (row) => <DaysOf activity={activity.get(row.id)} /> };
}

function DaysOf({ activity }: { activity: OfRow | undefined }) {
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
