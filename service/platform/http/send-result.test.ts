import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineRoute } from '@partner-portal/contract/define-route.ts';
import { z } from 'zod';
import { renderReply } from './send-result.ts';

const AT = new Date('2026-03-01T10:00:00Z');
const item = z.object({
  name: z.string(),
  at: z.iso.datetime().nullable(),
  times: z.array(z.iso.datetime()),
  inner: z.object({ at: z.iso.datetime() }),
});
const route = defineRoute({
  method: 'GET',
  path: '/things',
  tag: 'health',
  summary: 'test',
  access: { kind: 'public' },
  limit: 'none',
  errors: [],
  reply: { 200: z.object({ data: z.array(item) }) },
});

test('times at any depth are sent as texts, and what a handler returned is not changed', () => {
  const plain = Object.freeze({ name: 'without', at: null, times: Object.freeze([]), inner: Object.freeze({ at: AT.toISOString() }) });
  const timed = Object.freeze({ name: 'with', at: AT, times: Object.freeze([AT]), inner: Object.freeze({ at: AT }) });
  const data = Object.freeze([plain, timed]);
  const text = AT.toISOString();
  assert.deepEqual(JSON.parse(renderReply(route, { data }).text ?? ''), {
    data: [
      { name: 'without', at: null, times: [], inner: { at: text } },
      { name: 'with', at: text, times: [text], inner: { at: text } },
    ],
  });
  assert.equal(timed.inner.at, AT);
});

test('what the contract does not declare is not sent, also next to values that are sent as they are', () => {
  const data = [{ name: 'one', at: null, times: [], inner: { at: AT.toISOString(), secret: 'x' }, secret: 'x' }];
  assert.doesNotMatch(renderReply(route, { data }).text ?? '', /secret/);
});
