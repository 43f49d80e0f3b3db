/** Seats and what uses them: members, and pending team and owner invitations. Client users use none. */
export type SeatCount = { included: number; purchased: number; members: number; pendingInvites: number };

export function seatsFree(seats: SeatCount): number {
  return seats.included + seats.purchased - seats.members - seats.pendingInvites;
}
