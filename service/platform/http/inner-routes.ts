import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import findMyWay, { type HTTPVersion, type Instance } from 'find-my-way';
import type { Actor } from '../actor.ts';
import { AppError } from '../refuse.ts';
import { pathOf, toProblem, toRefusal } from './errors.ts';
import type { RequestContext } from './context.ts';

/** Path parameters and query, as the framework's router gives them. */
export type InnerInput = { params: unknown; query: unknown };
/** Runs a route for the session of the request it is part of: its access, its input, its handler. Throws as the route does. */
export type RunInner = (input: InnerInput, session: Actor, context: RequestContext) => Promise<unknown>;
export type InnerRoute = { route: RouteShape; run: RunInner };

export type InnerRoutes = {
  /** Adds a GET route. Routes that no request may include are added too, or their paths would be taken for those of others. */
  add(inner: InnerRoute): void;
  /** Returns the route of a path with its query, and what to run it with. Refuses `not_found` when it is none that `isTaken`. */
  find(path: string, isTaken: (route: RouteShape) => boolean): InnerRoute & { input: InnerInput };
};

/** How the router matches a path. */
export const ROUTER_OPTIONS = { maxParamLength: 256, ignoreTrailingSlash: false };

/** Routes that are called as part of another request. Paths are matched by the router that the framework uses. */
export function createInnerRoutes(): InnerRoutes {
  const router: Instance<HTTPVersion.V1> = findMyWay(ROUTER_OPTIONS);
  return {
    add: (inner) => router.on('GET', inner.route.path, () => undefined, inner),
    find(path, isTaken) {
      const found = router.find('GET', path);
      const inner = found?.store as InnerRoute | undefined; // what `add` stored
      if (!found || !inner || !isTaken(inner.route)) throw new AppError('not_found');
      return { ...inner, input: { params: found.params, query: found.searchParams } };
    },
  };
}

/** Returns status and body of a refused inner call, and logs a fault. */
export function describeInnerProblem(
  baseUrl: string,
  path: string,
  error: unknown,
  context: RequestContext,
): { status: number; body: object } {
  const refusal = toRefusal(error);
  const instance = pathOf(path);
  if (refusal.status >= 500) context.log.error({ err: error, path: instance }, 'request failed');
  const body = toProblem(refusal, { baseUrl: context.ownHost?.baseUrl ?? baseUrl, instance, requestId: context.requestId });
  return { status: refusal.status, body };
}
