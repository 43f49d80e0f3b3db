import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLanes, IN_FLIGHT_MAX } from './lanes.ts';

/** No time passes. */
const still = (): number => 0;
const lane = (n: number, partner = n) => ({ endpointId: `endpoint-${n}`, partnerId: `partner-${partner}` });
const roomOf = (lanes: ReturnType<typeof createLanes>, n: number): number => {
  const rooms = lanes.rooms();
  return rooms.lanes.find((one) => one.endpointId === `endpoint-${n}`)?.room ?? rooms.lane;
};
const partnerRoom = (lanes: ReturnType<typeof createLanes>, n: number): number => {
  const rooms = lanes.rooms();
  return rooms.partners.find((one) => one.partnerId === `partner-${n}`)?.room ?? rooms.partner;
};

describe('the room of an endpoint', () => {
  it('is 8 at first, grows with each quick answer up to 32, and is 2 while answers take long', () => {
    const lanes = createLanes(still);
    assert.equal(roomOf(lanes, 1), 8);
    for (let n = 0; n < 40; n += 1) {
      lanes.begin([lane(1)], lanes.rooms());
      lanes.end(lane(1), 20);
    }
    assert.equal(roomOf(lanes, 1), 32);
    lanes.begin([lane(1)], lanes.rooms());
    assert.equal(roomOf(lanes, 1), 31);
    lanes.end(lane(1), 10_000);
    assert.equal(roomOf(lanes, 1), 2);
    lanes.begin([lane(1)], lanes.rooms());
    lanes.end(lane(1), 20);
    assert.equal(roomOf(lanes, 1), 8, 'one quick answer and it is like new');
  });

  it('is never less than none, also when a lane turns slow with many under way', () => {
    const lanes = createLanes(still);
    for (let n = 0; n < 8; n += 1) lanes.begin([lane(1)], lanes.rooms());
    assert.equal(roomOf(lanes, 1), 0);
    assert.equal(lanes.end(lane(1), 10_000), true);
    assert.equal(roomOf(lanes, 1), 0);
  });

  it('does not change with what was never sent', () => {
    const lanes = createLanes(still);
    lanes.begin([lane(1)], lanes.rooms());
    lanes.end(lane(1), null);
    assert.equal(roomOf(lanes, 1), 8);
  });
});

describe('an agency', () => {
  it('has at most 64 under way over all its endpoints, and leaves the room of others alone', () => {
    const lanes = createLanes(still);
    for (let n = 0; n < 64; n += 1) lanes.begin([lane(n % 5, 0)], lanes.rooms());
    assert.equal(partnerRoom(lanes, 0), 0);
    assert.equal(partnerRoom(lanes, 1), 64);
    lanes.end(lane(0, 0), 5);
    assert.equal(partnerRoom(lanes, 0), 1);
  });
});

describe('slow endpoints', () => {
  it('together hold at most half of all places, however many there are', () => {
    const lanes = createLanes(still);
    const slow = Array.from({ length: 400 }, (_, n) => lane(n));
    for (const one of slow) {
      lanes.begin([one], lanes.rooms());
      lanes.end(one, 10_000);
    }
    let held = 0;
    for (let n = 0; n < slow.length; n += 1)
      while (roomOf(lanes, n) > 0) {
        lanes.begin([lane(n)], lanes.rooms());
        held += 1;
      }
    assert.equal(held, IN_FLIGHT_MAX / 2);
    assert.equal(lanes.free(), IN_FLIGHT_MAX / 2);
    assert.equal(roomOf(lanes, 1_000), 8, 'a new one finds its places free');
    assert.equal(lanes.end(lane(0), 10_000), true, 'a place of the slow half is waited for');
    assert.equal(roomOf(lanes, 399), 1);
  });
});

describe('a place that is given back', () => {
  const many = (count: number) => Array.from({ length: count }, () => lane(1));

  it('is worth another look as long as the last one brought all there was room for, and no longer', () => {
    const lanes = createLanes(still);
    lanes.begin(many(8), lanes.rooms());
    // All eight end while one look is under way, which was offered the room of the first of them.
    assert.equal(lanes.end(lane(1), 5), true);
    const offered = lanes.rooms();
    for (let n = 0; n < 7; n += 1) assert.equal(lanes.end(lane(1), 5), true);
    lanes.begin(many(2), offered);
    assert.equal(lanes.end(lane(1), 5), true, 'there was room for two, two came, more may wait');
    lanes.begin(many(3), lanes.rooms());
    assert.equal(lanes.end(lane(1), 5), false, 'there was room for more than three');
  });

  it('of an agency that has all it may have is waited for by its other endpoints', () => {
    const lanes = createLanes(still);
    for (let n = 0; n < 16; n += 1)
      lanes.begin(
        Array.from({ length: 4 }, () => lane(n, 0)),
        lanes.rooms(),
      );
    lanes.begin([], lanes.rooms());
    assert.equal(lanes.end(lane(0, 0), 5), true);
    lanes.begin([], lanes.rooms());
    assert.equal(lanes.end(lane(0, 0), 5), false, 'the look at its one free place brought nothing');
  });
});

it('endpoints that rest are forgotten after a while, slow ones later', () => {
  let now = 0;
  const lanes = createLanes(() => now);
  for (const [n, durationMs] of [
    [1, 5],
    [2, 10_000],
  ] as const) {
    lanes.begin([lane(n)], lanes.rooms());
    lanes.end(lane(n), durationMs);
  }
  assert.deepEqual([roomOf(lanes, 1), roomOf(lanes, 2)], [9, 2]);
  now = 20_000;
  assert.deepEqual([roomOf(lanes, 1), roomOf(lanes, 2)], [8, 2]);
  now = 700_000;
  assert.deepEqual(lanes.rooms().lanes, []);
});
