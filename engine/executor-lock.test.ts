import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { holdExecutorLock } from './executor-lock.ts';

test('letting go while the connection is still being made ends at once, and nothing was held', async () => {
  // Takes connections and does not say a word, as a database that is slow to answer.
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  // A waiter that never ends then fails the test at once.
  silent.unref();
  const { port } = silent.address() as AddressInfo; // listening on TCP
  const connected = once(silent, 'connection');
  const events: string[] = [];
  const lock = holdExecutorLock(
    { host: '127.0.0.1', port, user: 'engine', database: 'engine' },
    (_level, event) => events.push(event),
    async () => void events.push('held'),
    () => void events.push('lost'),
  );
  await connected;
  await lock.close();
  assert.deepEqual(events, []);
});
