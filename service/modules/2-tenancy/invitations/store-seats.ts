import type { SeatCount } from '@partner-portal/core/people/seats.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/**
 * Returns the seats of a partner and what uses them at `now`. Lock the partner row first where the result decides: inviting and taking
 * seats away hold it until the commit.
 */
export async function countSeats(tx: Tx, partnerId: string, now: Date): Promise<SeatCount> {
  const [row] = await runStatement<'invitations_count_seats', SeatCount>(tx, {
    name: 'invitations_count_seats',
    text: 'select included, purchased, members, pending_invites from seats_of($1, $2)',
    values: [partnerId, now],
  });
  return row ?? { included: 0, purchased: 0, members: 0, pendingInvites: 0 };
}
