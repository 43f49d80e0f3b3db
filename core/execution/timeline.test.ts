import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { providerAnswer, readableStepInput, timeline } from './timeline.ts';

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

describe('what a provider answered', () => {
  const cases: [string, unknown, ReturnType<typeof providerAnswer>][] = [
    ['status and number', { response: { status: 400, body: { code: 21211, message: 'To +1312 is wrong' } } }, { status: 400, code: 21211 }],
    ['the answer itself', { status: 401, body: { name: 'invalid_api_key', message: 'sk-1' } }, { status: 401, code: 'invalid_api_key' }],
    [
      'a nested code',
      { response: { status: 429, body: { error: { code: 'rate_limit', message: 'x' } } } },
      { status: 429, code: 'rate_limit' },
    ],
    [
      'a nested type',
      { response: { status: 400, body: { error: { type: 'invalid_request_error' } } } },
      { status: 400, code: 'invalid_request_error' },
    ],
    ['a status alone', { response: { status: 503, body: '<html>' } }, { status: 503 }],
    ['no code that is a sentence', { response: { status: 400, body: { code: 'key sk-123 is wrong' } } }, { status: 400 }],
    ['no answer', { response: { body: {} } }, undefined],
    ['no status', { status: 0 }, undefined],
    ['nothing', undefined, undefined],
  ];
  for (const [name, output, answer] of cases) it(`is read: ${name}`, () => assert.deepEqual(providerAnswer(output), answer));
});
