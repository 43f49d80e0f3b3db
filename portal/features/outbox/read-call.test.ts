import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteVisitor } from '@partner-portal/core/conversation/instructions.ts';
import { describeCall, readCall, receiverOf } from './read-call.ts';

const row = (provider: string, path: string, body: string | null, method = 'POST') => ({
  id: '1',
  at: '2026-11-21T12:00:00.000Z',
  provider,
  method,
  path,
  body,
  status: 200,
});

test('reads a text from the form body, including plus signs and line breaks', () => {
  const call = row(
    'twilio',
    '/2010-04-01/Accounts/{AccountSid}/Messages.json',
    'To=%2B13125550121&From=%2B13125550100&Body=Sorry%0Awe+missed+you',
  );
  assert.deepEqual(readCall(call), { kind: 'text', from: '+13125550100', to: '+13125550121', body: 'Sorry\nwe missed you' });
  assert.equal(receiverOf(call), '+13125550121');
});

test('reads an e-mail with its plain text and all recipients', () => {
  const call = row(
    'resend',
    '/emails',
    JSON.stringify({ from: 'a@x.example', to: ['b@x.example', 'c@x.example'], subject: 'Hello', text: 'Line', html: '<p>Other</p>' }),
  );
  assert.deepEqual(readCall(call), { kind: 'mail', from: 'a@x.example', to: 'b@x.example, c@x.example', subject: 'Hello', body: 'Line' });
  assert.equal(describeCall(call), 'Hello');
});

test('reads both language models as a conversation and summarizes it by the last question', () => {
  const openai = row(
    'openai',
    '/v1/chat/completions',
    JSON.stringify({
      model: 'gpt-4.1-mini',
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Open today?' },
      ],
    }),
  );
  const anthropic = row(
    'anthropic',
    '/v1/messages',
    JSON.stringify({ model: 'claude', system: 'Be brief', messages: [{ role: 'user', content: [{ type: 'text', text: 'Open today?' }] }] }),
  );
  for (const call of [openai, anthropic]) {
    assert.equal(describeCall(call), 'Open today?');
    const content = readCall(call);
    assert.ok(content.kind === 'prompt');
    assert.deepEqual(content.messages, [
      { role: 'system', text: 'Be brief' },
      { role: 'user', text: 'Open today?' },
    ]);
  }
});

test('shows what a visitor wrote without the element around it', () => {
  const call = row(
    'anthropic',
    '/v1/messages',
    JSON.stringify({ model: 'm', messages: [{ role: 'user', content: quoteVisitor('Open <today>?') }] }),
  );
  assert.equal(describeCall(call), 'Open ‹today›?');
  const said = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'What is a <visitor_message>?' }] });
  assert.equal(describeCall(row('anthropic', '/v1/messages', said)), 'What is a <visitor_message>?');
});

test('reads a body that is not JSON, and a call without a body', () => {
  assert.deepEqual(readCall(row('calcom', '/v2/bookings', 'not json')), { kind: 'data', value: 'not json' });
  assert.deepEqual(readCall(row('calcom', '/v2/slots', null, 'GET')), { kind: 'none' });
  assert.equal(describeCall(row('calcom', '/v2/slots', null, 'GET')), 'Requested available times');
});
