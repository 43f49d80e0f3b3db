import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { DEMO, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { Secret, TOTP } from 'otpauth';
import { bodyOf, FREE_PARAMS, type Ids, idsOf, KINDS } from '../../harness/route-cases.ts';
import {
  type RouteResponse,
  assertProblem,
  callRoute,
  authorizationOf,
  UNAUTHENTICATED,
  addSuspended,
  type CallerName,
  type Callers,
  createCallers,
  extendToken,
} from '../../harness/callers.ts';
import { DEMO_PASSWORD, type System } from '../../harness/system.ts';
import type { Demo } from '../../harness/demo.ts';
import { isFull } from '../../harness/full.ts';
import { ANSWERS_SUSPENDED } from '../../harness/suspended-access.ts';

// Every route, called by every kind of caller. The expected response is derived below from the access rules alone, so a
// binding that forgets a rule, and a route that does not re-validate the session, differ from it.

/** A caller: its credential, and what is known of it. */
type Caller = {
  bearer: () => string | undefined;
  role: 'ADMIN' | 'PARTNER' | 'CLIENT' | null;
  isModerator?: boolean;
  isSuspended?: boolean;
  isView?: boolean;
  /** The session is invalid or expired. */
  dead?: 'unauthenticated' | 'token_expired';
  /** The role of a session that was good until it was signed out. */
  signedOut?: 'ADMIN' | 'PARTNER' | 'CLIENT';
};

/** Sessions that a call of these ends are not needed after them; a view ends with those of who looks. */
function sorted(names: RouteName[]): RouteName[] {
  const ends: string[] = ['endViewAs', 'endOtherSessions', 'changePassword', 'logout', 'logoutAll'];
  return names.toSorted((a, b) => ends.indexOf(a) - ends.indexOf(b));
}

let system: System;
let workspace: Workspace;
let callers: Record<string, Caller>;
const NAMES = sorted(Object.keys(routes) as RouteName[]); // the keys of the table itself
const routeOf = (name: RouteName): RouteShape => routes[name];
/** Unknown ids: an allowed caller gets 404, and nothing changes. */
const nothing = Object.fromEntries(KINDS.map((kind) => [kind, randomUUID()])) as Ids; // one id per kind
const ACCESS_CODES = [
  'unauthenticated',
  'token_expired',
  'role_forbidden',
  'partner_role_forbidden',
  'view_as_read_only',
  'account_suspended',
  'user_disabled',
];

async function gather(facts: Demo['facts']): Promise<Record<string, Caller>> {
  const callers = await createCallers(system, facts, 'matrix.example');
  // Others than those whose sessions the routes end: a view ends with the sessions of who looks.
  const viewers = await createCallers(system, facts, 'viewers.example');
  const shutSeats = await createCallers(system, await addSuspended(system, facts, 'suspended'), 'shut.example');
  const caller = (from: Callers, name: CallerName, more: Partial<Caller> = {}): Caller => ({
    bearer: () => `Bearer ${from[name].token()}`,
    role: from[name].claims.role,
    ...more,
  });
  const unauthenticated = UNAUTHENTICATED.map((kind): [string, Caller] => [
    kind,
    {
      bearer: () => authorizationOf(system, kind, callers),
      role: null,
      dead: kind === 'expiredToken' ? 'token_expired' : 'unauthenticated',
    },
  ]);
  const dead = (token: string): Caller => ({ bearer: () => `Bearer ${token}`, role: null, dead: 'unauthenticated' });
  return {
    viewOfPartner: await viewBy(viewers, 'staff', { partnerId: workspace.partnerId }, 'PARTNER'),
    viewOfClient: await viewBy(viewers, 'owner', { clientId: workspace.oakStreetId }, 'CLIENT'),
    staff: caller(callers, 'staff'),
    owner: caller(callers, 'owner'),
    moderator: caller(callers, 'moderator', { isModerator: true }),
    clientUser: caller(callers, 'clientUser'),
    rivalOwner: caller(callers, 'rivalOwner'),
    suspendedOwner: caller(shutSeats, 'owner', { isSuspended: true }),
    suspendedClientUser: caller(shutSeats, 'clientUser', { isSuspended: true }),
    ...Object.fromEntries(unauthenticated),
    challengeToken: dead(await challenge()),
    oneTimeCode: dead('x'.repeat(43)),
    ...(await signOut(callers)),
  };
}

/** View-as sessions of several users: requests per user and minute are limited. */
async function viewBy(callers: Callers, by: CallerName, whom: object, role: 'PARTNER' | 'CLIENT'): Promise<Caller> {
  const tokens: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const opened = await callRoute(system, 'viewAs', {
      body: { ...whom, reason: 'A test' },
      authorization: `Bearer ${callers[by].token()}`,
    });
    assert.equal(opened.status, 200, opened.text);
    tokens.push((JSON.parse(opened.text) as { accessToken: string }).accessToken); // the contract's answer
  }
  let turn = 0;
  return { bearer: () => `Bearer ${tokens[turn++ % tokens.length] ?? ''}`, role, isView: true };
}

