import { creditsElsewhere } from '@partner-portal/core/quota/breakdown.ts';
import { isForecast, NEARLY_USED_PERCENT, wholePercent } from '@partner-portal/core/quota/quota.ts';
import { billingDay, refusedUntil } from '../../shared/billing-labels.ts';
import { formatDay, formatNumber } from '../../ui/text/format.ts';
import { BarList, Meter } from '../../ui/charts/meter.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import type { Summary } from '../../queries/agency.ts';

/** Credits used this month, or until the plan ends, the forecast and who used them: of all clients they add up to those used. */
export function CreditsPanel({ summary: { quota, topClients, now }, isOfClient }: { summary: Summary; isOfClient: boolean }) {
  const others = isOfClient ? 0 : creditsElsewhere(quota.used, topClients);
  const span = Date.parse(quota.endsAt ?? quota.resetsAt) - Date.parse(quota.periodStart);
  const pace = (Date.parse(now) - Date.parse(quota.periodStart)) / span;
  return (
    <Panel
      title={quota.endsAt === null ? 'Credits this month' : 'Credits'}
      aside={quota.endsAt === null ? `resets ${billingDay(quota.resetsAt)}` : `end ${billingDay(quota.endsAt)}`}
    >
      <p className="tabular-nums flex items-baseline gap-1.5">
        <span className="text-2xl font-figure tracking-figure">{formatNumber(quota.used)}</span>
        <span className="text-ink-3">of {formatNumber(quota.limit)}</span>
        <span className="ml-auto inline-flex items-center gap-1.5 text-xs text-ink-2">
          {quota.percent >= NEARLY_USED_PERCENT ? <Mark kind="warn" label={`over ${NEARLY_USED_PERCENT} percent`} /> : null}
          {wholePercent(quota.percent)}%
        </span>
      </p>
      <div className="mt-2.5 mb-2">
        <Meter used={quota.used} limit={quota.limit} pace={pace} label="Credits used" />
      </div>
      <p className="text-xs">
        <span className="text-ink-3">The tick marks an even pace.</span> {forecast(quota)}
      </p>
      {topClients.length > 0 ? (
        <div className="mt-3 border-t border-line-soft pt-2">
          <BarList
            rows={[
              ...topClients.map((row) => ({ name: row.name, value: row.credits, text: formatNumber(row.credits), rest: row.id === null })),
              ...(others > 0 ? [{ name: 'Others', value: others, text: formatNumber(others), rest: true }] : []),
            ]}
          />
        </div>
      ) : null}
    </Panel>
  );
}

function forecast(quota: Summary['quota']) {
  if (quota.remaining <= 0 && quota.used < quota.limit)
    return <>Runs in progress reserve the other {formatNumber(quota.inFlight)}. New events are refused until some of these come back.</>;
  if (quota.remaining <= 0)
    return (
      <>
        {quota.endsAt === null ? 'This month’s' : 'All'} credits are used. {refusedUntil(quota)}
      </>
    );
  if (quota.forecastDate)
    return (
      <>
        At this period’s pace you run out on <b className="text-warn">{formatDay(quota.forecastDate)}</b>.
      </>
    );
  if (!isForecast(new Date(quota.periodStart), new Date())) return null;
  return <>At this period’s pace your credits last until {quota.endsAt === null ? 'they reset' : 'your plan ends'}.</>;
}
