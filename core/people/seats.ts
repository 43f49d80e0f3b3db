/**
 * Seats and what uses them: members, and pending team and owner invitations. Client users use none. `included` is what the terms give and
 * staff granted. The SQL function `seats_of` reads them.
 */
export type SeatCount = { included: number; purchased: number; members: number; pendingInvites: number };

export function seatsTotal({ included, purchased }: SeatCount): number {
  return included + purchased;
}

export function seatsUsed({ members, pendingInvites }: SeatCount): number {
  return members + pendingInvites;
}

/** Returns how many more people can be invited; negative when a plan gives fewer seats than are in use. */
export function seatsFree(seats: SeatCount): number {
  return seatsTotal(seats) - seatsUsed(seats);
}
