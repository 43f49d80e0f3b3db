import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useUser } from '../../app/session.ts';
import type { Billing } from '../../queries/billing.ts';
import { announceError } from '../../shared/announce-error.ts';
import { amountOf, billingDay, nextPlanOf } from '../../shared/billing-labels.ts';
import { Meter } from '../../ui/charts/meter.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { BuySeatsDialog } from './buy-seats.tsx';
import { refreshPurchases, usePurchaseRefusal } from './purchase.ts';
import { releasable, ReleaseSeatsDialog } from './release-seats.tsx';

/** Seats and what uses them, with buying and releasing. */
export function SeatsPanel({ billing }: { billing: Billing }) {
  const { seats, subscription } = billing;
  const refusal = usePurchaseRefusal(subscription);
  const [dialog, setDialog] = useState<'buy' | 'release' | null>(null);
  const close = (): void => setDialog(null);
  const isSuspended = useUser().suspension !== null;
  const total = seats.included + seats.purchased;
  const members = seats.used - seats.pendingInvites;
  return (
    <Panel title="Seats" aside={isSuspended ? undefined : <Link to="/dashboard/settings/team">Team</Link>}>
      <p className="tabular-nums mb-1.5">
        <b>{formatNumber(seats.used)}</b> of {plural(total, 'seat')} in use
      </p>
      <Meter used={seats.used} limit={total} label="Seats in use" />
      <p className="tabular-nums mt-2 text-ink-2">
        {formatNumber(seats.included)} included
        {seats.purchased > 0 ? `, ${formatNumber(seats.purchased)} bought at ${seatPrices(subscription)}` : ''}. {plural(members, 'member')}
        {seats.pendingInvites > 0 ? ` and ${plural(seats.pendingInvites, 'open invitation')}` : ''}.
      </p>
      {subscription.pendingSeatsIncluded > 0 && subscription.cancelAt === null ? <SeatsIncluded subscription={subscription} /> : null}
      {subscription.pendingSeatRelease > 0 ? <PendingRelease billing={billing} refusal={refusal} /> : null}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button disabledReason={refusal} onClick={() => setDialog('buy')}>
          Buy seats
        </Button>
        <Button kind="quiet" disabledReason={refusal ?? releaseProblem(billing)} onClick={() => setDialog('release')}>
          Release seats
        </Button>
      </div>
      {dialog === 'buy' ? <BuySeatsDialog billing={billing} onClose={close} /> : null}
      {dialog === 'release' ? <ReleaseSeatsDialog billing={billing} onClose={close} /> : null}
    </Panel>
  );
}

/** "$12.00 a month each", "$12.00 a month each, $15.00 from 18 Dec" where another plan follows. */
function seatPrices(subscription: Billing['subscription']): string {
  const { terms, cancelAt } = subscription;
  const next = nextPlanOf(subscription);
  const now = `${amountOf(terms.seatPriceMinor, terms.currency)} a month each`;
  if (cancelAt !== null || next === null || next.terms.seatPriceMinor === terms.seatPriceMinor) return now;
  return `${now}, ${amountOf(next.terms.seatPriceMinor, next.terms.currency)} from ${billingDay(next.at)}`;
}

function releaseProblem(billing: Billing): string | undefined {
  const { purchasedSeats, pendingSeatsIncluded } = billing.subscription;
  if (purchasedSeats === 0) return 'You have bought no seats.';
  if (purchasedSeats === pendingSeatsIncluded) return 'The seats you bought are included from the next period on.';
  return releasable(billing) === 0 ? 'The seats you bought are in use. Remove a member or revoke an invitation first.' : undefined;
}

/** Purchased seats that the plan of the next period includes. */
function SeatsIncluded({ subscription }: Pick<Billing, 'subscription'>) {
  const { planName, pendingSeatsIncluded, currentPeriodEnd } = subscription;
  return (
    <div className="mt-3">
      <Note tone="live">
        <b>
          {plural(pendingSeatsIncluded, 'seat you bought is', 'seats you bought are')} not billed from {billingDay(currentPeriodEnd)} on
        </b>
        . {nextPlanOf(subscription)?.planName ?? planName} includes {pendingSeatsIncluded === 1 ? 'it' : 'them'}. Seats that are in use
        beyond the included ones stay and are billed.
      </Note>
    </div>
  );
}

function PendingRelease({ billing, refusal }: { billing: Billing; refusal: string | undefined }) {
  const { pendingSeatRelease, currentPeriodEnd } = billing.subscription;
  const keep = useMutation({
    mutationFn: () => api.releaseSeats({ body: { quantity: 0 } }),
    onSuccess: () => announce('All seats stay.'),
    onError: (error) => announceError(error),
    onSettled: refreshPurchases,
  });
  return (
    <div className="mt-3">
      <Note
        tone="live"
        action={
          <Button size="sm" disabledReason={refusal} busy={keep.isPending && 'Keeping'} onClick={() => keep.mutate()}>
            Keep {pendingSeatRelease === 1 ? 'it' : 'them'}
          </Button>
        }
      >
        <b>
          {plural(pendingSeatRelease, 'seat ends', 'seats end')} on {billingDay(currentPeriodEnd)}
        </b>
        . Seats in use by then stay.
      </Note>
    </div>
  );
}
