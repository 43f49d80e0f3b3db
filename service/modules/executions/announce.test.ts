import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newId } from '#platform/ids.ts';
import { noticesOf, runsChanged } from './announce.ts';

it('changes of many agencies travel together, none is lost, and no notice is too long for the server', () => {
  const changes = new Map([1, 1, 1, 250, 100, 3, 99].map((count) => [newId(), new Set(Array.from({ length: count }, newId))]));
  const sent = noticesOf(changes);
  assert.ok(sent.length <= 5, `${sent.length} notices`);
  const got = sent.flatMap(({ channel, payload }) => {
    assert.equal(channel, runsChanged.channel);
    assert.ok(Buffer.byteLength(payload) < 8_000);
    const parsed = runsChanged.payload.parse(JSON.parse(payload));
    return parsed.changes.flatMap(({ partnerId, ids }) => ids.map((id) => `${partnerId} ${id}`));
  });
  const expected = [...changes].flatMap(([partnerId, ids]) => [...ids].map((id) => `${partnerId} ${id}`));
  assert.deepEqual(got.toSorted(), expected.toSorted());
  assert.deepEqual(noticesOf(new Map()), []);
});
