/** What counts against the seats: people inside and people with a living team or owner link. Client users take none. */
export type SeatCount = { included: number; purchased: number; members: number; pendingInvites: number };

export function seatsFree(seats: SeatCount): number {
  return seats.included + seats.purchased - seats.members - seats.pendingInvites;
}
