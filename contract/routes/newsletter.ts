import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { email, linkToken, page, pageQuery, searchText } from '../primitives.ts';
import { subscriberRecord } from '../records/newsletter.ts';
import { unsubscribePage } from '../unsubscribe.ts';
import { SUBSCRIBER_STATUSES } from '../vocabulary.ts';
import { isPublic, staff } from './access.ts';

const tag = 'newsletter';
const filters = { q: searchText(120).optional(), status: z.enum(SUBSCRIBER_STATUSES).optional() };

const listSubscribers = defineRoute({
  method: 'GET',
  path: '/newsletter/subscribers',
  tag,
  mainHostOnly: true,
  summary: 'List who asked for the newsletter, newest first',
  access: staff,
  query: pageQuery.extend(filters),
  reply: { 200: page(subscriberRecord) },
  errors: ['invalid_cursor', 'invalid_query'],
});

/** The newsletter: double opt-in, one click to leave. */
export const newsletterRoutes = {
  subscribeToNewsletter: defineRoute({
    method: 'POST',
    path: '/newsletter/subscribe',
    tag,
    mainHostOnly: true,
    summary: 'Ask for the newsletter; nothing is sent to the address but a link to confirm. The response is the same for every address',
    access: isPublic,
    limit: 'caller',
    body: z.object({
      email,
      /** The form, for example "landing". */
      source: z
        .string()
        .regex(/^[a-z0-9-]{1,40}$/, 'Use up to 40 lower-case letters, digits and hyphens.')
        .optional(),
      /** Version of the sentence that the form showed; the newest when left out. */
      textVersion: z.number().int().min(1).max(1_000).optional(),
    }),
    reply: { 202: z.object({ status: z.literal('pending') }) },
    errors: ['validation_failed'],
    audit: 'newsletter.requested',
  }),
  confirmNewsletter: defineRoute({
    method: 'GET',
    path: '/newsletter/confirm',
    tag,
    mainHostOnly: true,
    summary: 'Confirm a subscription. Mails link to a page that calls this by a button, because programs follow the links of a mail',
    access: isPublic,
    limit: 'caller',
    query: z.object({ token: linkToken }),
    reply: { 202: z.object({ status: z.literal('confirmed') }) },
    errors: ['invalid_query', 'not_found'],
    audit: 'newsletter.confirmed',
  }),
  showNewsletterUnsubscribe: defineRoute({ ...unsubscribePage, path: '/newsletter/unsubscribe', tag, mainHostOnly: true }),
  unsubscribeFromNewsletter: defineRoute({
    method: 'POST',
    path: '/newsletter/unsubscribe',
    tag,
    mainHostOnly: true,
    summary: 'Leave the newsletter; the token is in the body, or in the query as mail programs send it (RFC 8058). The address is erased',
    access: isPublic,
    limit: 'visitor',
    query: z.object({ token: linkToken.optional() }),
    body: z.object({ token: linkToken.optional(), 'List-Unsubscribe': z.string().max(64).optional() }),
    formToo: true,
    reply: { 202: z.object({ status: z.literal('unsubscribed') }) },
    errors: ['invalid_query', 'validation_failed', 'not_found', 'unsupported_media_type'],
    audit: 'newsletter.unsubscribed',
  }),
  listSubscribers,
  exportSubscribers: csvOf(listSubscribers),
};
