import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seatsFree, seatsTotal, seatsUsed } from './seats.ts';

it('counts included and purchased seats, used by members and pending invitations', () => {
  const seats = { included: 3, purchased: 2, members: 3, pendingInvites: 1 };
  assert.deepEqual([seatsTotal(seats), seatsUsed(seats), seatsFree(seats)], [5, 4, 1]);
  assert.equal(seatsFree({ ...seats, purchased: 0 }), -1, 'more than the terms give');
});
