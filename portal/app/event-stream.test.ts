import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvents, type StreamEvent } from './event-stream.ts';

const WHOLE = ': hello\r\n\r\nid: 7\nevent: run.started\ndata: {"a":"ü"}\n\ndata: one\ndata: two\r\n\r\nevent: empty\n\n';
const EXPECTED = [
  { id: '7', event: 'run.started', data: '{"a":"ü"}' },
  { id: '7', event: 'message', data: 'one\ntwo' },
];

async function read(...pieces: Uint8Array<ArrayBuffer>[]): Promise<StreamEvent[]> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const events: StreamEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

test('an event stream yields the same events however its chunks are split, within a character too', async () => {
  const whole = bytes(WHOLE);
  for (let cut = 0; cut <= whole.length; cut++) {
    assert.deepEqual(await read(whole.slice(0, cut), whole.slice(cut)), EXPECTED, `cut at ${cut}`);
  }
});

test('an incomplete event is buffered and returned when its blank line arrives', async () => {
  assert.deepEqual(await read(bytes('data: x\n')), []);
  assert.deepEqual(await read(bytes('data: x\n'), bytes('\n')), [{ id: undefined, event: 'message', data: 'x' }]);
});

test('heartbeats and events without data are ignored', async () => {
  assert.deepEqual(await read(bytes(':\n\n:beat\n\nevent: x\nid: 3\n\n')), []);
});

test('a reader that stops early cancels the connection', async () => {
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(bytes('data: x\n\n')),
    cancel: () => cancelled.resolve(),
  });
  for await (const event of readEvents(body)) {
    assert.equal(event.data, 'x');
    break;
  }
  await cancelled.promise;
});
