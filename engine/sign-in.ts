import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import fastifyJwt from '@fastify/jwt';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { EngineError, FrameworkError } from './errors.ts';
import { signInRequestSchema } from './protocol.ts';
import { parsePart } from './server.ts';
import type { Platform } from './store/platform.ts';

const TOKEN_LIFE_SECONDS = 604_800;
const SIGN_INS_PER_MINUTE = 50;
const ADDRESSES_MAX = 10_000;

const claimsSchema = z.object({
  id: z.string(),
  type: z.literal('USER'),
  platform: z.object({ id: z.string() }),
  tokenVersion: z.string(),
});

export type Admin = { email: string; password: string };

/** Two texts of any length, compared in constant time. */
function sameText(one: string, two: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(two));
}

/**
 * Changes whenever e-mail or password do, so that older tokens are refused as expired sessions. Derived, not stored:
 * the one account is an option of the engine, and no hash of its password lies in the database.
 */
function tokenVersionOf(admin: Admin, jwtSecret: string): string {
  const mac = createHmac('sha256', jwtSecret).update(`token-version\0${admin.email.toLowerCase()}\0${admin.password}`).digest('hex');
  return mac.slice(0, 21);
}

/** The user as lists show the owner of a thing. */
export function ownerReply(platform: Platform, admin: Admin) {
  return {
    id: platform.userId,
    email: admin.email.toLowerCase(),
    firstName: 'Engine',
    status: 'ACTIVE',
    externalId: null,
    platformId: platform.id,
    platformRole: 'ADMIN',
    lastName: 'Admin',
    created: platform.created,
    updated: platform.created,
  };
}

function createLimiter(now: () => number) {
  const windows = new Map<string, { until: number; count: number }>();
  return (address: string, reply: FastifyReply): void => {
    const at = now();
    if (windows.size > ADDRESSES_MAX) for (const [key, window] of windows) if (window.until <= at) windows.delete(key);
    const known = windows.get(address);
    const window = known === undefined || known.until <= at ? { until: at + 60_000, count: 0 } : known;
    window.count += 1;
    windows.set(address, window);
    const resetSeconds = Math.ceil((window.until - at) / 1_000);
    reply.header('x-ratelimit-limit', SIGN_INS_PER_MINUTE);
    reply.header('x-ratelimit-remaining', Math.max(0, SIGN_INS_PER_MINUTE - window.count));
    reply.header('x-ratelimit-reset', resetSeconds);
    if (window.count <= SIGN_INS_PER_MINUTE) return;
    reply.header('retry-after', resetSeconds);
    throw new FrameworkError(429, 'Rate limit exceeded, retry in 1 minute');
  };
}

/** Adds sign-in (public, limited per address) and returns the check that every other route runs first. */
export async function addSignIn(
  app: FastifyInstance,
  deps: { platform: Platform; admin: Admin; jwtSecret: string; now: () => number; projectId: () => Promise<string> },
): Promise<(request: FastifyRequest) => Promise<void>> {
  const { platform, admin } = deps;
  const tokenVersion = tokenVersionOf(admin, deps.jwtSecret);
  await app.register(fastifyJwt, {
    secret: deps.jwtSecret,
    sign: { algorithm: 'HS256', iss: 'activepieces', expiresIn: TOKEN_LIFE_SECONDS, kid: '1' },
    verify: { algorithms: ['HS256'], allowedIss: 'activepieces' },
  });
  const limit = createLimiter(deps.now);

  app.post('/api/v1/authentication/sign-in', async (request, reply) => {
    // Never a header: a caller could name another address at each try.
    limit(request.ip, reply);
    const { email, password } = parsePart(signInRequestSchema, 'body', request.body);
    const matches = sameText(email.toLowerCase(), admin.email.toLowerCase()) && sameText(password, admin.password);
    if (!matches) throw new EngineError('INVALID_CREDENTIALS', null);
    const claims = { id: platform.userId, type: 'USER', platform: { id: platform.id }, tokenVersion };
    return {
      ...ownerReply(platform, admin),
      identityId: platform.identityId,
      lastActiveDate: null,
      trackEvents: false,
      newsLetter: false,
      verified: true,
      token: app.jwt.sign(claims),
      projectId: await deps.projectId(),
    };
  });

  return async (request) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new EngineError('AUTHORIZATION', { message: 'principal is not allowed for this route' });
    if (token.startsWith('sk-')) throw new EngineError('AUTHENTICATION', { message: 'invalid api key' });
    const invalid = new EngineError('INVALID_BEARER_TOKEN', { message: 'invalid access token or session expired' });
    let verified: unknown;
    try {
      verified = app.jwt.verify(token);
    } catch {
      throw invalid;
    }
    const claims = claimsSchema.safeParse(verified);
    if (!claims.success || claims.data.id !== platform.userId) throw invalid;
    if (!sameText(claims.data.tokenVersion, tokenVersion)) {
      throw new EngineError('SESSION_EXPIRED', { message: 'The session has expired or the user is not verified.' });
    }
  };
}
