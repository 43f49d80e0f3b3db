import { z } from 'zod';
import { id, time } from './primitives.ts';
import { MAIL_KINDS, MAIL_STATUSES } from './vocabulary.ts';

/** One mail of the service without its words; they are sealed until it is sent and erased then. */
export const mailRecord = z
  .object({
    id,
    partnerId: id,
    partnerName: z.string(),
    to: z.string(),
    kind: z.enum(MAIL_KINDS),
    subject: z.string(),
    status: z.enum(MAIL_STATUSES),
    attempts: z.number().int().describe('Tries a mail server took part in.'),
    lastError: z.string().nullable().describe('Why the last try did not succeed, one of a few words.'),
    lastAnswer: z.string().nullable().describe('What the mail server said to it.'),
    nextTryAt: time.nullable(),
    createdAt: time,
    sentAt: time.nullable(),
    canRetry: z.boolean(),
  })
  .meta({ id: 'Mail' });

/** `text` is null when a transport is configured, and once the body is erased. */
export const mailDetailRecord = mailRecord
  .extend({ text: z.string().nullable(), links: z.array(z.string()), readableUntil: time.nullable() })
  .meta({ id: 'MailDetail' });
