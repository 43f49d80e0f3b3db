import { seatsTotal, seatsUsed } from '@partner-portal/core/people/seats.ts';
import type { Actor } from '#platform/actor.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
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
      exportTeam: ({ query }, { actor, now }) =>
        csvOfList({ name: 'team', now }, COLUMNS, (cursor) => readMembers(deps, actor, { ...query, limit: CSV_PAGE, cursor })),
      changeMember: ({ params, body }, context) => changeMember(deps, context, params.userId, body.partnerRole),
      removeMember: async ({ params }, context) => void (await removeMember(deps, context, params.userId)),
    }),
  };
}

type Page = { limit: number; cursor?: string | undefined };

async function readTeam(deps: TeamDeps, actor: Actor, query: Page, now: Date) {
  return deps.db.asTenant(actor, async (tx) => {
    const [page, seats] = await Promise.all([readPage(deps, tx, actor.partnerId, query), countSeats(tx, actor.partnerId, now)]);
    const { included, purchased, pendingInvites } = seats;
    return { ...page, seats: { included, purchased, total: seatsTotal(seats), used: seatsUsed(seats), pendingInvites } };
  });
}

/** The members without the seats, which an export does not have. */
function readMembers(deps: TeamDeps, actor: Actor, query: Page) {
  return deps.db.asTenant(actor, (tx) => readPage(deps, tx, actor.partnerId, query));
}

async function readPage({ cursors }: TeamDeps, tx: TenantTx, partnerId: string, { limit, cursor }: Page) {
  const bound = { list: 'team', partnerId };
  const [after = null] = cursors.open(bound, cursor) ?? [];
  const rows = await listMembers(tx, partnerId, after, limit + 1);
  const page = toPage(
    rows,
    limit,
    (row) => [row.id],
    (position) => cursors.seal(bound, position),
  );
  return { data: page.data.map(toRecord), nextCursor: page.nextCursor };
}

const COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
  ['User', (row) => row.id],
  ['Mail', (row) => row.email],
  ['Name', (row) => row.fullName],
  ['Permission', (row) => row.partnerRole],
  ['Status', (row) => row.status],
  ['Two-step', (row) => row.mfaEnabled],
  ['Logs in with', (row) => row.authMethod],
  ['Last login', (row) => row.lastLoginAt],
  ['Created', (row) => row.createdAt],
];
