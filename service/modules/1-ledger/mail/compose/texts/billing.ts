import type { InvoiceMail, MailData } from '../kinds.ts';
import { action, type Content, facts, quote, small, text, type TextContext } from './content.ts';
import { plainLine, plainLines } from './plain.ts';

const reasonOf = (partnerName: string): string => `You are receiving this e-mail because you get the invoices of ${partnerName}.`;

const suspendedUnlessPaid = (partnerName: string, when: string): string =>
  `Unless all overdue invoices are paid, the account of ${partnerName} will be suspended on ${when}.`;

/** The invoice is attached. */
export function invoiceIssued({ number, sellerName, total, dueOn, href }: InvoiceMail, { partnerName, link }: TextContext): Content {
  const seller = plainLine(sellerName, 100);
  return {
    subject: `Invoice ${number} from ${seller}`,
    heading: dueOn === null ? `Invoice for ${total}` : `${total} due ${dueOn}`,
    blocks: [
      text(`Invoice ${number} for ${partnerName} is attached. It says how to pay it.`),
      facts(['Invoice', number], ['From', seller], ['Amount', total], ...(dueOn === null ? [] : [['Due', dueOn] as const])),
      action('View invoices', link(href)),
    ],
    reason: reasonOf(partnerName),
  };
}

/** The credit note is attached. */
export function creditNoteIssued(
  { number, sellerName, total, creditsNumber, href }: InvoiceMail,
  { partnerName, link }: TextContext,
): Content {
  const seller = plainLine(sellerName, 100);
  return {
    subject: `Credit note ${number} from ${seller}`,
    heading: 'A credit note for you',
    blocks: [
      text(
        `Credit note ${number} for ${partnerName} is attached.${creditsNumber === null ? '' : ` It corrects invoice ${creditsNumber}.`}`,
      ),
      facts(['Credit note', number], ['From', seller], ['Amount', total]),
      action('View invoices', link(href)),
    ],
    reason: reasonOf(partnerName),
  };
}

export function invoiceVoided(data: MailData['invoice_voided'], { partnerName, link }: TextContext): Content {
  const number = plainLine(data.number, 40);
  return {
    subject: `Invoice ${number} is void`,
    heading: `Invoice ${number} is void`,
    blocks: [
      text(`Do not pay invoice ${number} for ${partnerName}: it is void.${data.isDraftedAgain ? ' A corrected invoice replaces it.' : ''}`),
      ...quote(plainLines(data.reason, 1000)),
      action('View invoices', link(data.href)),
    ],
    reason: reasonOf(partnerName),
  };
}

export function invoiceReminder(data: MailData['invoice_reminder'], { partnerName, when, link }: TextContext): Content {
  const number = plainLine(data.number, 40);
  const days = data.overdueDays === 1 ? '1 day' : `${data.overdueDays} days`;
  return {
    subject: `Reminder: invoice ${number} is overdue`,
    heading: `Invoice ${number} is overdue`,
    blocks: [
      text(`We have not received your payment of ${data.owed} for ${partnerName}, which was due ${days} ago.`),
      ...(data.suspendsAt === null ? [] : [text(suspendedUnlessPaid(partnerName, when(data.suspendsAt)))]),
      facts(['Invoice', number], ['Amount', data.owed], ['Due', data.dueOn]),
      action('View invoices', link(data.href)),
      small('If you have paid in the last few days, you can ignore this e-mail.'),
    ],
    reason: reasonOf(partnerName),
  };
}

export function paymentPastDue(data: MailData['payment_past_due'], { partnerName, when, link }: TextContext): Content {
  return {
    subject: `Payment past due for ${partnerName}`,
    heading: 'Your payment is past due',
    blocks: [
      text(suspendedUnlessPaid(partnerName, when(data.suspendsAt))),
      text('While it is suspended, its agents accept no events and its schedules are paused. Nothing is deleted.'),
      facts(...data.invoices.map(({ number, owed, dueOn }) => [plainLine(number, 40), `${owed}, due ${dueOn}`] as const)),
      action('View invoices', link(data.href)),
      small('If you cannot pay in time, please get in touch.'),
    ],
    reason: reasonOf(partnerName),
  };
}
