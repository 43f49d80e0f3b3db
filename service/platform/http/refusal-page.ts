import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeProblem, pathOf, toRefusal } from './errors.ts';

/** Routes that a person opens in a browser, by the pages on which their refusals are shown. */
export type RefusalPages = {
  add(route: Pick<RouteShape, 'path' | 'refusedAt'>): void;
  /** Returns the page of a path that the router refused before it chose a route; undefined for any other. */
  find(url: string): string | undefined;
};

export function createRefusalPages(): RefusalPages {
  const pages: { path: RegExp; page: string }[] = [];
  return {
    add({ path, refusedAt }) {
      if (refusedAt === undefined) return;
      // Paths consist of letters, digits, `-`, `/` and parameters.
      const pattern = path.replaceAll(/:\w+/g, '[^/]+');
      if (!pages.some((one) => one.path.source === `^${pattern}$`)) pages.push({ path: new RegExp(`^${pattern}$`), page: refusedAt });
    },
    find: (url) => pages.find(({ path }) => path.test(pathOf(url)))?.page,
  };
}

/** Answers a refusal with a page: a person reads what follows, also at the rate limit. */
export function sendRefusalPage(baseUrl: string, page: string, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Logs what is unexpected, as every refusal is.
  const { code } = describeProblem(baseUrl, error, request);
  const { retryAfterSeconds } = toRefusal(error).extras;
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  return reply.code(302).header('location', `${baseUrl}${page}?problem=${code}`).send();
}
