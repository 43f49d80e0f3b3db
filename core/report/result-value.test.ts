import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { worthOf } from './result-value.ts';

const ROWS = [
  { templateName: 'missed-call-text-back', helped: 7 },
  { templateName: 'review-request', helped: 4 },
  { templateName: null, helped: 2 },
];

describe('what results are worth', () => {
  it('is results times the amount of their template, and nothing for those without one', () => {
    assert.equal(worthOf(ROWS, { currency: 'USD', perResult: new Map([['missed-call-text-back', 4_550]]) }), 31_850);
    assert.equal(worthOf([], { currency: 'USD', perResult: new Map([['review-request', 100]]) }), 0);
  });

  it('is unknown while the agency states no amounts', () => {
    assert.equal(worthOf(ROWS, null), null);
    assert.equal(worthOf(ROWS, { currency: 'USD', perResult: new Map() }), null);
  });
});
