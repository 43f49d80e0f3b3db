import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useUser } from '../app/session.ts';
import { type Billing, billingQuery, invoicesQuery } from '../queries/billing.ts';
import { buttonClass } from '../ui/controls/button.tsx';
import { Note } from '../ui/feedback/note.tsx';
import { useTitle } from '../ui/hooks/use-title.ts';
import { PageHeader, Tabs } from '../ui/layout/layout.tsx';
import { formatToMinute, joinWords, plural } from '../ui/text/format.ts';
import { amountOf } from './billing-labels.ts';
import { rowsOf } from './paged-table.tsx';

const TITLE = 'Usage & billing';

/** Title and tabs of the pages about usage and billing, and what is overdue. */
export function BillingHeader() {
  const user = useUser();
  useTitle(TITLE, user.partner.name);
  const isComparing = useRouterState({ select: ({ location }) => location.pathname === '/dashboard/billing/plan' });
  return (
    <>
      <PageHeader title={TITLE} meta={user.partner.name} />
      <Tabs label={TITLE}>
        {user.suspension ? null : (
          <Link to="/dashboard/usage" activeOptions={{ includeSearch: false }}>
            Usage
          </Link>
        )}
        <Link
          to="/dashboard/billing"
          activeOptions={{ exact: true, includeSearch: false }}
          {...(isComparing ? { 'aria-current': 'page' as const } : {})}
        >
          Plan & seats
        </Link>
        <Link to="/dashboard/billing/invoices" activeOptions={{ includeSearch: false }}>
          Invoices & orders
        </Link>
        <Link to="/dashboard/billing/details" activeOptions={{ includeSearch: false }}>
          Billing details
        </Link>
      </Tabs>
      <Overdue />
    </>
  );
}

function Overdue() {
  const { data } = useQuery(billingQuery());
  const status = data?.subscription.status;
  return data && (status === 'past_due' || status === 'suspended') ? <OverdueNote billing={data} /> : null;
}

/** The overdue amount and the last day to pay it. */
function OverdueNote({ billing }: { billing: Billing }) {
  const overdue = rowsOf(useInfiniteQuery(invoicesQuery({ overdue: true })));
  const { suspension } = useUser();
  const { status, suspendsAt } = billing.subscription;
  // A payment ends only a suspension by billing.
  const isHalted = suspension !== null && suspension.cause !== 'billing';
  const [first] = overdue;
  const owed = first
    ? amountOf(
        overdue.reduce((sum, { owedMinor }) => sum + owedMinor, 0),
        first.currency,
      )
    : 'A payment';
  const numbers = joinWords(overdue.map(({ number }) => number ?? '').filter(Boolean));
  const on = numbers ? ` on ${plural(overdue.length, 'invoice').replace(/^1 /, '')} ${numbers}` : '';
  return (
    <div className="mb-5">
      <Note
        tone={status === 'suspended' || isHalted ? 'bad' : 'warn'}
        action={
          <Link to="/dashboard/billing/invoices" className={buttonClass('default', 'sm')}>
            See invoices
          </Link>
        }
      >
        <b>
          {owed} is overdue{on}.
        </b>{' '}
        {isHalted
          ? 'Your agency is suspended for another reason, so its agents stay paused after the payment.'
          : status === 'suspended'
            ? 'Your agency is suspended and its agents are paused. Everything resumes once the payment has arrived.'
            : suspendsAt
              ? `Pay before ${formatToMinute(suspendsAt)}. After that your agency is suspended and its agents are paused.`
              : 'Your agents keep running; pay as soon as you can.'}
      </Note>
    </div>
  );
}
