import { seatsTotal, seatsUsed } from '@partner-portal/core/people/seats.ts';
import type { Actor } from '#platform/actor.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { toPage } from '#platform/http/cursor.ts';
import { countSeats } from '#modules/2-tenancy/invitations/index.ts';
import { changeMember, removeMember } from './change-team.ts';
import type { TeamDeps } from './deps.ts';
import { listMembers } from './store.ts';
import { toRecord } from './to-record.ts';

/** Members of a partner: list, permissions, removal. They join by invitation. */
export function team(deps: TeamDeps) {
  return {
    routes: defineHandlers({
      listTeam: ({ query }, { actor, now }) => readTeam(deps, actor, query, now),
      changeMember: ({ params, body }, context) => changeMember(deps, context, params.userId, body.partnerRole),
      removeMember: async ({ params }, context) => void (await removeMember(deps, context, params.userId)),
    }),
  };
}

async function readTeam({ db, cursors }: TeamDeps, actor: Actor, query: { limit: number; cursor?: string | undefined }, now: Date) {
  const bound = { list: 'team', partnerId: actor.partnerId };
  const [after = null] = cursors.open(bound, query.cursor) ?? [];
  const [rows, seats] = await db.asTenant(actor, (tx) =>
    Promise.all([listMembers(tx, actor.partnerId, after, query.limit + 1), countSeats(tx, actor.partnerId, now)]),
  );
  const page = toPage(
    rows,
    query.limit,
    (row) => [row.id],
    (position) => cursors.seal(bound, position),
  );
  const { included, purchased, pendingInvites } = seats;
  return {
    data: page.data.map(toRecord),
    nextCursor: page.nextCursor,
    seats: { included, purchased, total: seatsTotal(seats), used: seatsUsed(seats), pendingInvites },
  };
}
