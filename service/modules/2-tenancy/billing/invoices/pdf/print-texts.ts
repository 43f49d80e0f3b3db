import type { InvoiceKind } from '@partner-portal/contract/vocabulary.ts';
import { longDate } from '@partner-portal/core/billing/invoice.ts';
import { formatMoney } from '@partner-portal/core/billing/money.ts';
import { printable } from '#platform/pdf/printable.ts';

/** A party as printed. */
export type PrintParty = { name: string; address: string | null; country: string | null; taxId: string | null; email: string | null };
export type PrintLine = {
  description: string;
  quantity: number;
  unitPriceMinor: number;
  amountMinor: number;
  periodStart: Date | null;
  periodEnd: Date | null;
};

/** Everything an invoice or credit note prints. Amounts in minor units. */
export type Print = {
  kind: InvoiceKind;
  number: string;
  currency: string;
  issuedAt: Date;
  dueAt: Date | null;
  seller: PrintParty;
  buyer: PrintParty;
  /** The buyer's logo, a PNG. */
  buyerLogo: Uint8Array | null;
  lines: readonly PrintLine[];
  subtotalMinor: number;
  taxRateBasisPoints: number;
  taxNote: string | null;
  taxMinor: number;
  totalMinor: number;
  paymentInstructions: string | null;
  creditReason: string | null;
  /** Number of the invoice that a credit note corrects. */
  creditsNumber: string | null;
};

const MEDIUM = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });
const COUNT = new Intl.NumberFormat('en-US');
const RATE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Texts of the document, in the order they are read. */
export function textsOf(print: Print) {
  const money = (amountMinor: number): string => formatMoney(amountMinor, print.currency);
  const isInvoice = print.kind === 'invoice';
  const title = isInvoice ? 'Invoice' : 'Credit note';
  // The lines of a credit note are negative; what is credited is not.
  const settled = money(isInvoice ? print.totalMinor : -print.totalMinor);
  const headline = print.dueAt === null ? `${settled} credited` : `${settled} due ${longDate(print.dueAt)}`;
  return {
    title,
    headline,
    facts: [
      [isInvoice ? 'Invoice number' : 'Credit note number', print.number],
      ['Date of issue', longDate(print.issuedAt)],
      ...(print.dueAt === null ? [] : [['Date due', longDate(print.dueAt)]]),
      ...(print.creditsNumber === null ? [] : [['Corrects invoice', print.creditsNumber]]),
    ] as [string, string][], // pairs, as written here
    seller: partyTexts(print.seller),
    buyer: partyTexts(print.buyer),
    rows: print.lines.map((line) => ({
      description: printable(line.description),
      period: periodText(line),
      cells: [COUNT.format(line.quantity), money(line.unitPriceMinor), money(line.amountMinor)],
    })),
    totals: [
      ['Subtotal', money(print.subtotalMinor)],
      ...(print.taxRateBasisPoints === 0 && print.taxMinor === 0
        ? []
        : [[`Tax (${RATE.format(print.taxRateBasisPoints / 100)}% on ${money(print.subtotalMinor)})`, money(print.taxMinor)]]),
      ['Total', money(print.totalMinor)],
    ] as [string, string][], // pairs, as written here
    final: [isInvoice ? 'Amount due' : 'Amount credited', settled] as const,
    notes: [
      ...(print.taxNote === null ? [] : [['Tax', printable(print.taxNote)] as const]),
      ...(print.creditReason === null ? [] : [['Reason', printable(print.creditReason)] as const]),
      ...(print.paymentInstructions === null ? [] : [['How to pay', printable(print.paymentInstructions)] as const]),
    ],
    footer: `${print.number} · ${headline}`,
    info: {
      Title: `${title} ${print.number}`,
      Author: printable(print.seller.name),
      Subject: `${title} for ${printable(print.buyer.name)}`,
    },
  };
}

/** The printed texts of the document. */
export type Texts = ReturnType<typeof textsOf>;

/** Returns the lines of a party, its name first. */
function partyTexts({ name, address, country, taxId, email }: PrintParty): string[] {
  return [
    printable(name),
    ...(address === null ? [] : printable(address).split('\n')),
    ...(country === null ? [] : [COUNTRIES.of(country) ?? country]),
    ...(email === null ? [] : [printable(email)]),
    ...(taxId === null ? [] : [`Tax ID ${printable(taxId)}`]),
  ].filter((line) => line.trim() !== '');
}

function periodText({ periodStart, periodEnd }: PrintLine): string | null {
  return periodStart && periodEnd ? `${MEDIUM.format(periodStart)} – ${MEDIUM.format(periodEnd)}` : null;
}
