import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { rateRefusal, type RateLimits } from './rate-limit.ts';

export type FramedPage = {
  /** Path of one page for each id: `/chat/:id`. */
  path: string;
  /** Folder of the built page: `index.html`, and `unavailable.html` for an id without one. */
  dir: string;
  /** Origins of the websites that may show the page in a frame; undefined when there is none with this id. */
  findOrigins: (id: string) => Promise<readonly string[] | undefined>;
  limits: RateLimits<'caller'>;
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Characters allowed in the header: none that could end the directive or name more than one website. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/i;
/** The page uses its own files and this service, runs no inline code and sends no form. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/**
 * Serves a page that other websites may show in a frame, each id to websites of its own. Does nothing when the page is not built. The reply
 * depends on settings that may change at any time, so no shared cache keeps it.
 */
export async function registerFramedPage(app: FastifyInstance, { path, dir, findOrigins, limits }: FramedPage): Promise<void> {
  const read = (name: string): Promise<string | null> => readFile(join(dir, name), 'utf8').catch(() => null);
  const [page, unavailable] = await Promise.all([read('index.html'), read('unavailable.html')]);
  if (page === null || unavailable === null) return;
  app.get<{ Params: { id: string } }>(path, { config: { mainHostOnly: true } }, async ({ params, ip }, reply) => {
    const origins = UUID.test(params.id) ? await findOrigins(params.id) : undefined;
    if (!origins) {
      // Guessing ids counts against the caller's limit.
      const state = await limits.count('caller', `ip:${ip}`);
      if (state.exceeded) throw rateRefusal(state);
    }
    const ancestors = origins ? ["'self'", ...origins.filter((origin) => ORIGIN.test(origin))] : ["'none'"];
    void reply
      .removeHeader('x-frame-options')
      .header('content-security-policy', `${POLICY}; frame-ancestors ${ancestors.join(' ')}`)
      // A website that isolates itself shows only frames that are isolated too.
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cross-origin-embedder-policy', 'require-corp')
      .header('cache-control', 'private, no-cache')
      .type('text/html; charset=utf-8');
    return reply.code(origins ? 200 : 404).send(origins ? page : unavailable);
  });
}
