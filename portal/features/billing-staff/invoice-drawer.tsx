import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type InvoiceDetail, invoiceQuery } from '../../queries/billing.ts';
import { amountOf, billingDay, invoiceName, invoiceState, periodText } from '../../shared/billing-labels.ts';
import { InvoiceLines } from '../../shared/invoice-lines.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { Time } from '../../ui/text/time.tsx';
import { type InvoiceActs, InvoiceButtons } from './invoice-acts.tsx';
import '../../ui/layout/panel.css';

type Props = { id: string; acts: InvoiceActs; onOpen: (id: string) => void; onClose: () => void };

/** One invoice next to the list: its actions, lines, parties and payment. */
export function InvoiceDrawer({ id, acts, onOpen, onClose }: Props) {
  const invoice = useQuery(invoiceQuery(id));
  const { data } = invoice;
  return (
    <Drawer
      open
      onClose={onClose}
      title={data ? invoiceName(data) : 'Invoice'}
      meta={data ? [data.partnerName, periodText(data)].filter(Boolean).join(', ') : '\u00a0'}
      actions={data ? <Badge mark={invoiceState(data).mark}>{invoiceState(data).word}</Badge> : undefined}
    >
      <Loaded query={invoice} skeleton={<SkeletonRows rows={6} label="Loading the invoice" />}>
        {(found) => <Content invoice={found} acts={acts} onOpen={onOpen} />}
      </Loaded>
    </Drawer>
  );
}

function Content({ invoice, acts, onOpen }: { invoice: InvoiceDetail; acts: InvoiceActs; onOpen: (id: string) => void }) {
  return (
    <div className="grid grid-cols-1 gap-5">
      <InvoiceButtons invoice={invoice} acts={acts} />
      {invoice.voidReason ? (
        <Note tone="warn">
          <b>Void since {billingDay(invoice.voidedAt ?? invoice.createdAt)}.</b> {invoice.voidReason}
        </Note>
      ) : null}
      <InvoiceLines label="Lines" lines={invoice.lines} currency={invoice.currency} totals={invoice} />
      <Facts invoice={invoice} onOpen={onOpen} />
      <div className="grid gap-5 md:grid-cols-2">
        <Party title="To" party={invoice.buyer} isFrozen={invoice.issuedAt !== null} />
        {invoice.seller ? (
          <Party title="From" party={invoice.seller} isFrozen={invoice.issuedAt !== null} />
        ) : (
          <section>
            <h3 className="mb-1 text-sm">From</h3>
            <p className="text-ink-3">Printed from the settings when it is issued.</p>
          </section>
        )}
      </div>
      {invoice.paymentInstructions ? (
        <section>
          <h3 className="mb-1 text-sm">Payment instructions</h3>
          <p className="whitespace-pre-wrap text-ink-2">{invoice.paymentInstructions}</p>
        </section>
      ) : null}
    </div>
  );
}

function Facts({ invoice, onOpen }: { invoice: InvoiceDetail; onOpen: (id: string) => void }) {
  return (
    <KeyValues
      rows={[
        [
          'Agency',
          <Link key="p" className="link" to="/admin/partners/$partnerId/billing" params={{ partnerId: invoice.partnerId }}>
            {invoice.partnerName}
          </Link>,
        ],
        invoice.issuedAt
          ? ['Issued', <Time key="i" iso={invoice.issuedAt} style="long" />]
          : ['Drafted', <Time key="c" iso={invoice.createdAt} style="long" />],
        invoice.dueAt && invoice.kind === 'invoice' ? ['Due', billingDay(invoice.dueAt)] : undefined,
        invoice.paidAt ? ['Paid', billingDay(invoice.paidAt)] : undefined,
        invoice.paidReference ? ['Reference', invoice.paidReference] : undefined,
        invoice.creditsInvoiceId
          ? ['Corrects', <Opens key="o" id={invoice.creditsInvoiceId} word="The invoice" onOpen={onOpen} />]
          : undefined,
        ...invoice.creditNotes.map(
          (note) =>
            [
              'Credited by',
              <span key={note.id}>
                <Opens id={note.id} word={note.number ?? 'Credit note'} onOpen={onOpen} /> {amountOf(note.totalMinor, invoice.currency)}
              </span>,
            ] as const,
        ),
        invoice.owedMinor > 0 && invoice.creditNotes.length > 0
          ? ['Left to pay', amountOf(invoice.owedMinor, invoice.currency)]
          : undefined,
      ]}
    />
  );
}

function Opens({ id, word, onOpen }: { id: string; word: string; onOpen: (id: string) => void }) {
  return (
    <button type="button" className="link" onClick={() => onOpen(id)}>
      {word}
    </button>
  );
}

function Party({ title, party, isFrozen }: { title: string; party: InvoiceDetail['buyer']; isFrozen: boolean }) {
  return (
    <section>
      <h3 className="mb-1 text-sm">{title}</h3>
      <p className="font-medium">{party.name}</p>
      {party.address ? <p className="whitespace-pre-wrap text-ink-2">{party.address}</p> : null}
      {party.country ? <p className="text-ink-2">{party.country}</p> : null}
      {party.taxId ? <p className="text-ink-2">Tax ID {party.taxId}</p> : null}
      {party.email ? <p className="text-ink-2">{party.email}</p> : null}
      {party.address || party.taxId ? null : <p className="text-ink-3">{isFrozen ? 'Issued without an address.' : 'No address yet.'}</p>}
    </section>
  );
}
