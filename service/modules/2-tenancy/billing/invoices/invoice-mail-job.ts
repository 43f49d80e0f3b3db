import { z } from 'zod';
import { defineJob } from '#platform/jobs/define-job.ts';

/** Mails an issued invoice or credit note with its document, once. */
export const invoiceMailJob = defineJob('billing.mail_invoice', z.object({ invoiceId: z.uuid() }));

/** Deduplication key of that mail. */
export const documentMailKey = (invoiceId: string): string => `invoice:${invoiceId}`;
