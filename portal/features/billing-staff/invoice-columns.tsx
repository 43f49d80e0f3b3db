import type { Invoice } from '../../queries/billing.ts';
import { billingDay, invoiceName, invoiceState, periodText } from '../../shared/billing-labels.ts';
import { InvoiceTotal } from '../../shared/invoice-total.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import type { Column } from '../../ui/table/table.tsx';
import '../../ui/forms/checkbox.css';
import '../../ui/table/table.css';

type Choice = { chosen: ReadonlySet<string>; onToggle: (id: string) => void };

/** Columns of invoices; without the agency on the page of one. With `choice`, drafts can be selected. */
export function invoiceColumns({ hasAgency, choice }: { hasAgency: boolean; choice?: Choice }): Column<Invoice>[] {
  const columns: Column<Invoice>[] = [
    {
      key: 'what',
      head: hasAgency ? 'Agency' : 'Invoice',
      lead: true,
      cell: (row) => (
        <>
          <span className="font-medium">{hasAgency ? row.partnerName : invoiceName(row)}</span>
          <span className="table-second-line table-phone-line">
            {hasAgency && row.number ? `${row.number}, ` : ''}
            <span className={row.overdueDays > 0 ? 'text-bad' : ''}>{invoiceState(row).word.toLowerCase()}</span>
            {row.status === 'draft' ? `, ${periodText(row)}` : ''}
          </span>
        </>
      ),
    },
    ...(hasAgency ? [NUMBER] : []),
    { key: 'period', head: 'Period', hide: 'phone', cell: (row) => <span className="text-ink-2">{periodText(row) || '–'}</span> },
    { key: 'state', head: 'State', hide: 'phone', cell: (row) => <InvoiceStatus invoice={row} /> },
    {
      key: 'due',
      head: 'Due',
      align: 'end',
      hide: 'phone',
      cell: (row) => <span className="text-ink-2">{row.dueAt && row.kind === 'invoice' ? billingDay(row.dueAt) : '–'}</span>,
    },
    {
      key: 'total',
      head: 'Total',
      align: 'end',
      cell: (row) => <InvoiceTotal invoice={row} />,
    },
  ];
  return choice ? [chooser(choice), ...columns] : columns;
}

const NUMBER: Column<Invoice> = {
  key: 'number',
  head: 'Invoice',
  hide: 'phone',
  cell: (row) => <span className="text-ink-2">{row.number === null ? '–' : row.kind === 'invoice' ? row.number : invoiceName(row)}</span>,
};

export function InvoiceStatus({ invoice }: { invoice: Invoice }) {
  const { mark, word, tone } = invoiceState(invoice);
  return (
    <Status mark={mark} {...(tone ? { tone } : {})}>
      {word}
    </Status>
  );
}

function chooser({ chosen, onToggle }: Choice): Column<Invoice> {
  return {
    key: 'choose',
    head: <span className="sr-only">Select</span>,
    hide: 'phone',
    cell: (row) =>
      row.status === 'draft' ? (
        <input
          type="checkbox"
          className="checkbox align-middle"
          aria-label={`Select the draft of ${row.partnerName}`}
          checked={chosen.has(row.id)}
          onChange={() => onToggle(row.id)}
        />
      ) : null,
  };
}
