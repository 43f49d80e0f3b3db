import { seatsTotal, seatsUsed } from '@partner-portal/core/people/seats.ts';
import type { Actor } from '#platform/actor.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { countSeats } from '#modules/2-tenancy/invitations/index.ts';
import type { TeamDeps } from './deps.ts';
import { listMembers } from './store.ts';
import { toRecord } from './to-record.ts';

type Page = { limit: number; cursor?: string | undefined };

/** Returns a page of the members, with the seats of the partner. */
export async function readTeam(deps: TeamDeps, actor: Actor, query: Page, now: Date) {
  return deps.db.asTenant(actor, async (tx) => {
    const [page, seats] = await Promise.all([readPage(deps, tx, actor.partnerId, query), countSeats(tx, actor.partnerId, now)]);
    const { included, purchased, pendingInvites } = seats;
    return { ...page, seats: { included, purchased, total: seatsTotal(seats), used: seatsUsed(seats), pendingInvites } };
  });
}

/** The members without the seats, which an export does not have. */
export function readMembers(deps: TeamDeps, actor: Actor, query: Page) {
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

export const TEAM_COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
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
