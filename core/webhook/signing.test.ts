import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { webhookSignature, webhookSignatureHeader } from './signing.ts';

test('a delivery is signed with the whole secret over "<timestamp>.<body>", in lowercase hex', () => {
  const [secret, at, body] = ['whsec_' + 'a'.repeat(43), 1_767_604_364, '{"id":"evt_1","data":{"name":"Zo\u00eb"}}'] as const;
  const expected = createHmac('sha256', Buffer.from(secret))
    .update(Buffer.concat([Buffer.from(`${at}.`), Buffer.from(body)]))
    .digest('hex');
  assert.equal(webhookSignature(secret, at, body), expected);
  assert.equal(webhookSignatureHeader(secret, at, body), `t=${at},v1=${expected}`);
  assert.match(expected, /^[0-9a-f]{64}$/);
});

test('another timestamp, body or secret signs differently', () => {
  const known = webhookSignature('whsec_a', 1, '{}');
  for (const other of [webhookSignature('whsec_a', 2, '{}'), webhookSignature('whsec_a', 1, '{ }'), webhookSignature('whsec_b', 1, '{}')])
    assert.notEqual(other, known);
});
