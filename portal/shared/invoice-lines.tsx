import type { InvoiceLine } from '../queries/billing.ts';
import { formatNumber } from '../ui/text/format.ts';
import { amountOf, periodText, rateText } from './billing-labels.ts';
import '../ui/layout/panel.css';
import '../ui/table/table.css';

type Totals = { subtotalMinor: number; taxMinor: number; totalMinor: number; taxRateBasisPoints: number; taxNote: string | null };
type Props = { label: string; lines: readonly InvoiceLine[]; currency: string; totals?: Totals };

/** Lines of an invoice, or of one to come, with their sum. */
export function InvoiceLines({ label, lines, currency, totals }: Props) {
  return (
    <div className="panel table-panel">
      <table className="table" data-dense="" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col" data-align="end" data-hide="phone">
              Quantity
            </th>
            <th scope="col" data-align="end" data-hide="phone">
              Unit price
            </th>
            <th scope="col" data-align="end">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => (
            <tr key={line.id ?? at}>
              <td className="w-full max-w-0 !whitespace-normal">
                <span className="font-medium">{line.description}</span>
                <span className="table-second-line">
                  {periodText(line)}
                  <span className="md:hidden">
                    {periodText(line) ? ', ' : ''}
                    {formatNumber(line.quantity)} × {amountOf(line.unitPriceMinor, currency)}
                  </span>
                </span>
              </td>
              <td data-align="end" data-hide="phone">
                {formatNumber(line.quantity)}
              </td>
              <td data-align="end" data-hide="phone" className="text-ink-2">
                {amountOf(line.unitPriceMinor, currency)}
              </td>
              <td data-align="end">{amountOf(line.amountMinor, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {totals ? <Sum totals={totals} currency={currency} /> : null}
    </div>
  );
}

function Sum({ totals, currency }: { totals: Totals; currency: string }) {
  const { subtotalMinor, taxMinor, totalMinor, taxRateBasisPoints, taxNote } = totals;
  return (
    <dl className="tabular-nums grid grid-cols-[1fr_auto] gap-x-6 border-t border-line px-4 py-2 leading-7">
      <dt className="text-right text-ink-3">Subtotal</dt>
      <dd className="text-right">{amountOf(subtotalMinor, currency)}</dd>
      <dt className="text-right text-ink-3">
        Tax {rateText(taxRateBasisPoints)}
        {taxNote ? `, ${taxNote}` : ''}
      </dt>
      <dd className="text-right">{amountOf(taxMinor, currency)}</dd>
      <dt className="text-right font-semibold">Total</dt>
      <dd className="text-right font-semibold">{amountOf(totalMinor, currency)}</dd>
    </dl>
  );
}
