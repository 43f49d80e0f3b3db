import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanError, redactCause } from './error.ts';

describe('an error text', () => {
  const cases: [string, string, string][] = [
    ['plain words stay', 'Twilio rejected the number: not E.164', 'Twilio rejected the number: not E.164'],
    ['a stack is removed', 'It broke\n    at run (/srv/app/main.js:1:2)', 'It broke'],
    ['a path is removed', 'Cannot read /usr/src/app/x.js now', 'Cannot read ··· now'],
    ['a URL is removed', 'POST https://10.0.0.1/x?k=1 failed', 'POST the service failed'],
    ['an IP is removed', 'connect 127.0.0.1:4000 refused', 'connect ··· refused'],
    ['a bearer token is removed', 'sent Bearer abc.def', 'sent Bearer ···'],
    ['an engine id is removed', 'flow 5m3kQw8ZpLr2Tn6VbYxAe is gone', 'flow ··· is gone'],
    ['nothing becomes a sentence', '\n  \n', 'Something went wrong in this step.'],
  ];
  for (const [name, given, expected] of cases) it(name, () => assert.equal(cleanError({ message: given }).message, expected));
  it('is cut, and its code is a plain word', () => {
    assert.equal(cleanError({ message: 'word '.repeat(200) }).message.length, 300);
    assert.equal(cleanError({ code: 'Bad Thing!', message: 'x' }).code, 'bad_thing');
  });
  it('is sanitized in linear time', () => {
    // Worst case for backtracking: an expression that restarts at each hyphen would take minutes.
    for (const piece of ['a-', 'a1-', '/a', '1.', 'http://'])
      assert.ok(cleanError({ message: piece.repeat(100_000) }).message.length <= 300);
    assert.equal(cleanError({ message: 'x' }).code, 'step_failed');
  });
});

it('a client sees that a run failed, and not what a third-party service responded', () => {
  const error = { code: 'invalid_number', message: 'Twilio rejected the number: not E.164', stepName: 'send_text' };
  const redacted = redactCause({
    summary: 'Could not text +1 500 ··· 0001 after a missed call: Twilio rejected the number: not E.164',
    error,
  });
  assert.equal(redacted.summary, 'Could not text +1 500 ··· 0001 after a missed call');
  assert.deepEqual(redacted.error, { code: 'invalid_number' });
  const fine = { summary: 'Texted +1 312 ··· 0148 after a missed call', error: null };
  assert.deepEqual(redactCause(fine), fine);
});
