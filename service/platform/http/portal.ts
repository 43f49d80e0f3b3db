import { access } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Pages of the portal. The API owns every other path; a test asserts that the two never meet. */
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

/** Whether an address belongs to the portal. */
export function isPortalPath(path: string): boolean {
  return PORTAL_PATHS.some((known) => (known.endsWith('/*') ? path.startsWith(known.slice(0, -1)) : path === known));
}

/** What no page of the portal ever asks a browser for, and so no script that found its way into one shall get. */
const DENIED = 'camera=(), microphone=(), geolocation=(), payment=(), usb=()';

/** Which page of the portal answers an address that no route owns: one of its own, the one that says there is none, or nothing of it. */
export type PortalAnswer = 'page' | 'no_page' | 'none';

/**
 * Serves the built portal: hashed files for ever, the page itself never from a cache. Returns how to answer an address without a
 * route, or null when the portal is not built (the API then runs alone). Routes are to be added to the app after this call.
 */
export async function registerPortal(app: FastifyInstance, distDir: string): Promise<((request: FastifyRequest) => PortalAnswer) | null> {
  const built = await access(join(distDir, 'index.html')).then(
    () => true,
    () => false,
  );
  if (!built) return null;
  const taken = new Set<string>();
  app.addHook('onRoute', ({ url }) => void taken.add(firstPart(url)));
  await app.register(fastifyStatic, {
    root: distDir,
    wildcard: false,
    index: false,
    cacheControl: false,
    setHeaders(response, path) {
      const hashed = path.startsWith(join(distDir, 'assets'));
      void response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      void response.header('permissions-policy', DENIED);
    },
  });
  return (request) => {
    const path = request.url.split('?')[0] ?? '';
    if (request.method !== 'GET' && request.method !== 'HEAD') return 'none';
    if (isPortalPath(path)) return 'page';
    // A person who mistyped an address reads a page; what stands beside a route of the API is answered as the API answers.
    return wantsPage(request.headers.accept) && !taken.has(firstPart(path)) ? 'no_page' : 'none';
  };
}

function firstPart(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Browsers name it when they go to an address; programs that take anything do not. */
function wantsPage(accept: string | undefined): boolean {
  return accept?.split(',').some((type) => type.split(';')[0]?.trim().toLowerCase() === 'text/html') ?? false;
}
