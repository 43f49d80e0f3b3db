import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { callbackToken, ingestToken } from '@partner-portal/core/execution/token.ts';
import { type Callers, refusalOf, type RouteCall } from './callers.ts';
import { bodyOf, FREE_PARAMS, type Ids, idsOf, queryOf } from './route-cases.ts';
import type { System } from './system.ts';

/** Returns a call by a caller who is allowed, with valid path parameters and proof, and without a body. */
export function properCall(name: RouteName, system: Pick<System, 'settings'>, callers: Callers, ids: Ids): RouteCall {
  const route: RouteShape = routes[name];
  const { params } = idsOf(name, route);
  const found = (['owner', 'staff', 'clientUser'] as const).find((caller) => refusalOf(route, callers[caller].claims) === undefined);
  const secret = system.settings()['AUTOMATION_CALLBACK_SECRET'] ?? '';
  // The execution that a proper callback is about.
  const execution = String(bodyOf(name, route)?.['executionId'] ?? ids.execution);
  return {
    params: { ...FREE_PARAMS, ...Object.fromEntries(Object.entries(params).map(([member, kind]) => [member, ids[kind]])) },
    query: queryOf(name, ids),
    ...(route.access.kind === 'ingest' ? { query: { token: ingestToken(secret, ids.workflow) } } : {}),
    ...(route.access.kind === 'callback' ? { headers: { 'x-callback-token': callbackToken(secret, execution) } } : {}),
    ...(route.access.kind === 'session' && found ? { authorization: `Bearer ${callers[found].token()}` } : {}),
  };
}
