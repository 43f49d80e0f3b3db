import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { Link } from '@tanstack/react-router';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { plural } from '../../ui/text/format.ts';
import { billingDay } from '../../shared/billing-labels.ts';
import type { StaffOverview } from './queries.ts';

type Agency = StaffOverview['atRisk']['agencies'][number];

/** Agencies at risk; each reason is a link to the page where staff act on it. */
export function AtRiskSection({ atRisk: { total, agencies } }: Pick<StaffOverview, 'atRisk'>) {
  return (
    <Section title="Agencies at risk" note={total || undefined}>
      <p className="mb-2 text-ink-3 text-pretty">
        Suspended, with an overdue invoice, on a trial that ends within {LIMITS.trialSoonDays} days, or with an open alert about a failing
        agent or a refused key.
      </p>
      {agencies.length === 0 ? (
        <p className="flex items-center gap-2 border-t border-line py-3 text-ink-2">
          <Mark kind="ok" />
          No agency is at risk.
        </p>
      ) : (
        <ul className="border-t border-line">
          {agencies.map((agency) => (
            <li key={agency.partnerId} className="flex gap-3 border-b border-line-soft py-2.75">
              <Mark kind={agency.suspendedAt || agency.overdueInvoices > 0 ? 'bad' : 'warn'} className="mt-0.75" />
              <div className="min-w-0 flex-1">
                <Link
                  to="/admin/partners/$partnerId"
                  params={{ partnerId: agency.partnerId }}
                  className="inline-flex min-h-6 items-center font-figure hover:underline"
                >
                  {agency.partnerName}
                </Link>
                <Reasons agency={agency} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {total > agencies.length ? (
        <p className="pt-2 text-ink-3">
          The first {agencies.length} of {total} are shown.
        </p>
      ) : null}
    </Section>
  );
}

const REASON = 'link inline-flex min-h-6 items-center';

function Reasons({ agency: { partnerId, suspendedAt, overdueInvoices, trialEndsAt, failingAgents, refusedKeys } }: { agency: Agency }) {
  return (
    <ul className="flex flex-wrap gap-x-3 text-ink-2">
      {suspendedAt ? (
        <li>
          <Link to="/admin/partners/$partnerId" params={{ partnerId }} className={REASON}>
            Suspended since {billingDay(suspendedAt)}
          </Link>
        </li>
      ) : null}
      {overdueInvoices > 0 ? (
        <li>
          <Link to="/admin/invoices" search={{ show: 'overdue', partner: partnerId }} className={REASON}>
            {plural(overdueInvoices, 'overdue invoice')}
          </Link>
        </li>
      ) : null}
      {trialEndsAt ? (
        <li>
          <Link to="/admin/partners/$partnerId/billing" params={{ partnerId }} className={REASON}>
            Trial ends {billingDay(trialEndsAt)}
          </Link>
        </li>
      ) : null}
      {failingAgents > 0 ? (
        <li>
          <Link to="/admin/alerts" search={{ rule: 'failure_streak' }} className={REASON}>
            {plural(failingAgents, 'failing agent')}
          </Link>
        </li>
      ) : null}
      {refusedKeys > 0 ? (
        <li>
          <Link to="/admin/alerts" search={{ rule: 'credential_invalid' }} className={REASON}>
            {plural(refusedKeys, 'refused key')}
          </Link>
        </li>
      ) : null}
    </ul>
  );
}
