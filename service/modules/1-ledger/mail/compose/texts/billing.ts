import type { InvoiceMail } from '../kinds.ts';
import { action, type Content, facts, text, type TextContext } from './content.ts';
import { plainLine } from './plain.ts';

const reasonOf = (partnerName: string): string => `You are receiving this email because you get the invoices of ${partnerName}.`;

/** The invoice is attached. */
export function invoiceIssued({ number, sellerName, total, dueOn, href }: InvoiceMail, { partnerName, link }: TextContext): Content {
  const seller = plainLine(sellerName, 100);
  return {
    subject: `Invoice ${number} from ${seller}`,
    heading: dueOn === null ? `Invoice over ${total}` : `${total} due ${dueOn}`,
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
