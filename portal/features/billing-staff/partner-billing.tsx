import { useCallback } from 'react';
import { useLoaded } from '../../app/route-data.ts';
import { useRefusal } from '../../app/current-user.ts';
import { type Billing, billingQuery } from '../../queries/billing.ts';
import { amountOf, billingDay, boughtLeft } from '../../shared/billing-labels.ts';
import { InvoiceLines } from '../../shared/invoice-lines.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Figures, Section } from '../../ui/layout/layout.tsx';
import { formatDay, formatNumber } from '../../ui/text/format.ts';
import { BillingDetails } from './billing-details.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { useInvoiceActs } from './invoice-acts.tsx';
import { InvoiceDrawer } from './invoice-drawer.tsx';
import type { PartnerBillingSearch } from './partner-billing-search.ts';
import { PartnerInvoices } from './partner-invoices.tsx';
import { PartnerLedger } from './partner-ledger.tsx';
import { PartnerOrders } from './partner-orders.tsx';
import { TaxPanel } from './tax-panel.tsx';
import { TermsDrawer } from './terms-drawer.tsx';
import { TermsNotes } from './terms-notes.tsx';
import { TermsSection } from './terms-section.tsx';

type Props = { partnerId: string; search: PartnerBillingSearch; onSearch: (change: PartnerBillingSearch) => void };

/** Billing of one agency: terms, seats, credits, what it owes and its payment clock. */
export function PartnerBilling({ partnerId, search, onSearch }: Props) {
  const billing = useLoaded(billingQuery(partnerId));
  const refusal = useRefusal('partners.manage');
  const acts = useInvoiceActs();
  const close = useCallback(() => onSearch({ invoice: undefined, edit: undefined }), [onSearch]);
  const open = useCallback((invoice: string) => onSearch({ invoice, edit: undefined }), [onSearch]);
  return (
    <>
      <TermsNotes billing={billing} />
      <Overview billing={billing} />
      <div className="grid items-start gap-6 rail:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0">
          <TermsSection
            billing={billing}
            actions={
              <Button size="sm" disabledReason={refusal} onClick={() => onSearch({ edit: 'terms', invoice: undefined })}>
                Change terms
              </Button>
            }
          />
          <NextInvoice billing={billing} />
          <PartnerInvoices partnerId={partnerId} openId={search.invoice} onOpen={open} />
          <PartnerOrders partnerId={partnerId} onOpen={open} />
          <PartnerLedger partnerId={partnerId} kind={search.kind} onKind={(kind) => onSearch({ kind })} />
        </div>
        <div className="grid min-w-0 gap-4">
          <ClockPanel billing={billing} />
          <TaxPanel billing={billing} />
          <BillingDetails settings={billing.settings} />
        </div>
      </div>
      {search.edit === 'terms' && !refusal ? <TermsDrawer billing={billing} onClose={close} /> : null}
      {search.invoice ? <InvoiceDrawer key={search.invoice} id={search.invoice} acts={acts} onOpen={open} onClose={close} /> : null}
      {acts.dialog}
    </>
  );
}

function Overview({ billing }: { billing: Billing }) {
  const { subscription, seats, credits, nextInvoice } = billing;
  const { terms } = subscription;
  return (
    <Figures
      items={[
        { label: subscription.planName, value: amountOf(terms.monthlyPriceMinor, terms.currency), note: 'a month, before tax' },
        {
          label: 'Seats in use',
          value: formatNumber(seats.used),
          unit: ` of ${formatNumber(seats.included + seats.purchased)}`,
          note: `${formatNumber(seats.purchased)} purchased, ${formatNumber(subscription.grantedSeats)} granted`,
        },
        {
          label: 'Credits left',
          value: formatNumber(Math.max(0, credits.remaining)),
          unit: ` of ${formatNumber(credits.monthly + credits.purchased)}`,
          note: credits.forecast ? (
            <span className="text-warn">run out on {formatDay(credits.forecast)}</span>
          ) : (
            [`${formatNumber(credits.purchased)} purchased`, boughtLeft(credits)].filter(Boolean).join(', ')
          ),
        },
        {
          label: 'Next invoice',
          value: nextInvoice ? amountOf(nextInvoice.totalMinor, nextInvoice.currency) : '–',
          note: nextInvoice ? `on ${billingDay(nextInvoice.at)}` : 'nothing to charge',
        },
      ]}
    />
  );
}

function NextInvoice({ billing: { nextInvoice, tax } }: { billing: Billing }) {
  if (!nextInvoice) return null;
  const totals = { ...nextInvoice, taxRateBasisPoints: tax.rateBasisPoints, taxNote: tax.note };
  return (
    <Section title="Next invoice" note={`estimated, on ${billingDay(nextInvoice.at)}`}>
      <InvoiceLines label="Next invoice" lines={nextInvoice.lines} currency={nextInvoice.currency} totals={totals} />
    </Section>
  );
}
