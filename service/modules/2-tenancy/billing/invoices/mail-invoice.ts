import { invoiceFileName } from '@partner-portal/core/text/file-name.ts';
import { longDate } from '@partner-portal/core/billing/invoice.ts';
import { formatMoney } from '@partner-portal/core/billing/money.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';
import type { BillingDeps } from '../deps.ts';
import { type Documents, findKnown } from './document.ts';
import { documentMailKey, invoiceMailJob } from './invoice-mail-job.ts';
import { listUnmailed, lockUnmailed, markMailed } from './store-document.ts';

/** An issue this old should have queued its mail. */
const LATE_MS = 300_000;
const SWEEP_MAX = 200;

/**
 * Queues the mail of an issued invoice with its document, once: to the billing address, else to the agency's admins. Without either it stays
 * unmailed, and the sweep mails it once there is an admin.
 */
export async function mailInvoice(deps: BillingDeps, documents: Documents, invoiceId: string): Promise<void> {
  const found = await deps.db.asSystem('billing', (tx) => findKnown(tx, deps.files, invoiceId, { drafts: false }));
  if (found === null) return;
  const { invoice } = found;
  const { partnerId, number, seller, buyer } = invoice;
  if (number === null || !seller || !buyer) return;
  const document = await documents.documentOf(found);
  const now = deps.clock.now();
  const mail = {
    partnerId,
    kind: invoice.kind === 'invoice' ? ('invoice_issued' as const) : ('credit_note_issued' as const),
    data: {
      number,
      sellerName: seller.name,
      total: formatMoney(invoice.kind === 'invoice' ? invoice.totalMinor : -invoice.totalMinor, invoice.currency),
      dueOn: invoice.dueAt === null ? null : longDate(invoice.dueAt),
      creditsNumber: invoice.creditsNumber,
      href: '/dashboard/billing',
    },
    dedupeKey: documentMailKey(invoiceId),
    attachment: { invoiceId, name: invoiceFileName(invoice), bytes: document.sizeBytes },
  };
  await deps.db.asSystem('billing', async (tx) => {
    if (!(await lockUnmailed(tx, invoiceId))) return;
    if (buyer.email !== null) await deps.mail.queueMail(tx, { ...mail, to: buyer.email });
    else if ((await deps.mail.queueMailToAdmins(tx, mail)) === 0) return;
    await markMailed(tx, invoiceId, now);
  });
}

/** Enqueues the mail of invoices whose job was lost, has given up, or found no one to mail. */
export async function sweepInvoiceMail({ db, clock }: BillingDeps): Promise<void> {
  await db.asSystem('sweep', async (tx) => {
    const ids = await listUnmailed(tx, new Date(clock.now().getTime() - LATE_MS), SWEEP_MAX);
    await enqueueMany(
      tx,
      invoiceMailJob,
      ids.map((invoiceId) => ({ invoiceId })),
      { keyOf: ({ invoiceId }) => `billing.mail_invoice:${invoiceId}` },
    );
  });
}
