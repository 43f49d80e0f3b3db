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

/**
 * Serves the built portal: hashed files for ever, the page itself never from a cache. Returns how to answer one of the
 * portal's own addresses, or null when the portal is not built (the API then runs alone).
 */
export async function registerPortal(app: FastifyInstance, distDir: string): Promise<((request: FastifyRequest) => boolean) | null> {
  const built = await access(join(distDir, 'index.html')).then(
    () => true,
    () => false,
  );
  if (!built) return null;
  await app.register(fastifyStatic, {
    root: distDir,
    wildcard: false,
    index: false,
    cacheControl: false,
    setHeaders(response, path) {
      const hashed = path.startsWith(join(distDir, 'assets'));
      void response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return (request) => (request.method === 'GET' || request.method === 'HEAD') && isPortalPath(request.url.split('?')[0] ?? '');
}
