import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import type { Billing } from '../../queries/billing.ts';
import { partnerQuery } from '../../queries/partners.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { amountOf, billingDay, excessText, nextPlanOf } from '../../shared/billing-labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { plural } from '../../ui/text/format.ts';

/** What will change at the end of the period, with the way to withdraw it. */
export function TermsNotes({ billing: { subscription } }: { billing: Billing }) {
  const {
    pendingPlan,
    clockPaused,
    suspendsAt,
    cancelAt,
    pendingSeatRelease,
    pendingSeatsIncluded,
    currentPeriodEnd,
    planId,
    overrides,
    planName,
    status,
  } = subscription;
  const refusal = useRefusal('partners.manage');
  const isAccountSuspended = useQuery(partnerQuery(subscription.partnerId)).data?.status === 'suspended';
  const withdraw = useMutation({
    mutationFn: (body: { status: 'active' } | { planId: string; overrides: typeof overrides }) =>
      api.updateSubscription({ params: { partnerId: subscription.partnerId }, body }),
    onSuccess: () => {
      announce('The terms stay as they are.');
      void refreshAfter('billingChanged');
    },
    onError: (error) => announceError(error),
  });
  const keep = (word: string, body: Parameters<typeof withdraw.mutate>[0]) => (
    <Button size="sm" disabledReason={refusal} busy={withdraw.isPending && 'Withdrawing'} onClick={() => withdraw.mutate(body)}>
      {word}
    </Button>
  );
  return (
    <div className="mb-4 grid gap-2 empty:hidden">
      {status === 'past_due' || status === 'suspended' ? (
        <Note tone="bad">
          <b>{status === 'suspended' ? 'Suspended for unpaid invoices.' : 'Invoices are past due.'}</b>{' '}
          {clockPaused
            ? `The payment clock is paused: ${clockPaused.reason}`
            : status === 'past_due' && suspendsAt
              ? `The account is suspended on ${billingDay(suspendsAt)} unless they are paid.`
              : status === 'past_due' && isAccountSuspended
                ? 'The payment clock stands still while the account is suspended.'
                : 'It is active again when the last overdue invoice is paid.'}
        </Note>
      ) : null}
      {pendingPlan && cancelAt === null ? (
        <Note tone={pendingPlan.exceeds.length > 0 ? 'warn' : 'live'} action={keep(`Keep ${planName}`, { planId, overrides })}>
          <b>
            {pendingPlan.planName} from {billingDay(pendingPlan.at)}
          </b>
          , for {amountOf(pendingPlan.terms.monthlyPriceMinor, pendingPlan.terms.currency)} a month
          {pendingPlan.exceeds.length > 0
            ? `, if its usage fits by then: ${excessText(pendingPlan.exceeds)}. Otherwise the terms stay.`
            : '. Until then the terms stay.'}
        </Note>
      ) : null}
      {cancelAt && status !== 'cancelled' ? (
        <Note tone="warn" action={keep('Withdraw the cancellation', { status: 'active' })}>
          <b>Ends on {billingDay(cancelAt)}.</b> Its agents accept no events from then on.
        </Note>
      ) : null}
      {pendingSeatsIncluded > 0 && cancelAt === null ? (
        <Note tone="live">
          <b>{plural(pendingSeatsIncluded, 'purchased seat is', 'purchased seats are')} not billed</b> from {billingDay(currentPeriodEnd)}{' '}
          on: {nextPlanOf(subscription)?.planName ?? planName} includes {pendingSeatsIncluded === 1 ? 'it' : 'them'}. Seats that are in use
          beyond the included ones stay and are billed.
        </Note>
      ) : null}
      {pendingSeatRelease > 0 ? (
        <Note tone="live">
          <b>{plural(pendingSeatRelease, 'purchased seat ends', 'purchased seats end')}</b> on {billingDay(currentPeriodEnd)}. Seats that
          are in use then stay.
        </Note>
      ) : null}
    </div>
  );
}
