import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { SUBSCRIBER_STATUSES } from '../vocabulary.ts';

/** A person who asked for the newsletter, with what they agreed to and when. */
export const subscriberRecord = z
  .object({
    id,
    email: z.string().nullable().describe('Null once the person unsubscribed: the address is erased.'),
    status: z.enum(SUBSCRIBER_STATUSES),
    source: z.string().describe('The form they used.'),
    textVersion: z.number().int(),
    consentText: z.string().describe('The sentence they agreed to.'),
    requestedAt: time,
    confirmedAt: time.nullable(),
    unsubscribedAt: time.nullable(),
  })
  .meta({ id: 'Subscriber' });
