import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { DEMO, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { buildCall, FREE_PARAMS, type Ids, idsOf, isIdList, KINDS, OF_A_CLIENT } from '../../harness/route-cases.ts';
import { callRoute, assertProblem, comparable, refusalOf, type CallerName, type Callers } from '../../harness/callers.ts';
import { type System } from '../../harness/system.ts';
import type { Demo } from '../../harness/demo.ts';
import { fingerprint } from '../../harness/tenant-ids.ts';

// Generated from the route table: a new route gets its cases, or a failure that names what is missing. Who may call a route at all is walked by
// role-matrix.ts.

let system: System;
let workspace: Workspace;
let callers: Callers;
let theirs: Ids;
let untouched: string;
const missing = Object.fromEntries(KINDS.map((kind) => [kind, randomUUID()])) as Ids; // one id per kind

const NAMES = Object.keys(routes) as RouteName[]; // the keys of the table itself
const routeOf = (name: RouteName): RouteShape => routes[name];
/** Show a caller its own attempts: the ids it sent, and nothing of the records behind them. */
const ECHOES: RouteName[] = ['listAuditLog', 'exportAuditLogCsv', 'exportAuditLogNdjson'];
/** They need more than the record: a file that was made, or a purge that began. */
const LATER: RouteName[] = ['downloadExport', 'getPurge', 'streamPurge'];
/** Each belongs to another agency than what is asked for, or to another client of the same one. */
const STRANGERS = ['rivalOwner', 'rivalClientUser', 'otherClientUser'] as const;

const bearer = (caller: CallerName): string => `Bearer ${callers[caller].token()}`;

export function testTenantIsolation(open: () => Promise<Demo>): void {
  before(async () => {
    ({ system, workspace, callers, ids: theirs } = await open());
    untouched = await fingerprint(system, workspace.partnerId);
  });

  describe('an id of one\u2019s own', () => {
    it('returns its own records: the refusals below are not broken routes', async () => {
      for (const name of NAMES.filter(
        (one) => routeOf(one).method === 'GET' && routeOf(one).access.kind === 'session' && !LATER.includes(one),
      )) {
        const caller = (['owner', 'clientUser', 'staff'] as const).find(
          (one) => refusalOf(routeOf(name), callers[one].claims) === undefined,
        );
        assert.ok(caller);
        const answer = await callRoute(system, name, {
          ...buildCall(name, theirs, OF_A_CLIENT.includes(name) ? 'clientId' : undefined),
          authorization: bearer(caller),
        });
        assert.equal(answer.status, 200, `${name} as ${caller}: ${answer.text}`);
      }
    });
  });

  describe('an id of another tenant', () => {
    for (const name of NAMES.filter((one) => routeOf(one).access.kind === 'session')) {
      const route = routeOf(name);
      const { params, query, body } = idsOf(name, route);
      // Without an id there is nothing to compare; what such a route shows is looked at below.
      const members: (string | undefined)[] = [
        ...(Object.keys({ ...params, ...body }).length > 0 ? [undefined] : []),
        ...Object.keys(query),
      ];
      if (members.length === 0) continue;
      it(`${name} answers as if it did not exist (${members.map((member) => member ?? 'path or body').join(', ')})`, async () => {
        for (const caller of STRANGERS.filter((one) => refusalOf(route, callers[one].claims) === undefined)) {
          for (const member of members) {
            const [foreign, none] = await Promise.all(
              [theirs, missing].map((ids) => callRoute(system, name, { ...buildCall(name, ids, member), authorization: bearer(caller) })),
            );
            assert.ok(foreign && none);
            const what = `${name} ${member ?? ''} as ${caller}: ${foreign.status} ${foreign.text.slice(0, 200)}`;
            assert.equal(comparable(foreign), comparable(none), what);
            if (member === 'partnerId' || 'partnerId' in body) assertProblem(foreign, 'scope_forbidden', what);
            else if (member === undefined) assertProblem(foreign, 'not_found', what);
            else assert.ok(foreign.status === 404 || /^\[\]$|"(data|rows)":\[\]|^[\w,]*\r?\n?$/.test(foreign.text), what);
          }
        }
      });
    }

    it('is not found among what a stranger may list, and nothing of it was changed by all these attempts', async () => {
      const own = Object.entries(theirs)
        .filter(([kind]) => kind !== 'partner')
        .map(([, id]) => id)
        .filter((id) => id !== '');
      for (const name of NAMES) {
        const route = routeOf(name);
        if (route.access.kind !== 'session' || route.method !== 'GET' || Object.keys(idsOf(name, route).params).length > 0) continue;
        for (const caller of STRANGERS.filter((one) => refusalOf(route, callers[one].claims) === undefined)) {
          if (OF_A_CLIENT.includes(name) && callers[caller].claims.role !== 'CLIENT') continue;
          // Asked with the ids themselves: compared above.
          if (Object.keys(idsOf(name, route).query).some(isIdList)) continue;
          const answer = await callRoute(system, name, { ...buildCall(name, theirs), params: FREE_PARAMS, authorization: bearer(caller) });
          assert.ok(answer.status < 300, `${name} as ${caller}: ${answer.status} ${answer.text}`);
          const secret = [
            ...(ECHOES.includes(name) ? [] : own),
            '@oakstreet.example"',
            'Elena Ruiz',
            ...(caller === 'otherClientUser' ? [] : [...(ECHOES.includes(name) ? [] : [theirs.partner]), DEMO.partner.name]),
          ];
          for (const word of secret) assert.ok(!answer.text.includes(word), `${name} shows ${word} to ${caller}`);
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
        'askDomain',
        'showReportUnsubscribe',
        'unsubscribeReport',
        'startSso',
        'ssoBrand',
        'ssoCallback',
        'ssoAssertion',
        'ssoLogout',
        'ssoMetadata',
        'exchangeSsoCode',
        'listPlans',
        'register',
        'registerTrial',
        'getInvitationByToken',
        'acceptInvitation',
        'getWebManifest',
        'getBrandIcon',
        'ingestEvent',
        'queryForExecution',
        'reportExecution',
        'showUnsubscribe',
        'unsubscribe',
        'subscribeToNewsletter',
        'confirmNewsletter',
        'showNewsletterUnsubscribe',
        'unsubscribeFromNewsletter',
        'readFile',
        'getPublicChatbot',
        'sendVisitorMessage',
        'getPublicConversation',
        'streamPublicConversation',
        'announceVisitorTyping',
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
          const [foreign, none] = await Promise.all(
            [theirs, missing].map((ids) => callRoute(system, name, { ...buildCall(name, ids), ...sent })),
          );
          assert.ok(foreign && none);
          assertProblem(foreign, code, name);
          assert.equal(comparable(foreign), comparable(none));
        }
      }
      for (const name of ['login', 'exchangeSsoCode'] as const)
        assertProblem(await callRoute(system, name, buildCall(name, theirs)), 'invalid_credentials', name);
      for (const name of ['verifyMfa', 'recoverMfa'] as const)
        assertProblem(await callRoute(system, name, buildCall(name, theirs)), 'unauthenticated', name);
      assertProblem(await callRoute(system, 'resetPassword', buildCall('resetPassword', theirs)), 'reset_token_invalid', 'resetPassword');
      for (const name of ['getInvitationByToken', 'acceptInvitation'] as const)
        assertProblem(await callRoute(system, name, buildCall(name, theirs)), 'not_found', name);
    });
  });
}
