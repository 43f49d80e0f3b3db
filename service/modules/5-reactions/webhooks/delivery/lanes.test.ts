import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLanes, IN_FLIGHT_MAX } from './lanes.ts';

/** The clock stands still. */
const still = (): number => 0;
const lane = (n: number, partner = n) => ({ endpointId: `endpoint-${n}`, partnerId: `partner-${partner}` });
const freeOf = (lanes: ReturnType<typeof createLanes>, n: number): number => {
  const capacity = lanes.capacity();
  return capacity.lanes.find((one) => one.endpointId === `endpoint-${n}`)?.free ?? capacity.lane;
};
const partnerRoom = (lanes: ReturnType<typeof createLanes>, n: number): number => {
  const capacity = lanes.capacity();
  return capacity.partners.find((one) => one.partnerId === `partner-${n}`)?.free ?? capacity.partner;
};

describe('the capacity of an endpoint', () => {
  it('is 8 at first, grows with each quick response up to 32, and is 2 while responses are slow', () => {
    const lanes = createLanes(still);
    assert.equal(freeOf(lanes, 1), 8);
    for (let n = 0; n < 40; n += 1) {
      lanes.occupy([lane(1)], lanes.capacity());
      lanes.release(lane(1), 20);
    }
    assert.equal(freeOf(lanes, 1), 32);
    lanes.occupy([lane(1)], lanes.capacity());
    assert.equal(freeOf(lanes, 1), 31);
    lanes.release(lane(1), 10_000);
    assert.equal(freeOf(lanes, 1), 2);
    lanes.occupy([lane(1)], lanes.capacity());
    lanes.release(lane(1), 20);
    assert.equal(freeOf(lanes, 1), 8, 'one quick response resets it');
  });

  it('is never negative, also when a lane turns slow with many in flight', () => {
    const lanes = createLanes(still);
    for (let n = 0; n < 8; n += 1) lanes.occupy([lane(1)], lanes.capacity());
    assert.equal(freeOf(lanes, 1), 0);
    assert.equal(lanes.release(lane(1), 10_000), true);
    assert.equal(freeOf(lanes, 1), 0);
  });

  it('does not change with deliveries that were not sent', () => {
    const lanes = createLanes(still);
    lanes.occupy([lane(1)], lanes.capacity());
    lanes.release(lane(1), null);
    assert.equal(freeOf(lanes, 1), 8);
  });
});

describe('an agency', () => {
  it('has at most 64 in flight over all its endpoints, without limiting others', () => {
    const lanes = createLanes(still);
    for (let n = 0; n < 64; n += 1) lanes.occupy([lane(n % 5, 0)], lanes.capacity());
    assert.equal(partnerRoom(lanes, 0), 0);
    assert.equal(partnerRoom(lanes, 1), 64);
    lanes.release(lane(0, 0), 5);
    assert.equal(partnerRoom(lanes, 0), 1);
  });
});

describe('slow endpoints', () => {
  it('together hold at most half of all slots, however many there are', () => {
    const lanes = createLanes(still);
    const slow = Array.from({ length: 400 }, (_, n) => lane(n));
    for (const one of slow) {
      lanes.occupy([one], lanes.capacity());
      lanes.release(one, 10_000);
    }
    let held = 0;
    for (let n = 0; n < slow.length; n += 1)
      while (freeOf(lanes, n) > 0) {
        lanes.occupy([lane(n)], lanes.capacity());
        held += 1;
      }
    assert.equal(held, IN_FLIGHT_MAX / 2);
    assert.equal(lanes.free(), IN_FLIGHT_MAX / 2);
    assert.equal(freeOf(lanes, 1_000), 8, 'a new lane has all its slots');
    assert.equal(lanes.release(lane(0), 10_000), true, 'a place of the slow half is waited for');
    assert.equal(freeOf(lanes, 399), 1);
  });
});

describe('a released slot', () => {
  const many = (count: number) => Array.from({ length: count }, () => lane(1));

  it('is worth another claim only while the last claim filled all offered capacity', () => {
    const lanes = createLanes(still);
    lanes.occupy(many(8), lanes.capacity());
    // All eight end while one claim is in progress, which was offered the capacity of the first of them.
    assert.equal(lanes.release(lane(1), 5), true);
    const offered = lanes.capacity();
    for (let n = 0; n < 7; n += 1) assert.equal(lanes.release(lane(1), 5), true);
    lanes.occupy(many(2), offered);
    assert.equal(lanes.release(lane(1), 5), true, 'two were offered and filled, more may wait');
    lanes.occupy(many(3), lanes.capacity());
    assert.equal(lanes.release(lane(1), 5), false, 'more than three were offered');
  });

  it('of an agency at its limit is waited for by its other endpoints', () => {
    const lanes = createLanes(still);
    for (let n = 0; n < 16; n += 1)
      lanes.occupy(
        Array.from({ length: 4 }, () => lane(n, 0)),
        lanes.capacity(),
      );
    lanes.occupy([], lanes.capacity());
    assert.equal(lanes.release(lane(0, 0), 5), true);
    lanes.occupy([], lanes.capacity());
    assert.equal(lanes.release(lane(0, 0), 5), false, 'the claim for its one free slot brought nothing');
  });
});

it('idle endpoints are evicted after a while, slow ones later', () => {
  let now = 0;
  const lanes = createLanes(() => now);
  for (const [n, durationMs] of [
    [1, 5],
    [2, 10_000],
  ] as const) {
    lanes.occupy([lane(n)], lanes.capacity());
    lanes.release(lane(n), durationMs);
  }
  assert.deepEqual([freeOf(lanes, 1), freeOf(lanes, 2)], [9, 2]);
  now = 20_000;
  assert.deepEqual([freeOf(lanes, 1), freeOf(lanes, 2)], [8, 2]);
  now = 700_000;
  assert.deepEqual(lanes.capacity().lanes, []);
});
