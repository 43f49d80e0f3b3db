import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Pages of the portal. All other paths belong to the API; a test asserts that the two never overlap. */
export const PORTAL_PATHS = [
  '/',
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/status',
  '/invite/*',
  '/login/*',
  '/problems/*',
  '/dashboard',
  '/dashboard/*',
  '/client',
  '/client/*',
  '/admin',
  '/admin/*',
  '/chat/*',
] as const;

/** Returns whether a path belongs to the portal. */
export function isPortalPath(path: string): boolean {
  return PORTAL_PATHS.some((known) => (known.endsWith('/*') ? path.startsWith(known.slice(0, -1)) : path === known));
}

/** Browser features no page uses, denied to injected scripts. */
const DENIED = 'camera=(), microphone=(), geolocation=(), payment=(), usb=()';

/** Which page to send for a path without a route: one of the portal's, its "not found" page, or none. */
export type PortalAnswer = 'page' | 'no_page' | 'none';

/**
 * Serves the built portal: hashed files with a permanent cache, the page itself revalidated. Returns a function that chooses the page for a
 * path without a route, or null when the portal is not built (the API then runs alone). Add routes to the app after this call.
 */
export async function registerPortal(app: FastifyInstance, distDir: string): Promise<((request: FastifyRequest) => PortalAnswer) | null> {
  const built = await access(join(distDir, 'index.html')).then(
    () => true,
    () => false,
  );
  if (!built) return null;
  const taken = new Set<string>();
  app.addHook('onRoute', ({ url }) => void taken.add(firstPart(url)));
  const shared = { index: false, cacheControl: false } as const;
  // One route for all assets: with one for each file a start would make twice as many routes as the API has.
  await app.register(fastifyStatic, {
    ...shared,
    root: join(distDir, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    setHeaders: setHeaders('public, max-age=31536000, immutable'),
  });
  await app.register(fastifyStatic, { ...shared, root: distDir, serve: false, setHeaders: setHeaders('no-cache') });
  for (const entry of await readdir(distDir, { withFileTypes: true }))
    if (entry.isFile() && !entry.name.startsWith('.')) app.get(`/${entry.name}`, (_request, reply) => reply.sendFile(entry.name));
  return (request) => {
    const path = request.url.split('?')[0] ?? '';
    if (request.method !== 'GET' && request.method !== 'HEAD') return 'none';
    if (isPortalPath(path)) return 'page';
    // A mistyped address shows a page, except below a path of the API.
    return wantsPage(request.headers.accept) && !taken.has(firstPart(path)) ? 'no_page' : 'none';
  };
}

function setHeaders(cacheControl: string): (response: FastifyReply) => void {
  return (response) => {
    void response.header('cache-control', cacheControl);
    void response.header('permissions-policy', DENIED);
  };
}

function firstPart(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Browsers name text/html when they navigate; programs that accept anything do not. */
function wantsPage(accept: string | undefined): boolean {
  return accept?.split(',').some((type) => type.split(';')[0]?.trim().toLowerCase() === 'text/html') ?? false;
}
