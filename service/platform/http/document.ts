import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { systemClock } from '../clock.ts';
import { createLog } from '../log.ts';
import { newId } from '../ids.ts';
import { Secret } from '../secret.ts';
import { bindRoute } from './bind-route.ts';
import { createRateLimits } from './rate-limit.ts';
import { createServer } from './server.ts';
import { createSessions } from './session.ts';

/**
 * Returns the API document of a route table, as `/api/docs-json` serves it, without a database. Committed as docs/api/openapi.json, so that
 * an API change is a visible diff.
 */
export async function buildDocument(routes: Record<string, RouteShape>, baseUrl: string): Promise<unknown> {
  // Required by the server; no request is made.
  const window = { points: 1, seconds: 1 };
  const limits = createRateLimits({
    caller: window,
    register: window,
    file: window,
    visitor: window,
    mfaVerify: window,
    tenant: window,
    badCallbackToken: window,
  });
  const app = await createServer({
    log: createLog('silent'),
    baseUrl,
    corsOrigins: [],
    trustedProxies: [],
    limits,
    portalDir: '',
  });
  const sessions = await createSessions(app, { secret: new Secret(newId()), expiresInSeconds: 60, clock: systemClock });
  const deps = { sessions, limits, clock: systemClock, closing: new AbortController().signal, onRefused: async () => undefined };
  for (const [name, route] of Object.entries(routes)) {
    bindRoute(app, deps, name, route, () => {
      throw new Error('This server only describes its routes.');
    });
  }
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
