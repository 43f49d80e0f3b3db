import { z } from 'zod';
import { defineJob } from '#platform/jobs/define-job.ts';

/** Mails an issued invoice or credit note with its document, once. */
export const invoiceMailJob = defineJob('billing.mail_invoice', z.object({ invoiceId: z.uuid() }));

/**
 * Counts a mail as not sent whose reader lost access: the reminder of this number, else the document, or that the invoice is void. The trigger `mail_lost_reader` enqueues it, with
 * the deduplication key that the mails to other readers share.
 */
export const lostMailJob = defineJob(
  'billing.mail_lost',
  z.object({ invoiceId: z.uuid(), reminder: z.int().positive().nullable(), key: z.string() }),
);

/** Deduplication key of the mail with the document. */
export const documentMailKey = (invoiceId: string): string => `invoice:${invoiceId}`;

/** Deduplication key of the mail that an invoice is void. */
export const voidMailKey = (invoiceId: string): string => `invoice_voided:${invoiceId}`;
