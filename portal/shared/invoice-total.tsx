import type { Invoice } from '../queries/billing.ts';
import { amountOf } from './billing-labels.ts';
import '../ui/table/table.css';

/** The total of an invoice in a list, and what is left to pay when a credit note has lowered it. */
export function InvoiceTotal({ invoice: { status, totalMinor, owedMinor, currency } }: { invoice: Invoice }) {
  return (
    <>
      <b className={status === 'void' ? 'font-medium text-ink-3 line-through' : 'font-medium'}>{amountOf(totalMinor, currency)}</b>
      {owedMinor > 0 && owedMinor < totalMinor ? (
        <span className="table-second-line">{amountOf(owedMinor, currency)} left to pay</span>
      ) : null}
    </>
  );
}
