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

describe('a client sees that a run failed, and not what a third-party service responded', () => {
  const failed = 'Could not text +1 500 ··· 0001 after a missed call';
  const long = `Twilio refused ${'a name, '.repeat(60)}`;
  const cases: [name: string, message: string, cause: string][] = [
    ['in plain words', 'Twilio rejected the number: not E.164', 'Twilio rejected the number: not E.164'],
    ['with a number', 'Twilio blocked +13125550121 by rule 21999', 'Twilio blocked +1 312 ··· 0121 by rule 21999'],
    ['with an address', 'Resend refused ada.byron@example.com for Ada', 'Resend refused a···@example.com for Ada'],
    ['with a number, as version 0.2.0 stored it', 'Twilio blocked +13125550121', 'Twilio blocked +13125550121'],
    ['of which the sentence has the beginning', long, `${long.slice(0, 319)}…`],
    ['that was cut with the sentence', long, long.slice(0, 200)],
  ];
  for (const [name, message, cause] of cases)
    it(name, () => {
      const error = { code: 'invalid_number', message, stepName: 'send_text' };
      assert.deepEqual(redactCause({ summary: `${failed}: ${cause}`, error }), { summary: failed, error: { code: 'invalid_number' } });
    });
  it('and all of a sentence without a cause', () => {
    const error = { code: 'invalid_number', message: '', stepName: null };
    assert.equal(redactCause({ summary: 'Could not text Ada: Byron', error }).summary, 'Could not text Ada: Byron');
    const fine = { summary: 'Texted +1 312 ··· 0148 after a missed call', error: null };
    assert.deepEqual(redactCause(fine), fine);
  });
});
