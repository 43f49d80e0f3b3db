import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { createChangePublisher, dispatchWaiting, executionsChanged, notificationsOf } from './publish-changes.ts';

type Statement = Parameters<Database['call']>[0];

/** A database that loses the first notifications and records the others. */
function losingOnce() {
  const got: string[] = [];
  const next = Promise.withResolvers<void>();
  let isLost = false;
  const call = async ({ values = [] }: Statement): Promise<never[]> => {
    if (!isLost) {
      isLost = true;
      throw new Error('Connection terminated unexpectedly');
    }
    for (const text of [values[1]].flat())
      got.push(...executionsChanged.payload.parse(JSON.parse(String(text))).changes.flatMap(({ ids }) => ids));
    next.resolve();
    return [];
  };
  return { db: { call }, got, next: next.promise };
}

it('changes whose notification is lost are sent again, with those since', async () => {
  const { db, got, next } = losingOnce();
  const [partnerId, first, second] = [newId(), newId(), newId()];
  const publisher = createChangePublisher({ db, log: createLog('silent'), retryMs: 1 });
  publisher.changed(partnerId, first);
  await publisher.flush();
  publisher.changed(partnerId, second);
  await next;
  assert.deepEqual(got, [first, second]);
  await publisher.close();
});

it('changes of many partners share notifications, none is lost, and no payload is too long for the server', () => {
  const changes = new Map([1, 1, 1, 250, 100, 3, 99].map((count) => [newId(), new Set(Array.from({ length: count }, newId))]));
  const sent = notificationsOf(changes);
  assert.ok(sent.length <= 5, `${sent.length} notices`);
  const got = sent.flatMap(({ channel, payload }) => {
    assert.equal(channel, executionsChanged.channel);
    assert.ok(Buffer.byteLength(payload) < 8_000);
    const parsed = executionsChanged.payload.parse(JSON.parse(payload));
    return parsed.changes.flatMap(({ partnerId, ids }) => ids.map((id) => `${partnerId} ${id}`));
  });
  const expected = [...changes].flatMap(([partnerId, ids]) => [...ids].map((id) => `${partnerId} ${id}`));
  assert.deepEqual(got.toSorted(), expected.toSorted());
  assert.deepEqual(notificationsOf(new Map()), []);
});

it('a notice says that executions wait also when it says which have ended', async () => {
  const sent: unknown[] = [];
  const call = async ({ values = [] }: Statement): Promise<never[]> => {
    for (const text of [values[1]].flat()) sent.push(dispatchWaiting.payload.parse(JSON.parse(String(text))));
    return [];
  };
  const publisher = createChangePublisher({ db: { call }, log: createLog('silent') });
  publisher.ended('texts', 400);
  await publisher.flush();
  publisher.waiting();
  publisher.ended('texts', 300);
  await publisher.flush();
  await publisher.close();
  assert.deepEqual(sent, [
    { waits: false, ended: [{ kind: 'texts', runs: 1, ms: 400 }] },
    { waits: true, ended: [{ kind: 'texts', runs: 1, ms: 300 }] },
  ]);
});
