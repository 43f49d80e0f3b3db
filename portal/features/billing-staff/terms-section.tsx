import { isPaidFor } from '@partner-portal/core/billing/purchase.ts';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useRefusal } from '../../app/current-user.ts';
import type { Billing } from '../../queries/billing.ts';
import { amountOf } from '../../shared/billing-labels.ts';
import { FEATURE_NAMES, PLAN_FEATURES } from '../../shared/plan-labels.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { AdjustDialog } from './adjust-dialog.tsx';
import { CancelDialog, PeriodEndDialog } from './period-dialogs.tsx';
import '../../ui/controls/button.css';
import '../../ui/layout/panel.css';
import '../../ui/table/table.css';

/** The terms in force next to the plan's; overrides are marked. */
export function TermsSection({ billing, actions }: { billing: Billing; actions: ReactNode }) {
  const refusal = useRefusal('partners.manage');
  const [asked, setAsked] = useState<'adjust' | 'period' | 'cancel'>();
  const close = (): void => setAsked(undefined);
  const { subscription } = billing;
  const canCancel = subscription.cancelAt === null && isPaidFor(subscription.status);
  return (
    <Section
      title="Terms"
      note={subscription.planName}
      aside={
        <>
          {actions}
          {refusal ? null : (
            <Menu
              trigger={
                <button type="button" className="button button-small button-square" aria-label="More actions for the terms">
                  <Ellipsis aria-hidden />
                </button>
              }
              items={[
                { label: 'Adjust credits or seats', onPick: () => setAsked('adjust') },
                { label: 'Move the end of the period', onPick: () => setAsked('period') },
                ...(canCancel
                  ? (['line', { label: 'Cancel at the end of the period', danger: true, onPick: () => setAsked('cancel') }] as const)
                  : []),
              ]}
            />
          )}
        </>
      }
    >
      <TermsTable billing={billing} />
      {asked === 'adjust' ? <AdjustDialog billing={billing} onClose={close} /> : null}
      {asked === 'period' ? <PeriodEndDialog subscription={subscription} onClose={close} /> : null}
      {asked === 'cancel' ? <CancelDialog subscription={subscription} onClose={close} /> : null}
    </Section>
  );
}

type Row = { name: string; now: string; plan: string; isOwn: boolean };

function TermsTable({ billing }: { billing: Billing }) {
  return (
    <div className="panel table-panel">
      <table className="table" data-dense="" aria-label="Terms">
        <thead>
          <tr>
            <th scope="col">Term</th>
            <th scope="col" data-align="end">
              In force
            </th>
            <th scope="col" data-align="end">
              Plan
            </th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(billing).map((row) => (
            <tr key={row.name}>
              <td className="w-full max-w-0 !whitespace-normal">
                <span className="mr-2">{row.name}</span>
                {row.isOwn ? <Badge>Override</Badge> : null}
              </td>
              <td data-align="end" className="font-medium">
                {row.now}
              </td>
              <td data-align="end" className="text-ink-3">
                {row.plan}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function rowsOf({ plan, subscription: { terms, overrides } }: Billing): Row[] {
  const money = (minor: number): string => amountOf(minor, terms.currency);
  const onOff = (on: boolean): string => (on ? 'On' : 'Off');
  const row = (name: string, key: 'includedSeats' | 'includedClients' | 'monthlyCredits'): Row => ({
    name,
    now: formatNumber(terms[key]),
    plan: formatNumber(plan[key]),
    isOwn: overrides[key] !== undefined,
  });
  const price = (name: string, key: 'monthlyPriceMinor' | 'seatPriceMinor'): Row => ({
    name,
    now: money(terms[key]),
    plan: money(plan[key]),
    isOwn: overrides[key] !== undefined,
  });
  const days = 'auditRetentionDays';
  return [
    price('Price per month', 'monthlyPriceMinor'),
    price('Extra seat per month', 'seatPriceMinor'),
    row('Seats', 'includedSeats'),
    row('Clients', 'includedClients'),
    row('Credits per month', 'monthlyCredits'),
    ...FEATURE_NAMES.map((name) => ({
      name: PLAN_FEATURES[name],
      now: onOff(terms.features[name]),
      plan: onOff(plan.features[name]),
      isOwn: overrides.features?.[name] !== undefined,
    })),
    {
      name: 'Audit log retention',
      now: `${formatNumber(terms.features[days])} days`,
      plan: `${formatNumber(plan.features[days])} days`,
      isOwn: overrides.features?.[days] !== undefined,
    },
  ];
}
