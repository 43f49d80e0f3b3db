import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRefused } from './refused-event.ts';

const INPUTS = [
  { key: 'callerNumber', label: 'Caller’s number', required: true, aliases: ['From'] },
  { key: 'businessNumber', label: 'Number that was called', required: true, aliases: ['To'] },
  { key: 'note', label: 'Note', required: false, aliases: [] },
];

test('a refused event names what it lacked, and offers the rest without masked values', () => {
  assert.deepEqual(readRefused('{"From":"+1 312 ··· 0121","note":"late","CallSid":"CA1"}', INPUTS), {
    missing: ['Number that was called'],
    input: { callerNumber: '', businessNumber: '', note: 'late' },
  });
  assert.deepEqual(readRefused('{"callerNumber":" ","To":"x"}', INPUTS)?.missing, ['Caller’s number']);
});

test('an event that was cut or is no object offers nothing', () => {
  for (const preview of ['{"From":"+1…', '[1]', 'Hello', '', null]) assert.equal(readRefused(preview, INPUTS), undefined);
});
