import type { AgencyLookKind, LookKind } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

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
  await runStatement(tx, {
    name: 'audit_record_look',
    text: `insert into client_look (partner_id, client_id, user_id, user_name, is_staff, kind, day)
      select c.partner_id, c.id, $3, (select nullif(u.full_name, '') from app_user u where u.id = $3 and u.role <> 'ADMIN'), is_staff($3), $4, current_date
      from client c where ($1::uuid is null or c.partner_id = $1) and c.id = $2 and c.status <> 'deleted'
        and not exists (select from client_look l where l.client_id = c.id and l.user_id = $3 and l.kind = $4 and l.day = current_date)
      on conflict (client_id, user_id, kind, day) do nothing`,
    values: [of.partnerId, of.clientId, actor.userId, kind],
  });
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
  await runStatement(tx, {
    name: 'audit_record_agency_look',
    text: `insert into agency_look (partner_id, user_id, user_name, is_staff, kind, first_id, last_id, day)
      values ($1, $2, (select nullif(u.full_name, '') from app_user u where u.id = $2 and u.role <> 'ADMIN'), is_staff($2), $3, $4, $5, current_date)
      on conflict (partner_id, user_id, kind, day) do update
        set first_id = least(agency_look.first_id, excluded.first_id), last_id = greatest(agency_look.last_id, excluded.last_id)
        where excluded.kind in ('runs', 'run_exports') and (excluded.first_id < agency_look.first_id or excluded.last_id > agency_look.last_id)`,
    values: [of.partnerId, actor.userId, kind, of.firstId, of.lastId],
  });
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
  await runStatement(tx, {
    name: 'audit_record_looks',
    text: `insert into client_look (partner_id, client_id, user_id, user_name, is_staff, kind, day)
      select c.partner_id, c.id, $2, (select nullif(u.full_name, '') from app_user u where u.id = $2 and u.role <> 'ADMIN'), is_staff($2), $3, current_date
      from client c where c.id = any($1::uuid[]) and c.status <> 'deleted'
        and not exists (select from client_look l where l.client_id = c.id and l.user_id = $2 and l.kind = $3 and l.day = current_date)
      order by c.id on conflict (client_id, user_id, kind, day) do nothing`,
    values: [[...clientIds], actor.userId, kind],
  });
}

const KEEP_DAYS = 400;
const BATCH = 5_000;

export async function deleteOldLooks(tx: SystemTx): Promise<boolean> {
  const ofClients = await runStatement<'audit_forget_looks', { id: string }>(tx, {
    name: 'audit_forget_looks',
    text: `delete from client_look where id in (select l.id from client_look l where l.at < now() - make_interval(days => $1) order by l.at limit $2) returning id`,
    values: [KEEP_DAYS, BATCH],
  });
  const ofAgencies = await runStatement<'audit_forget_agency_looks', { id: string }>(tx, {
    name: 'audit_forget_agency_looks',
    text: `delete from agency_look where id in (select l.id from agency_look l where l.at < now() - make_interval(days => $1) order by l.at limit $2) returning id`,
    values: [KEEP_DAYS, BATCH],
  });
  return ofClients.length === BATCH || ofAgencies.length === BATCH;
}
