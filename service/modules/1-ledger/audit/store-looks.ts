import { ACCESS_LOG_DAYS } from '@partner-portal/core/trust/retention.ts';
import type { AgencyLookKind, LookKind } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** The looker's name, copied; null for staff. */
const userName = (id: '$2' | '$3') => `(select nullif(u.full_name, '') from app_user u where u.id = ${id} and u.role <> 'ADMIN')`;

/** Inserts a look at a client, once per person, part and day; `partnerId: null` is the partner of the client. */
export async function insertLook(
  tx: Tx,
  userId: string,
  kind: LookKind,
  of: { partnerId: string | null; clientId: string },
): Promise<void> {
  await runStatement(tx, {
    name: 'audit_record_look',
    text: `insert into client_look (partner_id, client_id, user_id, user_name, is_staff, kind, day)
      select c.partner_id, c.id, $3, ${userName('$3')}, is_staff($3), $4, current_date
      from client c where ($1::uuid is null or c.partner_id = $1) and c.id = $2 and c.status <> 'deleted'
        and not exists (select from client_look l where l.client_id = c.id and l.user_id = $3 and l.kind = $4 and l.day = current_date)
      on conflict (client_id, user_id, kind, day) do nothing`,
    values: [of.partnerId, of.clientId, userId, kind],
  });
}

/** The same for several clients, of any agencies. */
export async function insertLooks(tx: Tx, userId: string, kind: LookKind, clientIds: ReadonlySet<string>): Promise<void> {
  await runStatement(tx, {
    name: 'audit_record_looks',
    text: `insert into client_look (partner_id, client_id, user_id, user_name, is_staff, kind, day)
      select c.partner_id, c.id, $2, ${userName('$2')}, is_staff($2), $3, current_date
      from client c where c.id = any($1::uuid[]) and c.status <> 'deleted'
        and not exists (select from client_look l where l.client_id = c.id and l.user_id = $2 and l.kind = $3 and l.day = current_date)
      order by c.id on conflict (client_id, user_id, kind, day) do nothing`,
    values: [[...clientIds], userId, kind],
  });
}

/** Inserts a look at a list of an agency, or widens that of today by the oldest and the newest run that the list showed. */
export async function insertAgencyLook(
  tx: Tx,
  userId: string,
  kind: AgencyLookKind,
  of: { partnerId: string; firstId: string; lastId: string },
): Promise<void> {
  await runStatement(tx, {
    name: 'audit_record_agency_look',
    text: `insert into agency_look (partner_id, user_id, user_name, is_staff, kind, first_id, last_id, day)
      values ($1, $2, ${userName('$2')}, is_staff($2), $3, $4, $5, current_date)
      on conflict (partner_id, user_id, kind, day) do update
        set first_id = least(agency_look.first_id, excluded.first_id), last_id = greatest(agency_look.last_id, excluded.last_id)
        where excluded.kind in ('runs', 'run_exports') and (excluded.first_id < agency_look.first_id or excluded.last_id > agency_look.last_id)`,
    values: [of.partnerId, userId, kind, of.firstId, of.lastId],
  });
}

const BATCH = 5_000;

/** Deletes looks that are older than ACCESS_LOG_DAYS, at most BATCH of each kind. Returns whether there may be more. */
export async function deleteOldLooks(tx: SystemTx): Promise<boolean> {
  const ofClients = await runStatement<'audit_forget_looks', { id: string }>(tx, {
    name: 'audit_forget_looks',
    text: `delete from client_look where id in (select l.id from client_look l where l.at < now() - make_interval(days => $1) order by l.at limit $2) returning id`,
    values: [ACCESS_LOG_DAYS, BATCH],
  });
  const ofAgencies = await runStatement<'audit_forget_agency_looks', { id: string }>(tx, {
    name: 'audit_forget_agency_looks',
    text: `delete from agency_look where id in (select l.id from agency_look l where l.at < now() - make_interval(days => $1) order by l.at limit $2) returning id`,
    values: [ACCESS_LOG_DAYS, BATCH],
  });
  return ofClients.length === BATCH || ofAgencies.length === BATCH;
}
