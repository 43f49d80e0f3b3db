import type { RouteShape } from './define-route.ts';

/** Returns whether a read-only view-as session may call the route. Without imports that run, so that a browser can load it. */
export function isAllowedInViewAs({ method, access }: Pick<RouteShape, 'method' | 'access'>): boolean {
  return access.kind !== 'session' || (access.inViewAs ?? method === 'GET');
}
