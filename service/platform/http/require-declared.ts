import type { RouteShape } from '@partner-portal/contract/define-route.ts';

/** Throws when a route lacks part of its declaration. */
export function requireDeclared(name: string, route: RouteShape): void {
  const lacks: string[] = [];
  if (!route.access) lacks.push('access');
  if (!route.limit && route.access?.kind !== 'session') lacks.push('limit');
  if (Object.keys(route.reply ?? {}).length === 0) lacks.push('reply');
  if (!Array.isArray(route.errors)) lacks.push('errors');
  // Events and reports have records of their own.
  const isAudited = route.access?.kind === 'session' || route.access?.kind === 'public';
  const writes = route.method !== 'GET' || (route.access?.kind === 'session' && route.access.write);
  if (isAudited && writes && !route.audit && !route.changesNothing) lacks.push('audit (or changesNothing)');
  if (lacks.length > 0) throw new Error(`The route "${name}" does not declare: ${lacks.join(', ')}.`);
}
