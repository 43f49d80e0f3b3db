import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Names of this machine that no web page can point elsewhere. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Refuses requests under any other name (421): a page whose name was rebound to this machine sends its own. For every route, because stored
 * bookings and texts are read through the stand-ins too.
 */
export async function refuseForeignHost(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (LOOPBACK.test(request.headers.host ?? '')) return;
  await reply.status(421).send({ message: 'Use a loopback name' });
}

/** Creates the check of routes that read what was received or control the sandbox: the bearer of this start, else 401. */
export function requireBearer(token: string) {
  const expected = Buffer.from(`Bearer ${token}`);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const given = Buffer.from(request.headers.authorization ?? '');
    if (given.length === expected.length && timingSafeEqual(given, expected)) return;
    await reply.status(401).send({ message: 'Send the bearer of this sandbox' });
  };
}
