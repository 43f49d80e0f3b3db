import { isForecast, NEARLY_USED_PERCENT, wholePercent } from '@partner-portal/core/quota/quota.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dayKey, formatDate, formatDay, formatNumber, inPlace, momentOf } from '../../ui/text/format.ts';
import { BarChart, ChartLegend } from '../../ui/charts/bar-chart.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Figures, Panel, Section } from '../../ui/layout/layout.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Meter } from '../../ui/charts/meter.tsx';
import { AiRatesTable } from '../../shared/ai-rates-table.tsx';
import { billingDay, boughtLeft, refusedUntil } from '../../shared/billing-labels.ts';
import { BillingHeader } from '../../shared/billing-header.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import type { Reply } from '../../app/api.ts';
import { SuccessPanel } from '../../shared/success-panel.tsx';
import { quotaQuery } from '../../queries/agency.ts';
import { ChatBudgetsSection } from './chat-budgets.tsx';
import { LedgerSection } from './ledger.tsx';
import { elsewhereRow, type MeterRead } from './elsewhere.ts';
import { fromOf, usageQuery } from './queries.ts';
import type { UsageGroup, UsageSearch } from './usage-search.ts';
import type { UsageRow } from '../../shared/usage-columns.tsx';
import { UsageTable } from './usage-table.tsx';
import { useLoaded } from '../../app/route-data.ts';
import { useUser } from '../../app/session.ts';
import { useChangeSearch } from '../../app/search-state.ts';
import { spanChoices } from '../../shared/spans.ts';

type Quota = Reply<'getQuota'>;

const SPAN_LABELS = spanChoices('month', '7d', '30d', '90d');

/** Credits used, the breakdown and the ledger. */
export function UsagePage({ client, span = 'month', by = 'day', kind, sort }: UsageSearch & { client: string | undefined }) {
  const set = useChangeSearch<UsageSearch>('/dashboard/usage');
  const quota = useLoaded(quotaQuery);
  const { timezone } = useUser().partner;
  const from = fromOf(span, quota.periodStart, timezone);
  const usage = useQuery(usageQuery(by, from, client));
  return (
    <>
      <BillingHeader />
      <MeterPanel quota={quota} />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Segmented
          label="By"
          value={by}
          onChange={(next) => set({ by: next === 'day' ? undefined : next })}
          options={[
            { value: 'day', label: 'By day' },
            { value: 'client', label: 'By client' },
            { value: 'agent', label: 'By agent' },
          ]}
        />
        {client ? (
          <p className="order-last text-ink-3">The meter counts all clients; the chart and the ledger show the selected client.</p>
        ) : null}
        <FilterChip
          isRequired
          name="Time"
          value={span}
          options={SPAN_LABELS}
          onChange={(next) => set({ span: next === 'month' ? undefined : next })}
        />
      </div>
      {usage.error ? <ErrorBlock error={usage.error} onRetry={() => void usage.refetch()} /> : null}
      {!usage.data && !usage.error ? (
        <div className="mb-7">
          <SkeletonBlock height={345} />
        </div>
      ) : null}
      {usage.data ? (
        <div className="mb-7">
          <UsageView
            {...usage.data}
            by={by}
            from={from}
            timezone={timezone}
            until={span === 'month' ? quota.resetsAt : new Date().toISOString()}
            sort={sort}
            onSort={(next) => set({ sort: next })}
          />
        </div>
      ) : null}
      <LedgerSection
        filters={{ clientId: client, kind, from: span === 'month' ? quota.periodStart : from }}
        onKind={(next) => set({ kind: next })}
      />
      <ChatBudgetsSection endsAt={quota.endsAt} />
      <div className="mt-7">
        <Section
          title="Language models"
          note="credits for 1,000 tokens on the platform’s keys, each call rounded up to whole credits; own keys cost none"
        >
          <AiRatesTable />
        </Section>
      </div>
    </>
  );
}

