import type { Database } from '#platform/db/tx.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { toRecord } from './issue-invitation.ts';
import { type InvitationFilters, listInvitations } from './store.ts';

type InvitationQuery = Omit<InvitationFilters, 'partnerId'> & {
  partnerId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** Columns of the CSV export, without links. */
export const INVITATION_COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
  ['Invitation', (row) => row.id],
  ['Mail', (row) => row.email],
  ['Name', (row) => row.fullName],
  ['Kind', (row) => row.kind],
  ['Client', (row) => row.clientId],
  ['Permission', (row) => row.partnerRole],
  ['Status', (row) => row.status],
  ['Sent', (row) => row.sentAt],
  ['Expires', (row) => row.expiresAt],
  ['Accepted', (row) => row.acceptedAt],
  ['Revoked', (row) => row.revokedAt],
  ['Resent', (row) => row.resendCount],
];

/** Invitations in scope, newest first. */
export async function readInvitations(deps: { db: Database; cursors: Cursors }, { actor, now }: RequestContext, query: InvitationQuery) {
  const filters = { ...query, route: 'invitations', scope: actor.partnerId };
  const [after = null] = deps.cursors.open(filters, query.cursor) ?? [];
  const rows = await inScope(deps.db, actor, query.partnerId, async (tx, partnerId) => {
    const found = await listInvitations(tx, { ...query, partnerId }, { after, limit: query.limit, now });
    await refuseUnknownScope(tx, { partnerId, clientId: query.clientId }, found.length);
    return found;
  });
  const page = toPage(
    rows,
    query.limit,
    (row) => [row.id],
    (position) => deps.cursors.seal(filters, position),
  );
  return { ...page, data: page.data.map((row) => toRecord(row, now)) };
}
