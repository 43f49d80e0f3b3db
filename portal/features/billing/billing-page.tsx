import { Link } from '@tanstack/react-router';
import { useLoaded } from '../../app/route-data.ts';
import { type Billing, billingQuery } from '../../queries/billing.ts';
import { amountOf, billingDay, creditsAfter, excessText, nextPlanOf, SUBSCRIPTION_STATUS } from '../../shared/billing-labels.ts';
import { InvoiceLines } from '../../shared/invoice-lines.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Figures, Section } from '../../ui/layout/layout.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { CreditsPanel } from './credits-panel.tsx';
import { PlanRequestNote } from './plan-request-note.tsx';
import { SeatsPanel } from './seats-panel.tsx';
import { StayOnPlan } from './stay-on-plan.tsx';
import { TermsPanel } from './terms-panel.tsx';

/** Plan and terms, seats, credits and what the next invoice will hold. */
export function BillingPage() {
  const billing = useLoaded(billingQuery());
  return (
    <>
      <Summary billing={billing} />
      <Coming billing={billing} />
      <PlanRequestNote followsForm />
      <div className="grid items-start gap-6 rail:grid-cols-[minmax(0,1fr)_348px]">
        <div className="grid min-w-0 gap-6">
          <div className="grid gap-6 lg:grid-cols-2">
            <SeatsPanel billing={billing} />
            <CreditsPanel billing={billing} />
          </div>
          <NextInvoice billing={billing} />
        </div>
        <TermsPanel billing={billing} />
      </div>
    </>
  );
}

function Summary({ billing }: { billing: Billing }) {
  const { subscription, seats, credits, nextInvoice } = billing;
  const { mark, word } = SUBSCRIPTION_STATUS[subscription.status];
  return (
    <Figures
      items={[
        {
          label: 'Plan',
          value: subscription.planName,
          note: (
            <span className="inline-flex items-center gap-1.5">
              <Mark kind={mark} size={12} />
              {word}, {periodNote(billing)}
            </span>
          ),
        },
        {
          label: 'Seats free',
          value: formatNumber(Math.max(0, seats.free)),
          unit: ` of ${formatNumber(seats.included + seats.purchased)}`,
          note: 'for members and invitations',
        },
        { label: 'Credits left', value: formatNumber(Math.max(0, credits.remaining)), note: creditsAfter(billing) },
        {
          label: 'Next invoice',
          value: nextInvoice ? amountOf(nextInvoice.totalMinor, nextInvoice.currency) : 'None',
          note: nextInvoice ? `on ${billingDay(nextInvoice.at)}, estimated` : 'nothing will be charged',
        },
      ]}
    />
  );
}

function periodNote({ subscription }: Billing): string {
  const { status, trialEndsAt, currentPeriodEnd, cancelAt } = subscription;
  const next = nextPlanOf(subscription);
  const isReplaced = next !== null && next.planId !== subscription.planId;
  const ends = cancelAt ? `ends ${billingDay(cancelAt)}` : `${isReplaced ? 'until' : 'renews'} ${billingDay(currentPeriodEnd)}`;
  switch (status) {
    case 'trialing':
      return trialEndsAt ? `until ${billingDay(trialEndsAt)}` : ends;
    case 'expired':
    case 'cancelled':
      return 'request a plan to continue';
    case 'active':
    case 'past_due':
    case 'suspended':
      return ends;
  }
}

/** The change scheduled for the end of the period. */
function Coming({ billing }: { billing: Billing }) {
  const { pendingPlan, cancelAt, status } = billing.subscription;
  if (cancelAt && status !== 'cancelled')
    return (
      <div className="mb-5">
        <Note tone="warn">
          <b>Your subscription ends on {billingDay(cancelAt)}.</b> Your agents stop that day. Contact us to keep your subscription.
        </Note>
      </div>
    );
  if (!pendingPlan) return null;
  const { planId, planName, terms, at, exceeds } = pendingPlan;
  const isOtherPlan = planId !== billing.subscription.planId;
  const stay = isOtherPlan ? <StayOnPlan subscription={billing.subscription} /> : undefined;
  if (exceeds.length > 0)
    return (
      <div className="mb-5">
        <Note tone="warn" action={stay}>
          <b>
            {isOtherPlan ? `You move to ${planName}` : 'Your terms change'} on {billingDay(at)} only if your usage fits by then:
          </b>{' '}
          {excessText(exceeds)}. Otherwise your plan and its price stay.
        </Note>
      </div>
    );
  return (
    <div className="mb-5">
      <Note tone="live" action={stay}>
        <b>
          {isOtherPlan ? `You move to ${planName}` : 'Your terms change'} on {billingDay(at)}
        </b>
        , for {amountOf(terms.monthlyPriceMinor, terms.currency)} a month
        {billing.seats.purchased > 0 ? ' plus the seats you bought beyond the plan' : ''}. Until then nothing changes.
      </Note>
    </div>
  );
}

function NextInvoice({ billing }: { billing: Billing }) {
  const { nextInvoice, tax } = billing;
  return (
    <Section
      title="Next invoice"
      note={nextInvoice ? `drafted on ${billingDay(nextInvoice.at)}; what you order until then is added` : undefined}
      aside={<Link to="/dashboard/billing/invoices">All invoices</Link>}
    >
      {nextInvoice ? (
        <InvoiceLines
          label="Next invoice"
          lines={nextInvoice.lines}
          currency={nextInvoice.currency}
          totals={{ ...nextInvoice, taxRateBasisPoints: tax.rateBasisPoints, taxNote: tax.note }}
        />
      ) : (
        <EmptyState title="Nothing will be charged">
          Plan, seats and credits are listed here, line by line, before they are invoiced.
        </EmptyState>
      )}
    </Section>
  );
}
