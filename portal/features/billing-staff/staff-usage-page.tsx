import { useQuery } from '@tanstack/react-query';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { BarChart } from '../../ui/charts/bar-chart.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { Figures, PageHeader, Panel } from '../../ui/layout/layout.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { dayKey, formatDate, formatNumber, inPlace, momentOf } from '../../ui/text/format.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { SuccessPanel } from '../../shared/success-panel.tsx';
import { AgencyUsage } from './agency-usage.tsx';
import { KindUsage } from './kind-usage.tsx';
import { staffUsageQuery } from './queries.ts';
import { ONE_AGENCY, usePartnerChoices } from '../../shared/choices.ts';
import { partnerQuery } from '../../queries/partners.ts';
import type { UsageRow } from '../../shared/usage-columns.tsx';
import { RevenueSection } from './revenue-section.tsx';
import { daysOf, SPAN_OPTIONS, type StaffUsageSearch } from './usage-search.ts';

type Props = { search: StaffUsageSearch; onSearch: (change: StaffUsageSearch) => void };

/** Credits by day and by agency, and revenue by month. */
export function StaffUsagePage({ search, onSearch }: Props) {
  useTitle('Usage');
  const { span = '30d', partner } = search;
  const timezone = useTimezone(partner);
  const days = daysOf(span, new Date(dayKey(new Date(), timezone ?? 'UTC')));
  const from = new Date(momentOf(Date.parse(days[0] ?? ''), timezone ?? 'UTC')).toISOString();
  const byDay = useQuery({ ...staffUsageQuery({ groupBy: 'day', from, partnerId: partner }), enabled: timezone !== undefined });
  const agencies = usePartnerChoices(partner);
  return (
    <>
      <PageHeader title="Usage" meta="Credits that agencies used, and what they were invoiced" />
      <FilterBar
        chips={
          <>
            <FilterChip
              isRequired
              name="Time"
              value={span}
              options={SPAN_OPTIONS}
              onChange={(value) => onSearch({ span: value === '30d' ? undefined : value })}
            />
            <FilterChip
              name="Agency"
              value={partner}
              options={agencies.options}
              search={agencies.search}
              chosenName={agencies.name ?? ONE_AGENCY}
              onChange={(value) => onSearch({ partner: value })}
            />
          </>
        }
      />
      <Loaded query={byDay} className="mb-6" skeleton={<SkeletonBlock height={480} />}>
        {(rows) => <Days rows={rows} days={days} where={partner && timezone ? inPlace(timezone) : ''} />}
      </Loaded>
      {/* Read at once, and shown with the days above them, whose height depends on the screen: nothing moves. */}
      <div hidden={byDay.isPending && byDay.failureCount === 0}>
        {timezone === undefined ? null : <KindUsage from={from} partnerId={partner} />}
        {partner ? null : (
          <AgencyUsage from={from} onPick={(id) => onSearch({ partner: id })} sort={search.sort} onSort={(sort) => onSearch({ sort })} />
        )}
        <RevenueSection currency={search.currency} onCurrency={(currency) => onSearch({ currency })} />
      </div>
    </>
  );
}

/** Days are those of the chosen agency, and of UTC for all together (PLAN-20). Undefined until the agency is loaded; its name may fail to. */
function useTimezone(partner: string | undefined): string | undefined {
  const { data, isError } = useQuery({ ...partnerQuery(partner ?? ''), enabled: partner !== undefined });
  return partner === undefined || isError ? 'UTC' : data?.timezone;
}

const FORMAT = { long: formatNumber, short: new Intl.NumberFormat('en-US', { notation: 'compact' }).format };

function Days({ rows, days, where }: { rows: readonly UsageRow[]; days: readonly string[]; where: string }) {
  const sum = (name: 'credits' | 'runs' | 'failed'): number => rows.reduce((total, row) => total + row[name], 0);
  if (sum('runs') === 0 && sum('credits') === 0)
    return (
      <div className="mb-6">
        <EmptyState title="No usage in this period">Credits appear here once runs succeed.</EmptyState>
      </div>
    );
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const today = days.at(-1);
  const labelEvery = days.length > 45 ? 14 : days.length > 14 ? 5 : 1;
  const bars = days.map((day) => ({
    label: formatDate(day),
    title: formatDate(day),
    value: byDay.get(day)?.credits ?? 0,
    bad: 0,
    isCurrent: day === today,
  }));
  return (
    <>
      <Figures
        items={[
          {
            label: 'Credits',
            value: formatNumber(sum('credits')),
            note: `${formatNumber(Math.round(sum('credits') / days.length))} a day`,
          },
          { label: 'Runs', value: formatNumber(sum('runs')) },
          {
            label: 'Failed',
            value: formatNumber(sum('failed')),
            note: sum('runs') > 0 ? `${((sum('failed') / sum('runs')) * 100).toFixed(1)}% of the runs` : undefined,
          },
        ]}
      />
      <Panel title={`Credits per day${where}`} flush className="mb-6">
        <BarChart bars={bars} labelEvery={labelEvery} label="Credits per day" names={{ bucket: 'Day', value: 'Credits' }} format={FORMAT} />
      </Panel>
      <SuccessPanel days={days} byDay={byDay} labelEvery={labelEvery} />
    </>
  );
}
