import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterDispatch } from './dispatch.ts';
import { aiCredits } from '../quota/credits.ts';
import { cleanError, redactCause } from './error.ts';
import { hideSecrets } from './payload.ts';
import { readableStepInput, timeline } from './timeline.ts';

describe('AI credits', () => {
  it('are one per started thousand tokens on a platform key, and none otherwise', () => {
    const tokens = (inputTokens: number, outputTokens = 0) => ({ inputTokens, outputTokens });
    assert.deepEqual(
      [tokens(0), tokens(1), tokens(1000), tokens(1000, 1), tokens(2500, 2500)].map((usage) => aiCredits(usage, true)),
      [0, 1, 1, 2, 5],
    );
    assert.equal(aiCredits(tokens(5000), false), 0);
    assert.equal(aiCredits(null, true), 0);
    assert.equal(aiCredits(tokens(9e15), true), 100_000);
  });
});

describe('after a dispatch', () => {
  it('an execution that may be running is never sent again', () => {
    for (const answer of ['accepted', 'ambiguous'] as const)
      assert.deepEqual(afterDispatch(answer, { attempts: 1, misses: 0 }), { next: 'done' });
  });
  it('an unreachable engine is retried without limit, at most 30 s apart', () => {
    const waits = [1, 2, 3, 7, 500].map((attempts) => afterDispatch('unreachable', { attempts, misses: 0 }));
    assert.deepEqual(
      waits.map((step) => step.next === 'again' && step.waitMs),
      [500, 1000, 2000, 30_000, 30_000],
    );
  });
  it('a missing flow is final after several misses', () => {
    assert.equal(afterDispatch('not_found', { attempts: 1, misses: 5 }).next, 'again');
    assert.equal(afterDispatch('not_found', { attempts: 99, misses: 6 }).next, 'fail');
  });
  it('a refusal is final', () => assert.equal(afterDispatch('refused', { attempts: 1, misses: 0 }).next, 'fail'));
});

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
    // Written so that an expression that starts anew at each hyphen would be busy for minutes.
    for (const piece of ['a-', 'a1-', '/a', '1.', 'http://'])
      assert.ok(cleanError({ message: piece.repeat(100_000) }).message.length <= 300);
    assert.equal(cleanError({ message: 'x' }).code, 'step_failed');
  });
});

describe('the timeline', () => {
  const definition = [
    { name: 'one', label: 'First' },
    { name: 'two', label: 'Second' },
  ];
  it('follows the definition; unreported steps are pending while the execution runs and skipped when it ended', () => {
    const reported = [{ name: 'one', status: 'succeeded', output: { a: 1 } }];
    assert.deepEqual(
      timeline(definition, reported, 'RUNNING').map(({ label, status }) => [label, status]),
      [
        ['First', 'succeeded'],
        ['Second', 'pending'],
      ],
    );
    assert.deepEqual(
      timeline(definition, reported, 'FAILED').map(({ status }) => status),
      ['succeeded', 'skipped'],
    );
  });
  it('shows steps of an older version at the end', () => {
    assert.deepEqual(timeline(definition, [{ name: 'old_step', status: 'failed', error: 'no' }], 'FAILED').at(-1), {
      name: 'old_step',
      label: 'Old step',
      status: 'failed',
      startedAt: null,
      durationMs: null,
      error: 'no',
    });
  });
});

describe('a payload for the agency', () => {
  it('hides members named like secrets and cuts long texts, at any depth', () => {
    const shown = hideSecrets({ apiKey: 'x', list: [{ authToken: 'y', phone: '+1' }], long: 'a'.repeat(3_000), password: '' });
    assert.deepEqual(shown, {
      apiKey: '[hidden]',
      list: [{ authToken: '[hidden]', phone: '+1' }],
      long: `${'a'.repeat(2_000)}…`,
      password: '',
    });
  });
});

it('the input of an HTTP step is shown as method, path and body, without engine settings', () => {
  const sent = {
    method: 'POST',
    url: '**REDACTED**/2010-04-01/Accounts/**REDACTED**/Messages.json',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    authType: 'BASIC',
    authFields: { username: '**REDACTED**', password: '**REDACTED**' },
    body_type: 'json',
    body: { data: 'To=%2B13125550148&Body=Hi+there' },
    failureMode: 'continue_all',
  };
  assert.deepEqual(readableStepInput(sent), {
    method: 'POST',
    path: '/2010-04-01/Accounts/···/Messages.json',
    body: { To: '+13125550148', Body: 'Hi there' },
  });
  const mail = {
    method: 'POST',
    url: 'https://mail.example/emails?key=1',
    body_type: 'json',
    body: { data: { to: 'a@b.example', text: 'x=1' } },
  };
  assert.deepEqual(readableStepInput(mail), { method: 'POST', path: '/emails', body: { to: 'a@b.example', text: 'x=1' } });
  assert.deepEqual(readableStepInput({ callerNumber: '+1' }), { callerNumber: '+1' });
});

it('a client sees that a run failed, and not what a third-party service responded', () => {
  const error = { code: 'invalid_number', message: 'Twilio rejected the number: not E.164', stepName: 'send_text' };
  const redacted = redactCause({
    summary: 'Could not text +1 500 ··· 0001 after a missed call: Twilio rejected the number: not E.164',
    error,
  });
  assert.equal(redacted.summary, 'Could not text +1 500 ··· 0001 after a missed call');
  assert.equal(JSON.stringify(redacted).includes('Twilio'), false);
  const fine = { summary: 'Texted +1 312 ··· 0148 after a missed call', error: null };
  assert.deepEqual(redactCause(fine), fine);
});
