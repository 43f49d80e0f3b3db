import type { AgencyLookKind, LookKind } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { insertAgencyLook, insertLook, insertLooks } from './store-looks.ts';

/**
 * Records that someone outside a client opened a part of its data; `partnerId: null` is the partner of the client. Once per person, part and day, so
 * that reading costs a look into an index and no write. A view-as session is recorded by itself, when it starts.
 */
export async function recordLook(
  tx: Tx,
  actor: Pick<Actor, 'userId' | 'role'>,
  kind: LookKind,
  of: { partnerId: string | null; clientId: string },
): Promise<void> {
  if (actor.role === 'CLIENT') return;
  await insertLook(tx, actor.userId, kind, of);
}

/**
 * Records that someone outside the clients opened a list over all clients of a partner, by the oldest and the newest run that it showed. One
 * row per person, part and day, however many clients there are; it is written again only when the list reached further. Each client's access log
 * decides whether something of the client lies in between.
 */
async function recordAgencyLook(
  tx: Tx,
  actor: Pick<Actor, 'userId' | 'role'>,
  kind: AgencyLookKind,
  of: { partnerId: string; firstId: string; lastId: string },
): Promise<void> {
  if (actor.role === 'CLIENT') return;
  await insertAgencyLook(tx, actor.userId, kind, of);
}

type Shown = { id: string; clientId: string | null };

/**
 * Records a look at rows of a list: of one client when it was narrowed to one, or when all rows are one client's; else of the agency. Rows of the
 * agency itself are no client's.
 */
export async function recordListLook(
  tx: Tx,
  actor: Pick<Actor, 'userId' | 'role'>,
  kinds: { ofClient: LookKind; ofAgency: AgencyLookKind },
  of: { partnerId: string; clientId: string | null; shown: readonly Shown[] },
): Promise<void> {
  const { partnerId } = of;
  const rows = of.shown.filter((row) => row.clientId !== null);
  const clientId = of.clientId ?? (rows.every((row) => row.clientId === rows[0]?.clientId) ? rows[0]?.clientId : undefined);
  if (clientId) return recordLook(tx, actor, kinds.ofClient, { partnerId, clientId });
  const ids = rows.map(({ id }) => id).toSorted();
  const [firstId] = ids;
  const lastId = ids.at(-1);
  if (firstId !== undefined && lastId !== undefined) await recordAgencyLook(tx, actor, kinds.ofAgency, { partnerId, firstId, lastId });
}

/** The same for the clients of rows that were read, of whichever agencies. */
export async function recordLooks(
  tx: Tx,
  actor: Pick<Actor, 'userId' | 'role'>,
  kind: LookKind,
  clientIds: ReadonlySet<string>,
): Promise<void> {
  if (actor.role === 'CLIENT' || clientIds.size === 0) return;
  await insertLooks(tx, actor.userId, kind, clientIds);
}
