import { seatsFree, seatsTotal, seatsUsed } from '@partner-portal/core/people/seats.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { refusePersonName } from '#modules/2-tenancy/identity/index.ts';
import { FIRST_ROLE, publishClientUserInvited, type IssueInvitationDeps, issueInvitation } from './issue-invitation.ts';
import { lockForInvite } from './store.ts';
import { countSeats } from './store-seats.ts';

export type InvitationDeps = IssueInvitationDeps & { db: Database };
type InvitationInput = { kind: 'team' | 'client_user'; email: string; fullName?: string | undefined; clientId?: string | undefined };

/** Invites a team member, always as a moderator, or a client user, who takes no seat. */
export async function invitePerson(deps: InvitationDeps, caller: RequestContext, input: InvitationInput) {
  const { actor, now } = caller;
  refusePersonName('fullName', input.fullName);
  if (input.kind === 'client_user' && !input.clientId)
    return refuseField('clientId', 'required', 'Choose the client this person belongs to.');
  const clientId = input.kind === 'client_user' ? (input.clientId ?? null) : null;
  return deps.db.asTenant(actor, async (tx) => {
    const context = await lockForInvite(tx, actor.partnerId, clientId);
    if (!context) return refuse('not_found');
    if (input.kind === 'team') await refuseWithoutSeat(tx, actor.partnerId, now);
    const { kind, email, fullName } = input;
    const partnerRole = kind === 'team' ? FIRST_ROLE : null;
    const invitation = await issueInvitation(tx, deps, {
      partnerId: actor.partnerId,
      kind,
      email,
      fullName,
      partnerRole,
      clientId,
      invitedBy: actor.userId,
      sentAt: now,
    });
    if (context.client) {
      await publishClientUserInvited(tx, deps.baseUrl, {
        actor,
        partner: { id: actor.partnerId, name: context.partnerName },
        client: context.client,
        invitation,
      });
    }
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      clientId,
      actor,
      action: 'invitation.created',
      target: { type: 'invitation', id: invitation.id, label: email },
      changes: { kind: [null, kind] },
      origin: originOf(caller),
    });
    return invitation;
  });
}

/**
 * Refuses `seat_limit_reached` when members and pending links take all seats. The partner row is locked, so the count holds until the
 * commit.
 */
export async function refuseWithoutSeat(tx: Tx, partnerId: string, now: Date): Promise<void> {
  const seats = await countSeats(tx, partnerId, now);
  if (seatsFree(seats) > 0) return;
  const limit = seatsTotal(seats);
  refuse('seat_limit_reached', {
    detail: `All ${limit} seats are used by members or pending invitations.`,
    limit,
    used: seatsUsed(seats),
  });
}
