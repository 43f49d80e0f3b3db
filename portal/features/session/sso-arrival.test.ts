import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readArrival } from './sso-arrival.ts';

describe('the return from a provider', () => {
  it('brings a code with the page asked for', () => {
    assert.deepEqual(readArrival('?code=abc&returnTo=%2Fdashboard%2Fruns', ''), { kind: 'code', code: 'abc', returnTo: '/dashboard/runs' });
  });

  it('brings a problem, and the address of the person behind the #', () => {
    assert.deepEqual(readArrival('?problem=no_member', '#email=x%40y.example'), {
      kind: 'problem',
      problem: 'no_member',
      email: 'x@y.example',
      isTest: false,
    });
  });

  it('tells a test login from a real one', () => {
    assert.deepEqual(readArrival('?test=ok', ''), { kind: 'tested' });
    assert.equal((readArrival('?problem=expired&test=failed', '') as { isTest: boolean }).isTest, true); // a problem, as asked
  });

  it('takes a word it does not know for an answer that cannot be trusted, and nothing for nothing', () => {
    assert.equal((readArrival('?problem=<b>', '') as { problem: string }).problem, 'answer_not_valid'); // a problem, as asked
    assert.deepEqual(readArrival('', '#email=x@y.example'), { kind: 'nothing' });
  });
});
