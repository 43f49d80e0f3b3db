import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stateUnderWay } from './under-way.ts';

const CALLS = { goesOn: { states: { CallStatus: ['ringing', 'in-progress'], event: ['newcall'] }, lacks: ['DialCallStatus'] } };

describe('an event of something that has not ended', () => {
  for (const [event, state] of [
    [{ CallStatus: 'ringing' }, 'ringing'],
    [{ CallStatus: ' In-Progress ' }, 'in-progress'],
    [{ event: 'newCall', direction: 'in' }, 'newcall'],
    [{ CallStatus: 'in-progress', DialCallStatus: '' }, 'in-progress'],
    [{ CallStatus: 'in-progress', DialCallStatus: 'no-answer' }, null],
    [{ CallStatus: 'no-answer' }, null],
    [{ CallStatus: ['ringing'] }, null],
    [{}, null],
  ] as const)
    it(`is one in a state before the end, unless another member says how it ended: ${JSON.stringify(event)}`, () => {
      assert.equal(stateUnderWay(CALLS, event), state);
    });

  it('exists only where the template knows such states', () => {
    assert.equal(stateUnderWay({}, { CallStatus: 'ringing' }), null);
    assert.equal(stateUnderWay(undefined, { CallStatus: 'ringing' }), null);
  });
});
