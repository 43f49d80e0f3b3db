import { z } from 'zod';
import { linkToken, nothing } from './primitives.ts';
import { isPublic } from './routes/access.ts';

/** The page behind a mail's link: it asks, so that programs which follow links change nothing. */
export const unsubscribePage = {
  method: 'GET',
  summary: 'Get the page that asks before it unsubscribes: programs that follow links in mails change nothing',
  access: isPublic,
  limit: 'caller',
  query: z.object({ token: linkToken }),
  format: 'redirect',
  refusedAt: '/unsubscribe',
  reply: { 302: nothing },
  errors: [],
} as const;

/** What mail programs post without asking (RFC 8058). */
export const oneClick = {
  method: 'POST',
  access: isPublic,
  limit: 'visitor',
  query: z.object({ token: linkToken }),
  body: z.object({ 'List-Unsubscribe': z.string().max(64).optional() }),
  formToo: true,
  reply: { 204: nothing },
  errors: ['invalid_query', 'not_found'],
} as const;
