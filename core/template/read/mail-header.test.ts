import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mailHeader } from './mail-header.ts';

describe('a header of a mail', () => {
  const REPLY = 'Ada <ada@example.com>';
  for (const [gateway, event] of [
    [
      'SendGrid, in its text',
      { headers: `Received: by mx1\r\n by mx2\r\nREPLY-TO:\r\n ${REPLY}\r\nTo: a@x.example\r\n\r\nReply-To: b@x.example` },
    ],
    ['Mailgun, in its list', { 'message-headers': `[["Received","by mx1"],["Reply-To","${REPLY}"],["Reply-To","b@x.example"]]` }],
    ['Postmark, in its objects', { Headers: [{ Name: 'Reply-To', Value: REPLY }] }],
    ['a gateway, in an object', { headers: { 'reply-to': REPLY } }],
    ['a gateway, in an object as a text', { headers: `{"Reply-To":"${REPLY}"}` }],
  ] as const)
    it(`is found in any form that gateways pass on: ${gateway}`, () => assert.equal(mailHeader(event, 'reply-to'), REPLY));

  for (const event of [
    {},
    { headers: 'none' },
    { headers: '[["Reply-To"' },
    { headers: [null, 7, ['Reply-To']] },
    { headers: { 'reply-to': ' ' } },
    { headers: null },
  ])
    it(`is none where none was passed on: ${JSON.stringify(event)}`, () => assert.equal(mailHeader(event, 'reply-to'), null));
});
