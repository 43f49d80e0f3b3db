import assert from 'node:assert/strict';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { commonErrors } from '@partner-portal/service/platform/http/docs.ts';

type Known = { name: string; method: string; pattern: RegExp; isExact: boolean; codes: ReadonlySet<string> };

const known: readonly Known[] = Object.entries<RouteShape>(routes).map(([name, route]) => ({
  name,
  method: route.method,
  pattern: new RegExp(`^${route.path.replaceAll('.', String.raw`\.`).replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`),
  isExact: !route.path.includes(':'),
  codes: new Set<string>([...route.errors, ...commonErrors(route)]),
}));

/**
 * Asserts that a problem is one the route declares, or one that every route of its kind may return. Ignores addresses of no route.
 * `path` may carry a query.
 */
export function assertDeclared(method: string, path: string, text: string): void {
  const code = codeOf(text);
  if (code === undefined) return;
  const address = path.split('?')[0] ?? path;
  const fitting = known.filter((one) => one.method === method && one.pattern.test(address));
  const route = fitting.find((one) => one.isExact) ?? fitting[0];
  if (route) assert.ok(route.codes.has(code), `${method} ${address} answered ${code}, which ${route.name} does not declare`);
}

function codeOf(text: string): string | undefined {
  try {
    const { code, requestId } = JSON.parse(text) as { code?: unknown; requestId?: unknown }; // a problem, as far as it is one
    return typeof code === 'string' && requestId !== undefined ? code : undefined;
  } catch {
    return undefined;
  }
}
