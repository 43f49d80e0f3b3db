import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventParser } from './event-stream.ts';

const WHOLE = ': hello\r\n\r\nid: 7\nevent: run.started\ndata: {"a":1}\n\ndata: one\ndata: two\r\n\r\nevent: empty\n\n';
const EXPECTED = [
  { id: '7', event: 'run.started', data: '{"a":1}' },
  { id: '7', event: 'message', data: 'one\ntwo' },
];

test('an event stream gives the same events wherever the network cuts it', () => {
  for (let cut = 0; cut <= WHOLE.length; cut++) {
    const parse = createEventParser();
    assert.deepEqual([...parse(WHOLE.slice(0, cut)), ...parse(WHOLE.slice(cut))], EXPECTED, `cut at ${cut}`);
  }
});

test('an unfinished event is held back, and given once its blank line arrives', () => {
  const parse = createEventParser();
  assert.deepEqual(parse('data: x\n'), []);
  assert.deepEqual(parse('\n'), [{ id: undefined, event: 'message', data: 'x' }]);
});

test('heartbeats and events without data are not passed on', () => {
  assert.deepEqual(createEventParser()(':\n\n:beat\n\nevent: x\nid: 3\n\n'), []);
});
