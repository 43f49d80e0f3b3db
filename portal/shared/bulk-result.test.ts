import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeResults } from './bulk-result.ts';

const one = (clientName: string, result: 'submitted' | 'has_agent' | 'requested' | 'not_allowed') => ({
  clientId: '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01',
  clientName,
  result,
  requestId: null,
});

describe('the result of a call for many clients', () => {
  it('counts the requests, and names who got none with the reason', () => {
    assert.deepEqual(describeResults([one('Oak', 'submitted')]), { title: '1 request submitted.' });
    assert.deepEqual(describeResults([one('Oak', 'submitted'), one('Elm', 'has_agent')]), {
      title: '1 request submitted.',
      detail: 'Elm already has this agent.',
    });
    const many = ['A', 'B', 'C', 'D', 'E'].map((name) => one(name, 'requested'));
    const { title, detail = '' } = describeResults(many);
    assert.equal(title, 'No request was submitted.');
    assert.match(detail, /^A already has an open request, B .*, C .* and 2 more got none\.$/);
  });
});
