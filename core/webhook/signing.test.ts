import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { callbackToken, ingestToken, tokenMatches } from '../execution/token.ts';
import { webhookSignature, webhookSignatureHeader } from './signing.ts';

const workflow = '019a0000-0000-7000-8000-000000000001';

test('a callback token is the HMAC-SHA256 of "execution:" and the run id, as the flow contract states', () => {
  const expected = createHmac('sha256', 'secret').update(`execution:${workflow}`).digest('hex');
  assert.equal(callbackToken('secret', workflow), expected);
});

test('an ingest token opens only its own workflow, and never stands for a run', () => {
  assert.notEqual(ingestToken('secret', workflow), ingestToken('secret', workflow.replace('1', '2')));
  assert.notEqual(ingestToken('secret', workflow), callbackToken('secret', workflow));
});

test('rotating the secret ends every token', () => {
  assert.equal(tokenMatches(ingestToken('old', workflow), ingestToken('old', workflow)), true);
  assert.equal(tokenMatches(ingestToken('new', workflow), ingestToken('old', workflow)), false);
});

test('a missing, shorter or longer token never matches', () => {
  const token = ingestToken('secret', workflow);
  for (const given of [undefined, '', token.slice(1), `${token}0`]) assert.equal(tokenMatches(token, given), false);
});

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
