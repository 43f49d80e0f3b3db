import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventIdSource } from '../template/types.ts';
import { eventIdOf } from './event-id.ts';

const NONE = { agent: null, template: undefined };
const find = (
  headers: { [name: string]: string },
  event: Parameters<typeof eventIdOf>[2] = {},
  sources: { agent: EventIdSource | null; template: EventIdSource | undefined } = NONE,
) => eventIdOf(sources, (name) => headers[name], event);

describe('the id of an event', () => {
  it('is in the header of a known sender', () => {
    assert.deepEqual(find({ 'webhook-id': ' msg_1 ' }), { from: 'the header webhook-id', id: 'msg_1', isHeader: true });
    assert.deepEqual(find({ 'x-shopify-webhook-id': 'b54557e4' })?.id, 'b54557e4');
    assert.equal(find({ 'x-request-id': 'r1', 'user-agent': 'x' }), undefined);
    assert.equal(find({ 'webhook-id': ' ' }), undefined, 'an empty one is none');
  });

  it('is what the agent says, else what the template says, else the header', () => {
    const headers = { 'webhook-id': 'w', 'x-order': 'o' };
    const event = { CallSid: 'CA1', payload: { uri: 'u' }, 'a.b': 7 };
    const template = { input: 'CallSid' };
    assert.deepEqual(find(headers, event, { agent: { header: 'X-Order' }, template }), {
      from: 'the header X-Order',
      id: 'o',
      isHeader: true,
    });
    assert.deepEqual(find(headers, event, { agent: { input: 'payload.uri' }, template }), {
      from: '"payload.uri"',
      id: 'u',
      isHeader: false,
    });
    assert.deepEqual(find(headers, event, { agent: { input: 'a.b' }, template })?.id, '7');
    assert.deepEqual(find(headers, event, { agent: null, template }), { from: '"CallSid"', id: 'CA1', isHeader: false });
    assert.deepEqual(find(headers, {}, { agent: { input: 'missing.id' }, template })?.id, 'w', 'the next one when it is missing');
    assert.deepEqual(find(headers, null, { agent: null, template })?.id, 'w', 'of a body that cannot be read');
    assert.equal(find({}, { CallSid: { nested: 1 } }, { agent: null, template }), undefined);
  });

  it('of a mail is a field in any case, or among the headers that a gateway passes on', () => {
    const template = { input: 'Message-Id' };
    for (const event of [
      { 'Message-Id': '<a@x>' },
      { 'message-id': '<a@x>' },
      { headers: 'Received: by mx1\r\nMessage-ID: <a@x>\r\nTo: hello@oak.example' },
      { 'message-headers': '[["Message-Id","<a@x>"]]' },
      { MessageID: 'p1', Headers: [{ Name: 'Message-ID', Value: '<a@x>' }] },
    ])
      assert.deepEqual(find({}, event, { agent: null, template }), { from: '"Message-Id"', id: '<a@x>', isHeader: false });
    assert.equal(find({}, { headers: 'To: hello@oak.example' }, { agent: null, template }), undefined);
  });
});
