import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Billing } from '../../queries/billing.ts';
import { amountOf } from '../../shared/billing-labels.ts';
import { FEATURE_NAMES, PLAN_FEATURES } from '../../shared/plan-labels.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import '../../ui/layout/key-values.css';

type Row = { name: string; value: string; /** The plan's own value, where other terms were agreed. */ planValue?: string | undefined };

/** The agency's terms and prices; marks terms that were agreed instead of the plan's. */
export function TermsPanel({ billing }: { billing: Billing }) {
  const rows = termRows(billing);
  const { features } = billing.subscription.terms;
  return (
    <Panel
      title="Terms"
      aside={
        <Link to="/dashboard/billing/plan" className={buttonClass('default', 'sm')}>
          Compare plans
        </Link>
      }
    >
      <dl className="key-values">
        {rows.map(({ name, value, planValue }) => (
          <Term key={name} name={name}>
            {planValue === undefined ? (
              value
            ) : (
              <span className="inline-flex flex-wrap items-center justify-end gap-x-2">
                <Badge>Agreed</Badge>
                <b className="font-medium">{value}</b>
                <span className="text-xs text-ink-3">plan: {planValue}</span>
              </span>
            )}
          </Term>
        ))}
      </dl>
      <ul className="mt-3 border-t border-line-soft pt-3">
        {FEATURE_NAMES.map((name) => (
          <li key={name} className="flex items-center gap-2 py-0.5">
            <Mark kind={features[name] ? 'ok' : 'none'} label={features[name] ? 'Included:' : 'Not included:'} />
            <span className={features[name] ? undefined : 'text-ink-3'}>{PLAN_FEATURES[name]}</span>
            {features[name] === billing.plan.features[name] ? null : <Badge>Agreed</Badge>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="!overflow-visible !whitespace-normal">{children}</dd>
    </>
  );
}

/** The terms in force, each with the plan's value where it differs. */
function termRows({ plan, subscription }: Billing): Row[] {
  const { terms, overrides } = subscription;
  const row = <T,>(name: string, value: T, planned: T, override: unknown, show: (one: T) => string): Row => ({
    name,
    value: show(value),
    ...(override === undefined || value === planned ? {} : { planValue: show(planned) }),
  });
  const price = (minor: number): string => amountOf(minor, terms.currency);
  return [
    row('Price a month', terms.monthlyPriceMinor, plan.monthlyPriceMinor, overrides.monthlyPriceMinor, price),
    row('Seats included', terms.includedSeats, plan.includedSeats, overrides.includedSeats, formatNumber),
    row('Each further seat', terms.seatPriceMinor, plan.seatPriceMinor, overrides.seatPriceMinor, price),
    row('Clients', terms.includedClients, plan.includedClients, overrides.includedClients, formatNumber),
    row('Credits a month', terms.monthlyCredits, plan.monthlyCredits, overrides.monthlyCredits, formatNumber),
    row(
      'Audit log kept',
      terms.features.auditRetentionDays,
      plan.features.auditRetentionDays,
      overrides.features?.auditRetentionDays,
      (days) => plural(days, 'day'),
    ),
  ];
}
