import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { billingQuery } from '../../queries/billing.ts';
import { lastRequestQuery } from '../../queries/plans.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Section } from '../../ui/layout/layout.tsx';

/** Leads an agency that was suspended for its billing to what makes it active again: a plan where none is paid for, else its invoices. */
export function BillingWays() {
  const status = useQuery(billingQuery()).data?.subscription.status;
  if (status === undefined) return null;
  return status === 'expired' || status === 'cancelled' ? <ChoosePlan /> : <PayInvoices />;
}

function ChoosePlan() {
  const isPending = useQuery(lastRequestQuery).data?.status === 'pending';
  return (
    <Section title="Choose a plan">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-[60ch] text-ink-2">
          {isPending ? 'Your plan request is pending. ' : ''}Your account is active again as soon as we confirm your plan.
        </p>
        <Link to="/dashboard/billing/plan" className={buttonClass('primary')}>
          {isPending ? 'See your request' : 'Compare plans'}
        </Link>
      </div>
    </Section>
  );
}

function PayInvoices() {
  return (
    <Section title="Pay">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-[60ch] text-ink-2">Your account is active again as soon as the overdue invoices are paid.</p>
        <Link to="/dashboard/billing/invoices" className={buttonClass('primary')}>
          See invoices
        </Link>
      </div>
    </Section>
  );
}

/** The pages that answer a suspended agency. */
export function AgencyLinks() {
  return (
    <>
      <Link className="link" to="/dashboard/billing">
        Billing
      </Link>
      <Link className="link" to="/dashboard/settings/profile">
        Profile
      </Link>
      <Link className="link" to="/dashboard/settings/security">
        Security
      </Link>
    </>
  );
}
