import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answersSuspended, type RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { ANSWERS_SUSPENDED } from './harness/suspended-access.ts';

// That each route answers as it declares is walked by tests/journeys/every-route/role-matrix.ts, for both kinds of accounts.
describe('a suspended account', () => {
  const all: [RouteName, RouteShape][] = Object.entries(routes) as [RouteName, RouteShape][]; // the keys of the table itself

  it('answers on the routes of this list and on no other', () => {
    const declared = all.filter(([, route]) => answersSuspended(route)).map(([name]) => name);
    assert.deepEqual(declared.toSorted(), [...ANSWERS_SUSPENDED].toSorted());
  });

  it('changes nothing but its own user, its requests and its exports', () => {
    const changing = all.filter(([name, { method }]) => ANSWERS_SUSPENDED.has(name) && method !== 'GET').map(([name]) => name);
    const own = [
      'updateMe',
      'changePassword',
      'reauthenticate',
      'setUpMfa',
      'enableMfa',
      'disableMfa',
      'renewRecoveryCodes',
      'logout',
      'logoutAll',
      'endSession',
      'endOtherSessions',
      'endViewAs',
    ];
    const reading = ['readTogether', 'followTogether'];
    assert.deepEqual(
      changing.toSorted(),
      [...own, ...reading, 'createExport', 'requestReactivation', 'createPlanRequest', 'cancelPlanRequest'].toSorted(),
    );
  });
});
