import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { MAIL_HOLDS, MAIL_KINDS, MAIL_STATUSES } from '../vocabulary.ts';

/** One mail without its text, which is sealed until it is sent and then erased. */
export const mailRecord = z
  .object({
    id,
    partnerId: id,
    partnerName: z.string(),
    to: z.string(),
    kind: z.enum(MAIL_KINDS),
    subject: z.string(),
    status: z.enum(MAIL_STATUSES),
    heldFor: z.enum(MAIL_HOLDS).nullable().describe('Why it waits for staff: too much mail to strangers, or the name of its sender.'),
    attempts: z.number().int().describe('Attempts in which a mail server responded.'),
    lastError: z.string().nullable().describe('Why the last attempt failed, as a fixed code.'),
    lastAnswer: z.string().nullable().describe('The mail server’s response to the last attempt.'),
    nextTryAt: time.nullable(),
    createdAt: time,
    sentAt: time.nullable(),
    canRetry: z.boolean(),
    attachment: z
      .object({ name: z.string(), bytes: z.number().int(), invoiceId: id })
      .nullable()
      .describe('The document sent with the mail; `GET /billing/invoices/:id/pdf` has the same bytes.'),
  })
  .meta({ id: 'Mail' });

/** `text` is null when a transport is configured, and once the body is erased. */
export const mailDetailRecord = mailRecord
  .extend({ text: z.string().nullable(), links: z.array(z.string()), readableUntil: time.nullable() })
  .meta({ id: 'MailDetail' });
