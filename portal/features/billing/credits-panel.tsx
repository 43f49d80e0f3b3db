import { isForecast } from '@partner-portal/core/quota/quota.ts';
import { useUser } from '../../app/session.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Billing } from '../../queries/billing.ts';
import { boughtLeft, creditsAfter } from '../../shared/billing-labels.ts';
import { Meter } from '../../ui/charts/meter.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { formatDay, formatNumber } from '../../ui/text/format.ts';
import { BuyCreditsDialog } from './buy-credits.tsx';
import { usePurchaseRefusal } from './purchase.ts';

/** Credits of the period, how long they last, and buying more. */
export function CreditsPanel({ billing }: { billing: Billing }) {
  const { credits, plan, subscription } = billing;
  const refusal = usePurchaseRefusal(subscription);
  const [isOpen, setOpen] = useState(false);
  const isSuspended = useUser().suspension !== null;
  const limit = credits.monthly + credits.purchased;
  return (
    <Panel title="Credits" aside={isSuspended ? undefined : <Link to="/dashboard/usage">Usage</Link>}>
      <p className="tabular-nums mb-1.5">
        <b>{formatNumber(credits.used)}</b> of {formatNumber(limit)} used
      </p>
      <Meter used={credits.used} limit={limit} pace={paceOf(billing)} label="Credits used" />
      <p className="tabular-nums mt-2 text-ink-2">
        {formatNumber(credits.monthly)} {subscription.status === 'trialing' ? 'for the trial' : 'this month'}, {creditsAfter(billing)}
        {credits.purchased > 0 ? `; ${formatNumber(credits.purchased)} bought, ${boughtLeft(credits) ?? 'which never expire'}` : ''}.{' '}
        <Forecast billing={billing} />
      </p>
      <div className="mt-3">
        <Button
          disabledReason={
            refusal ?? (plan.creditPacks.length === 0 ? 'Your plan has no credit packs. Request custom terms instead.' : undefined)
          }
          onClick={() => setOpen(true)}
        >
          Buy credits
        </Button>
      </div>
      {isOpen ? <BuyCreditsDialog billing={billing} onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}

function Forecast({ billing: { credits } }: { billing: Billing }) {
  if (credits.endsAt !== null && Date.parse(credits.endsAt) <= Date.now()) return null;
  if (credits.remaining <= 0) return <span className="text-bad">All credits are used or reserved, so new events are refused.</span>;
  if (credits.forecast === null && !isForecast(new Date(credits.periodStart), new Date())) return null;
  if (credits.forecast === null)
    return <>At this period’s pace they last until {credits.endsAt === null ? 'the reset' : 'your plan ends'}.</>;
  return (
    <span className="text-warn">
      <Mark kind="warn" size={12} className="mr-1 inline align-[-1px]" />
      At this period’s pace they run out on {formatDay(credits.forecast)}.
    </span>
  );
}

/** The share of the credits' period that has passed. */
function paceOf({ credits }: Billing): number {
  const start = Date.parse(credits.periodStart);
  return (Date.now() - start) / (Date.parse(credits.endsAt ?? credits.resetsAt) - start);
}
