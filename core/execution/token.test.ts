import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { callbackToken, ingestToken, tokenMatches } from './token.ts';

const workflow = '019a0000-0000-7000-8000-000000000001';

test('a callback token is the HMAC-SHA256 of "execution:" and the run id, as the flow sends it', () => {
  const expected = createHmac('sha256', 'secret').update(`execution:${workflow}`).digest('hex');
  assert.equal(callbackToken('secret', workflow), expected);
});

test('an ingest token opens only its own workflow, and is never a callback token', () => {
  assert.notEqual(ingestToken('secret', workflow), ingestToken('secret', workflow.replace('1', '2')));
  assert.notEqual(ingestToken('secret', workflow), callbackToken('secret', workflow));
});

test('rotating the secret revokes every token', () => {
  assert.equal(tokenMatches(ingestToken('old', workflow), ingestToken('old', workflow)), true);
  assert.equal(tokenMatches(ingestToken('new', workflow), ingestToken('old', workflow)), false);
});

test('a missing, shorter or longer token never matches', () => {
  const token = ingestToken('secret', workflow);
  for (const given of [undefined, '', token.slice(1), `${token}0`]) assert.equal(tokenMatches(token, given), false);
});