function MeterPanel({ quota }: { quota: Quota }) {
  const until = quota.endsAt ?? quota.resetsAt;
  const pace = (Date.now() - Date.parse(quota.periodStart)) / (Date.parse(until) - Date.parse(quota.periodStart));
  return (
    <>
      {quota.remaining <= 0 ? (
        <div className="mb-4">
          <Note tone="bad">
            {quota.used < quota.limit ? (
              <>
                <b>All credits are used or reserved by runs in progress.</b> New events are refused until some of the{' '}
                {formatNumber(quota.inFlight)} reserved come back.
              </>
            ) : (
              <>
                <b>
                  {quota.endsAt === null ? 'This month’s' : 'All'} {formatNumber(quota.limit)} credits are used.
                </b>{' '}
                {refusedUntil(quota)}
              </>
            )}{' '}
            <Link className="link" to="/dashboard/billing">
              Buy credits
            </Link>
          </Note>
        </div>
      ) : null}
      <div className="mb-4">
        <Meter used={quota.used} limit={quota.limit} pace={pace} label="Credits used this month" />
      </div>
      <Figures
        items={[
          {
            label: 'Used',
            value: formatNumber(quota.used),
            unit: ` of ${formatNumber(quota.limit)}`,
            note: (
              <span className="inline-flex items-center gap-1.5">
                {quota.percent >= NEARLY_USED_PERCENT ? <Mark kind="warn" size={12} label={`over ${NEARLY_USED_PERCENT} percent`} /> : null}
                {wholePercent(quota.percent)}%, the mark is an even pace
              </span>
            ),
          },
          {
            label: 'Left',
            value: formatNumber(Math.max(0, quota.remaining)),
            note: quota.inFlight ? `${formatNumber(quota.inFlight)} reserved by running runs` : 'none reserved by running runs',
          },
          { label: 'Included', value: formatNumber(quota.monthly), note: `this period, until ${billingDay(until)}` },
          {
            label: 'Bought',
            value: formatNumber(quota.purchased),
            note: (
              <>
                {boughtLeft(quota) === undefined ? '' : `${boughtLeft(quota)}, `}
                <Link className="link" to="/dashboard/billing">
                  Buy credits
                </Link>
              </>
            ),
          },
          { label: 'At this period’s pace', ...forecastOf(quota) },
        ]}
      />
    </>
  );
}

function forecastOf({ forecastDate, used, limit, remaining, periodStart, endsAt }: Quota): { value: string; note: ReactNode } {
  if (remaining <= 0 && used < limit) return { value: 'reserved', note: <span className="text-warn">by runs in progress</span> };
  if (forecastDate) return { value: formatDay(forecastDate), note: <span className="text-warn">you run out on this date</span> };
  if (used >= limit) return { value: 'used up', note: <span className="text-bad">none are left</span> };
  if (!isForecast(new Date(periodStart), new Date())) return { value: '–', note: 'too early to say' };
  return { value: 'enough', note: `they last until ${endsAt === null ? 'the reset' : 'your plan ends'}` };
}

type ViewProps = {
  rows: readonly UsageRow[];
  by: UsageGroup;
  from: string;
  /** The agency's: the rows count by its days (PLAN-20). */
  timezone: string;
  until: string;
  /** The meter as it was read with the rows, when they are of its whole period. */
  meter: MeterRead | undefined;
  sort: UsageSearch['sort'];
  onSort: (sort: UsageSearch['sort']) => void;
};

function UsageView({ rows, by, from, timezone, until, meter, sort, onSort }: ViewProps) {
  if (rows.every((row) => row.credits === 0 && row.runs === 0))
    return <EmptyState title="No usage in this period">Usage appears here once runs succeed.</EmptyState>;
  const elsewhere = elsewhereRow(rows, meter, from);
  if (by !== 'day') return <UsageTable rows={rows} by={by} elsewhere={elsewhere} sort={sort} onSort={onSort} />;
  const today = dayKey(new Date(), timezone);
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const days = daysBetween(from, until, timezone);
  const labelEvery = days.length > 45 ? 14 : days.length > 14 ? 5 : 1;
  const bars = days.map((day) => ({
    label: dayOf(day),
    title: dayOf(day),
    value: byDay.get(day)?.runs ?? 0,
    bad: byDay.get(day)?.failed ?? 0,
    isCurrent: day === today,
  }));
  return (
    <>
      <Panel
        className="mb-4"
        title={`Runs per day${inPlace(timezone)}`}
        aside={
          <>
            <ChartLegend value="Runs" bad="Failed" current={bars.some((bar) => bar.isCurrent) ? 'Today' : undefined} />
            <b className="font-medium text-ink">
              {formatNumber(rows.reduce((sum, row) => sum + row.credits, elsewhere?.credits ?? 0))} credits
            </b>
          </>
        }
        flush
      >
        <BarChart bars={bars} labelEvery={labelEvery} label="Runs per day" names={{ bucket: 'Day', value: 'Runs', bad: 'Failed' }} />
      </Panel>
      <SuccessPanel days={days.filter((day) => day <= today)} byDay={byDay} labelEvery={labelEvery} />
    </>
  );
}

/** Returns every day in a range, so that days without usage show as gaps. */
function daysBetween(from: string, until: string, timezone: string): string[] {
  const days: string[] = [];
  for (
    const at = new Date(`${dayKey(new Date(from), timezone)}T00:00:00Z`);
    momentOf(at.getTime(), timezone) < Date.parse(until);
    at.setUTCDate(at.getUTCDate() + 1)
  )
    days.push(at.toISOString().slice(0, 10));
  return days;
}

function dayOf(key: string): string {
  return formatDate(key);
}
