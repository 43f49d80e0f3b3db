import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventIdText } from './event-id.ts';

test('an event id is the ULID form of its UUID', () => {
  // The pair is worked out by hand from the two definitions: 130 bits in groups of five, the first two always zero.
  assert.equal(eventIdText('00000000-0000-0000-0000-000000000000'), `evt_${'0'.repeat(26)}`);
  assert.equal(eventIdText('ffffffff-ffff-ffff-ffff-ffffffffffff'), `evt_7${'Z'.repeat(25)}`);
  assert.equal(eventIdText('00000000-0000-0000-0000-000000000021'), `evt_${'0'.repeat(24)}11`);
  assert.equal(eventIdText('80000000-0000-0000-0000-000000000000'), `evt_4${'0'.repeat(25)}`);
});

test('it is another one for every other UUID, and keeps the order', () => {
  const uuids = ['019b0a1c-7d5e-7abc-8def-0123456789ab', '019b0a1c-7d5f-7000-8000-000000000000', '019b0a1d-0000-7fff-bfff-ffffffffffff'];
  const texts = uuids.map(eventIdText);
  assert.equal(new Set(texts).size, uuids.length);
  assert.deepEqual(texts.toSorted(), texts);
});

test('of anything but a UUID there is none', () => {
  assert.throws(() => eventIdText('not a uuid'));
});
