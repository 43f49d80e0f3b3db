import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SSO_PROBLEMS } from '@partner-portal/contract/vocabulary.ts';
import { slugIn, ssoStart } from './sso-start.ts';
import { explainSso, explainTest } from './sso.ts';

describe('single sign-on', () => {
  it('starts at the named agency and passes the page to return to', () => {
    assert.equal(ssoStart('acme', '/dashboard/runs?state=failed'), '/sso/acme/start?returnTo=%2Fdashboard%2Fruns%3Fstate%3Dfailed');
    assert.equal(ssoStart('acme'), '/sso/acme/start');
  });

  it('accepts only valid short names, so that no other path can be built', () => {
    assert.equal(slugIn(' Acme '), 'acme');
    for (const text of ['', '../admin', 'a/b', 'a?b', 'a b']) assert.equal(slugIn(text), undefined, text);
  });

  it('explains every problem and how to fix it, and shows the address the provider sent', () => {
    for (const problem of SSO_PROBLEMS) {
      for (const { title, fix } of [explainSso(problem), explainTest(problem)]) assert.ok(title.length > 10 && fix.length > 10, problem);
    }
    assert.equal(explainSso('no_member', 'x@y.example').title, 'Your provider says you are x@y.example; no member has that address.');
  });
});
