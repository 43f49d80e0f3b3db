import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { billingDay } from '../../shared/billing-labels.ts';
import { KeyValues, Panel } from '../../ui/layout/layout.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import type { StaffOverview } from './queries.ts';

type Week = StaffOverview['week'];

/** What changed in the last seven days; each number leads to the list of it. */
export function WeekPanel({ week, from }: { week: Week; from: string }) {
  const figure = (key: string, count: number, link: ReactNode): readonly [ReactNode, ReactNode] => [
    link,
    <span key={key} className="tabular-nums">
      {formatNumber(count)}
    </span>,
  ];
  return (
    <Panel title="Last 7 days" aside={`since ${billingDay(from)}`}>
      <KeyValues
        rows={[
          figure(
            'agencies',
            week.newAgencies,
            <Link to="/admin/partners" className="link">
              New agencies
            </Link>,
          ),
          figure(
            'agents',
            week.newAgents,
            // No list has them by age.
            'New agents',
          ),
          figure(
            'subscriptions',
            week.subscriptionChanges,
            <Link to="/admin/audit-log" search={{ action: 'billing.subscription_changed', result: 'ok', time: '7d' }} className="link">
              Subscription changes
            </Link>,
          ),
          figure(
            'runs',
            week.runs,
            <Link to="/admin/usage" search={{ span: '7d' }} className="link">
              Runs
            </Link>,
          ),
        ]}
      />
      <p className="mt-2 border-t border-line-soft pt-2 text-xs text-ink-3">
        Days in UTC, today included. Runs: {changeText(week)}, until the same hour.
      </p>
    </Panel>
  );
}

/** "12% more than the week before". */
export function changeText({ runs, runsBefore }: Pick<Week, 'runs' | 'runsBefore'>): string {
  if (runsBefore === 0) return runs === 0 ? 'none in two weeks' : 'none the week before';
  const percent = Math.round((Math.abs(runs - runsBefore) / runsBefore) * 100);
  return percent === 0 ? 'as many as the week before' : `${percent}% ${runs > runsBefore ? 'more' : 'fewer'} than the week before`;
}
