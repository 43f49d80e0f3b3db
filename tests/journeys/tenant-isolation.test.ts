import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { DEMO, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { askFor, FREE_PARAMS, type Ids, idsOf, KINDS } from '../harness/route-cases.ts';
import {
  addRival,
  ask,
  assertProblem,
  comparable,
  credentialOf,
  NOBODIES,
  refusalOf,
  type Seat,
  SEATS,
  type Seats,
  takeSeats,
} from '../harness/seats.ts';
import { seedDemo, startSystem, type System } from '../harness/system.ts';
import { collectIds, fingerprint } from '../harness/tenant-ids.ts';

// Generated from the route table: whoever adds a route gets its cases, or a failure that says what is missing.

let system: System;
let workspace: Workspace;
let seats: Seats;
let theirs: Ids;
let untouched: string;
const missing = Object.fromEntries(KINDS.map((kind) => [kind, randomUUID()])) as Ids; // one id per kind

const NAMES = Object.keys(routes) as RouteName[]; // the keys of the table itself
const routeOf = (name: RouteName): RouteShape => routes[name];
/** Tell a caller what it tried itself: the ids it named stand there, and nothing else of what they name. */
const ECHOES: RouteName[] = ['listAuditLog', 'exportAuditLogCsv', 'exportAuditLogNdjson'];
/** Each belongs to another agency than what is asked for, or to another client of the same one. */
const STRANGERS = ['rivalOwner', 'rivalClientUser', 'otherClientUser'] as const;

before(async () => {
  system = await startSystem({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  workspace = await seedDemo(system);
  seats = await takeSeats(system, await addRival(system, workspace));
  theirs = await collectIds(system, workspace, bearer('owner'));
  untouched = await fingerprint(system, workspace.partnerId);
});
after(() => system?.stop());

const bearer = (seat: Seat): string => `Bearer ${seats[seat].token()}`;

describe('a route with a session', () => {
  for (const name of NAMES.filter((one) => routeOf(one).access.kind === 'session')) {
    const route = routeOf(name);
    it(`${name} is closed to whoever has no session, and to the roles it does not name`, async () => {
      for (const nobody of NOBODIES) {
        const answer = await ask(system, name, { ...askFor(name, theirs), authorization: credentialOf(system, nobody, seats) });
        assertProblem(answer, nobody === 'expiredToken' ? 'token_expired' : 'unauthenticated', `${name} as ${nobody}`);
      }
      for (const seat of SEATS) {
        const refusal = refusalOf(route, seats[seat].claims);
        if (refusal)
          assertProblem(await ask(system, name, { ...askFor(name, theirs), authorization: bearer(seat) }), refusal, `${name} as ${seat}`);
      }
    });
  }
});

describe('an id of one\u2019s own', () => {
  it('opens whatever it names: the refusals below are no broken routes', async () => {
    for (const name of NAMES.filter((one) => routeOf(one).method === 'GET' && routeOf(one).access.kind === 'session')) {
      const seat = (['owner', 'clientUser', 'staff'] as const).find((one) => refusalOf(routeOf(name), seats[one].claims) === undefined);
      assert.ok(seat);
      const answer = await ask(system, name, { ...askFor(name, theirs), authorization: bearer(seat) });
      assert.equal(answer.status, 200, `${name} as ${seat}: ${answer.text}`);
    }
  });
});

describe('an id of somebody else', () => {
  for (const name of NAMES.filter((one) => routeOf(one).access.kind === 'session')) {
    const route = routeOf(name);
    const { params, query, body } = idsOf(name, route);
    // Without an id there is nothing to compare; what such a route shows is looked at below.
    const members: (string | undefined)[] = [...(Object.keys({ ...params, ...body }).length > 0 ? [undefined] : []), ...Object.keys(query)];
    if (members.length === 0) continue;
    it(`${name} answers as if it did not exist (${members.map((member) => member ?? 'path or body').join(', ')})`, async () => {
      for (const seat of STRANGERS.filter((one) => refusalOf(route, seats[one].claims) === undefined)) {
        for (const member of members) {
          const [foreign, none] = await Promise.all(
            [theirs, missing].map((ids) => ask(system, name, { ...askFor(name, ids, member), authorization: bearer(seat) })),
          );
          assert.ok(foreign && none);
          const what = `${name} ${member ?? ''} as ${seat}: ${foreign.status} ${foreign.text.slice(0, 200)}`;
          assert.equal(comparable(foreign), comparable(none), what);
          if (member === 'partnerId' || 'partnerId' in body) assertProblem(foreign, 'scope_forbidden', what);
          else if (member === undefined) assertProblem(foreign, 'not_found', what);
          else assert.ok(foreign.status === 404 || /^\[\]$|"data":\[\]|^[\w,]*\r?\n?$/.test(foreign.text), what);
        }
      }
    });
  }

  it('is not found among what a stranger may list, and nothing of it was changed by all these attempts', async () => {
    const own = Object.entries(theirs)
      .filter(([kind]) => kind !== 'partner')
      .map(([, id]) => id);
    for (const name of NAMES) {
      const route = routeOf(name);
      if (route.access.kind !== 'session' || route.method !== 'GET' || Object.keys(idsOf(name, route).params).length > 0) continue;
      for (const seat of STRANGERS.filter((one) => refusalOf(route, seats[one].claims) === undefined)) {
        const answer = await ask(system, name, { params: FREE_PARAMS, authorization: bearer(seat) });
        assert.ok(answer.status < 300, `${name} as ${seat}: ${answer.status} ${answer.text}`);
        const secret = [
          ...(ECHOES.includes(name) ? [] : own),
          '@oakstreet.example"',
          'Elena Ruiz',
          ...(seat === 'otherClientUser' ? [] : [...(ECHOES.includes(name) ? [] : [theirs.partner]), DEMO.partner.name]),
        ];
        for (const word of secret) assert.ok(!answer.text.includes(word), `${name} tells ${seat} of ${word}`);
      }
    }
    assert.equal(await fingerprint(system, workspace.partnerId), untouched);
  });
});

describe('a route without a session', () => {
  it('is one of those that are meant to be open, and its proof is a secret of its own', async () => {
    const open = NAMES.filter((one) => routeOf(one).access.kind !== 'session');
    assert.deepEqual(open, [
      'login',
      'verifyMfa',
      'recoverMfa',
      'forgotPassword',
      'resetPassword',
      'startSso',
      'ssoCallback',
      'ssoAssertion',
      'ssoMetadata',
      'exchangeSsoCode',
      'listPlans',
      'register',
      'registerTrial',
      'getInvitationByToken',
      'acceptInvitation',
      'ingestEvent',
      'queryForExecution',
      'reportExecution',
      'getHealth',
      'getReadiness',
    ]);
    const refusals = {
      ingestEvent: 'invalid_ingest_token',
      queryForExecution: 'invalid_callback_token',
      reportExecution: 'invalid_callback_token',
    } as const;
    for (const [name, code] of Object.entries(refusals) as [keyof typeof refusals, string][]) {
      for (const proof of [undefined, 'x'.repeat(43)]) {
        const sent =
          proof === undefined ? {} : name === 'ingestEvent' ? { query: { token: proof } } : { headers: { 'x-callback-token': proof } };
        const [foreign, none] = await Promise.all([theirs, missing].map((ids) => ask(system, name, { ...askFor(name, ids), ...sent })));
        assert.ok(foreign && none);
        assertProblem(foreign, code, name);
        assert.equal(comparable(foreign), comparable(none));
      }
    }
    for (const name of ['login', 'exchangeSsoCode'] as const)
      assertProblem(await ask(system, name, askFor(name, theirs)), 'invalid_credentials', name);
    for (const name of ['verifyMfa', 'recoverMfa'] as const)
      assertProblem(await ask(system, name, askFor(name, theirs)), 'unauthenticated', name);
    assertProblem(await ask(system, 'resetPassword', askFor('resetPassword', theirs)), 'reset_token_invalid', 'resetPassword');
    for (const name of ['getInvitationByToken', 'acceptInvitation'] as const)
      assertProblem(await ask(system, name, askFor(name, theirs)), 'not_found', name);
  });
});