/** What a right password is worth while its second step is missing. */
async function challenge(): Promise<string> {
  const { email } = DEMO.moderator;
  const member = system.client(await system.login(email, DEMO_PASSWORD));
  const { secret } = await member.setUpMfa();
  await member.enableMfa({ body: { token: new TOTP({ secret: Secret.fromBase32(secret) }).generate() } });
  const answer = await system.client().login({ body: { email, password: DEMO_PASSWORD } });
  assert.ok('tempToken' in answer);
  return extendToken(system, answer.tempToken);
}

/** Sessions of each role that were good a moment ago; several of each, because requests per user and minute are limited. */
async function signOut(callers: Callers): Promise<Record<string, Caller>> {
  const ended: Record<string, Caller> = {};
  for (const name of ['staff', 'owner', 'clientUser'] as const) {
    const tokens = Array.from({ length: 6 }, () => callers[name].token());
    for (const token of tokens) assert.equal((await callRoute(system, 'logout', { authorization: `Bearer ${token}` })).status, 204);
    let turn = 0;
    const bearer = (): string => `Bearer ${tokens[turn++ % tokens.length] ?? ''}`;
    ended[`${name}, signed out`] = { bearer, role: null, dead: 'unauthenticated', signedOut: callers[name].claims.role };
  }
  return ended;
}

/** Returns the code with which access must be refused; null when the caller is allowed. */
function expected(name: RouteName, { access, method }: RouteShape, caller: Caller): string | null {
  if (access.kind !== 'session') return null;
  if (caller.dead) return caller.dead;
  if (caller.role === null || !access.roles.includes(caller.role)) return 'role_forbidden';
  if (caller.isView && !(access.inViewAs ?? (method === 'GET' && !access.write))) return 'view_as_read_only';
  if (access.write && caller.isModerator) return 'partner_role_forbidden';
  if (caller.isSuspended && !ANSWERS_SUSPENDED.has(name)) return 'account_suspended';
  // A moderator uploads a picture of their own only, and the call is about another file.
  if (name === 'uploadMedia' && caller.isModerator) return 'partner_role_forbidden';
  return null;
}

/** Routes that are declared alike, by what `expected` reads of them. */
const accessOf = (name: RouteName): string =>
  JSON.stringify([routeOf(name).access, routeOf(name).method === 'GET', ANSWERS_SUSPENDED.has(name)]);
const firstOfAccess = new Map(NAMES.toReversed().map((name) => [accessOf(name), name]));

/**
 * Who calls a route: everybody, where it is the first that is declared so, and in a full run; else one whom it lets in, one whom it refuses, the next
 * refusal and the next person at the next route, and one whose session was signed out. One gate decides for all routes, by their declaration; only
 * whether a session is still good is asked for each route by itself.
 */
function callersOf(name: RouteName, turn: number): [who: string, caller: Caller][] {
  const { access } = routeOf(name);
  const all = Object.entries(callers).filter(
    ([, { signedOut }]) => signedOut === undefined || (access.kind === 'session' && access.roles.includes(signedOut)),
  );
  if (isFull || firstOfAccess.get(accessOf(name)) === name) return all;
  const oneOf = <T>(list: readonly T[], nth: number): T[] => list.slice(nth % list.length).slice(0, 1);
  const refused = all.filter(([, caller]) => !caller.dead && expected(name, routeOf(name), caller) !== null);
  const refusals = [...Map.groupBy(refused, ([, caller]) => expected(name, routeOf(name), caller)).values()];
  return [
    ...oneOf(all.filter(([, caller]) => expected(name, routeOf(name), caller) === null), turn), // prettier-ignore
    ...oneOf(refusals, turn).flatMap((people) => oneOf(people, Math.floor(turn / refusals.length))),
    ...oneOf(all.filter(([, { signedOut }]) => signedOut !== undefined), turn), // prettier-ignore
  ];
}

function callAs(name: RouteName, authorization: string | undefined): Promise<RouteResponse> {
  const route = routeOf(name);
  const found = idsOf(name, route);
  const fill = (members: Record<string, keyof Ids>) =>
    Object.fromEntries(Object.entries(members).map(([member, kind]) => [member, nothing[kind]]));
  const body = bodyOf(name, route);
  return callRoute(system, name, {
    params: { ...FREE_PARAMS, ...fill(found.params) },
    ...(body ? { body: { ...body, ...fill(found.body) } } : {}),
    authorization,
  });
}

export function testRoleMatrix(open: () => Promise<Demo>): void {
  before(async () => {
    const { facts, ...demo } = await open();
    ({ system, workspace } = demo);
    callers = await gather(facts);
  });

  describe('every route, called by every role', () => {
    for (const [turn, name] of NAMES.entries()) {
      const route = routeOf(name);
      it(`${name} answers each as its declaration and the rules for accounts say`, async () => {
        for (const [who, caller] of callersOf(name, turn)) {
          const answer = await callAs(name, caller.bearer());
          const must = expected(name, route, caller);
          const code = answer.problem?.code ?? '';
          const what = `${name} as ${who}: ${answer.status} ${answer.text.slice(0, 200)}`;
          if (must !== null) assertProblem(answer, must, what);
          else if (route.access.kind === 'session') assert.ok(!ACCESS_CODES.includes(code), what);
          assert.ok(answer.status < 500 || ['engine_unavailable', 'mail_unavailable', 'service_unavailable'].includes(code), what);
        }
      });
    }
  });
}
