import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type InvoiceDetail, invoiceQuery } from '../../queries/billing.ts';
import { amountOf, billingDay, invoiceName, invoiceState, periodText } from '../../shared/billing-labels.ts';
import { InvoiceLines } from '../../shared/invoice-lines.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { PdfButton } from './pdf-button.tsx';
import '../../ui/layout/key-values.css';

/** One invoice with its lines and how to pay it. */
export function InvoiceDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  return id === undefined ? null : <OpenDrawer id={id} onClose={onClose} />;
}

function OpenDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(invoiceQuery(id));
  const { data } = query;
  return (
    <Drawer
      open
      onClose={onClose}
      title={data ? invoiceName(data) : 'Invoice'}
      meta={data ? periodText(data) : undefined}
      actions={data ? <PdfButton invoice={data} /> : undefined}
    >
      <Loaded query={query}>{(invoice) => <Details invoice={invoice} />}</Loaded>
    </Drawer>
  );
}

function Details({ invoice }: { invoice: InvoiceDetail }) {
  const { mark, word } = invoiceState(invoice);
  const { currency, seller, buyer, paymentInstructions, creditNotes } = invoice;
  const isOpen = invoice.status === 'issued' && invoice.kind === 'invoice';
  return (
    <div className="grid gap-5">
      <dl className="key-values">
        <Row name="Status">
          <Badge mark={mark}>{word}</Badge>
        </Row>
        {invoice.issuedAt ? <Row name="Issued">{billingDay(invoice.issuedAt)}</Row> : null}
        {isOpen && invoice.dueAt ? <Row name="Due">{billingDay(invoice.dueAt)}</Row> : null}
        {invoice.paidAt ? <Row name="Paid">{billingDay(invoice.paidAt)}</Row> : null}
        {invoice.paidReference ? <Row name="Payment reference">{invoice.paidReference}</Row> : null}
        {invoice.voidReason ? <Row name="Void because">{invoice.voidReason}</Row> : null}
        {creditNotes.map((note) => (
          <Row key={note.id} name={`Credit note ${note.number ?? ''}`}>
            {amountOf(note.totalMinor, currency)}
          </Row>
        ))}
        {invoice.owedMinor > 0 && creditNotes.length > 0 ? <Row name="Left to pay">{amountOf(invoice.owedMinor, currency)}</Row> : null}
      </dl>
      <InvoiceLines label="Lines" lines={invoice.lines} currency={currency} totals={invoice} />
      {isOpen && paymentInstructions ? (
        <section>
          <h3 className="mb-1 font-semibold">How to pay</h3>
          <p className="whitespace-pre-wrap text-ink-2">{paymentInstructions}</p>
        </section>
      ) : null}
      <div className="grid gap-5 md:grid-cols-2">
        {seller ? <Party title="From" party={seller} /> : null}
        <Party title="To" party={buyer} />
      </div>
    </div>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Party({ title, party }: { title: string; party: InvoiceDetail['buyer'] }) {
  const { name, address, taxId, email } = party;
  return (
    <section>
      <h3 className="mb-1 font-semibold">{title}</h3>
      <p className="whitespace-pre-wrap text-ink-2">{[name, address, taxId ? `Tax ID ${taxId}` : '', email].filter(Boolean).join('\n')}</p>
    </section>
  );
}
