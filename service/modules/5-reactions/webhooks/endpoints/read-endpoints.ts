import type { Actor } from '#platform/actor.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { toEndpoint } from './to-record.ts';
import type { ManageDeps } from '../deps.ts';
import { findEndpoint, listEndpoints, listEndpointsForStaff } from './store-endpoints.ts';

type Deps = Pick<ManageDeps, 'db'>;

/** The partner's endpoints, newest first. */
export async function readEndpoints(deps: Deps, actor: Actor) {
  const rows = await deps.db.readAsTenant(actor, (tx) => listEndpoints(tx, actor.partnerId));
  return rows.map(toEndpoint);
}

/** Refuses `not_found` for an endpoint that is removed, unknown or another partner's. */
export async function requireEndpoint(tx: TenantTx, actor: Actor, id: string) {
  return (await findEndpoint(tx, actor.partnerId, id)) ?? refuse('not_found');
}

export type StaffQuery = { limit: number; cursor?: string | undefined; failing?: boolean | undefined; partnerId?: string | undefined };

/** Endpoints of all partners for staff, newest first. */
export async function readEndpointsForStaff(deps: Pick<ManageDeps, 'db' | 'cursors'>, actor: Actor, query: StaffQuery) {
  const { limit, cursor, failing, partnerId = null } = query;
  const bound = { list: 'webhook-endpoints', failing, partnerId };
  const [after = null] = deps.cursors.open(bound, cursor) ?? [];
  const rows = await deps.db.asStaff(actor, async (tx) => {
    const found = await listEndpointsForStaff(tx, { partnerId, failing }, { after, limit });
    await refuseUnknownScope(tx, { partnerId }, found.length);
    return found;
  });
  const page = toPage(
    rows,
    limit,
    (row) => [row.id],
    (position) => deps.cursors.seal(bound, position),
  );
  return { data: page.data.map(toEndpoint), nextCursor: page.nextCursor };
}
