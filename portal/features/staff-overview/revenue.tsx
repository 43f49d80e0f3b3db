import { Link } from '@tanstack/react-router';
import { KeyValues, Panel } from '../../ui/layout/layout.tsx';
import { amountOf } from '../../shared/billing-labels.ts';
import type { StaffOverview } from './queries.ts';

/** Invoiced and paid this month and the last, by currency. */
export function RevenuePanel({ revenue }: Pick<StaffOverview, 'revenue'>) {
  return (
    <Panel title="Revenue this month" aside="credit notes taken off">
      {revenue.length === 0 ? <p className="text-ink-2">No invoice was issued this month or last month.</p> : null}
      <div className="grid gap-4">
        {revenue.map(({ currency, invoicedMinor, paidMinor, lastInvoicedMinor, lastPaidMinor }) => (
          <section key={currency} aria-label={`Revenue in ${currency}`}>
            <p>
              <Link to="/admin/usage" search={{ currency }} className="text-2xl font-figure tabular-nums hover:underline">
                {amountOf(invoicedMinor, currency)}
              </Link>{' '}
              <span className="text-ink-3">invoiced</span>
            </p>
            <KeyValues
              rows={[
                ['Paid', amountOf(paidMinor, currency)],
                ['Last month', `${amountOf(lastInvoicedMinor, currency)} invoiced, ${amountOf(lastPaidMinor, currency)} paid`],
              ]}
            />
          </section>
        ))}
      </div>
    </Panel>
  );
}
