import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readArrival } from './sso-arrival.ts';

describe('SSO callback URL', () => {
  it('parses a code with the page to return to', () => {
    assert.deepEqual(readArrival('?code=abc&returnTo=%2Fdashboard%2Fruns', ''), { kind: 'code', code: 'abc', returnTo: '/dashboard/runs' });
  });

  it('parses a problem, with the e-mail address and the words of the provider from the fragment', () => {
    assert.deepEqual(readArrival('?problem=no_member', '#email=x%40y.example&said=access_denied'), {
      kind: 'problem',
      problem: 'no_member',
      email: 'x@y.example',
      said: 'access_denied',
      isTest: false,
    });
  });

  it('distinguishes a test login from a real one', () => {
    assert.deepEqual(readArrival('?test=ok', ''), { kind: 'tested' });
    assert.equal((readArrival('?problem=expired&test=failed', '') as { isTest: boolean }).isTest, true); // a problem, as expected
  });

  it('maps an unknown problem to answer_not_valid, and an empty URL to nothing', () => {
    assert.equal((readArrival('?problem=<b>', '') as { problem: string }).problem, 'answer_not_valid'); // a problem, as expected
    assert.deepEqual(readArrival('', '#email=x@y.example'), { kind: 'nothing' });
  });
});
