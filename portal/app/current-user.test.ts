import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { type AccessSubject, type Permission, PERMISSIONS, refusedCall } from '@partner-portal/core/access/access.ts';

const PORTAL = join(import.meta.dirname, '..');
const ROUTES = new Map(Object.entries<RouteShape>(routes));
const SUBJECTS: readonly AccessSubject[] = [
  { role: 'PARTNER', partnerRole: 'moderator' },
  { role: 'PARTNER', partnerRole: 'admin', readOnly: true },
  { role: 'CLIENT', partnerRole: null, readOnly: true },
];
/** What a moderator may change in a file whose controls are refused: their own account, and read marks. */
const OF_MODERATORS_TOO: ReadonlySet<string> = new Set(['updateMe', 'markConversationRead']);

const refusalsOf = (route: RouteShape) => SUBJECTS.map((subject) => refusedCall(route, subject));

/** Whether both refuse the same users, except those of a role that has no such page. */
function isSame(one: readonly (string | null)[], other: readonly (string | null)[]): boolean {
  return one.every((code, at) => code === other[at] || code === 'role_forbidden' || other[at] === 'role_forbidden');
}

// A route that gets another access than the one that decides the permission leaves a control that is refused only when it is pressed.
test('a file that asks `useRefusal` calls what moderators and view-as sessions are refused as its permission is', () => {
  const calls = globSync('**/*.{ts,tsx}', { cwd: PORTAL, exclude: ['node_modules/**', 'dist/**', '**/*.test.ts'] }).flatMap((file) => {
    const source = readFileSync(join(PORTAL, file), 'utf8');
    const asked = [...source.matchAll(/useRefusal\('([\w.-]+)'\)/g)].map(([, name]) => refusalsOf(routes[PERMISSIONS[name as Permission]])); // checked by the compiler
    if (asked.length === 0) return [];
    const named = new Set([...source.matchAll(/\b(?:formApi|api)\.(\w+)/g)].map(([, name = '']) => name));
    return [...named].flatMap((name) => {
      const route = ROUTES.get(name);
      if (!route || route.method === 'GET' || OF_MODERATORS_TOO.has(name)) return [];
      return { call: `${file}: ${name}`, isFitting: asked.some((one) => isSame(one, refusalsOf(route))) };
    });
  });
  assert.deepEqual(
    calls.filter(({ isFitting }) => !isFitting).map(({ call }) => call),
    [],
  );
  assert.ok(calls.length > 90, `${calls.length} calls were looked at`);
});
