import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Section } from '../../ui/layout/layout.tsx';

/** Leads an agency that was suspended for its billing to its invoices. */
export function PayInvoices() {
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
