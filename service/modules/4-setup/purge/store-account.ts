import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { Account } from './deps.ts';

const MAIL_BATCH = 1_000;

/** Deletes mail of the agency that waits to be sent; a sender at work finds it gone when it has finished. */
export async function endQueuedMail(tx: SystemTx, { partnerId, clientId }: Account): Promise<number> {
  if (clientId !== null) return 0;
  const rows = await runStatement(tx, {
    name: 'purge_end_mail',
    text: `delete from mail where id in (select m.id from mail m where m.partner_id = $1 and m.due_at is not null limit $2) returning 1`,
    values: [partnerId, MAIL_BATCH],
  });
  return rows.length;
}

/** Marks events whose reactions are still due as done. Waits for a reaction at work: what it writes is deleted afterwards. */
export async function settleEvents(tx: SystemTx, { partnerId, clientId }: Account, batch: number): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'purge_settle_events',
    text: `update event set due_at = null where id = any (array(
        select e.id from event e where e.partner_id = $1 and e.due_at is not null and ($2::uuid is null or e.client_id = $2) limit $3)) returning 1`,
    values: [partnerId, clientId, batch],
  });
  return rows.length;
}

/** Empties references between tables that refer to each other; names come from the catalog. */
export async function clearReference(
  tx: SystemTx,
  { partnerId, clientId }: Account,
  cut: { table: string; columns: readonly string[] },
): Promise<void> {
  await runStatement(tx, {
    name: 'purge_clear_reference',
    text: 'select purge_clear_reference($1, $2, $3, $4)',
    values: [cut.table, [...cut.columns], partnerId, clientId],
  });
}

/** Files of the account; the documents of an agency's issued invoices stay. */
export async function listFiles(tx: SystemTx, { partnerId, clientId }: Account, batch: number): Promise<string[]> {
  const rows = await runStatement<'purge_files', { id: string }>(tx, {
    name: 'purge_files',
    text: `select id from file where partner_id = $1 and ($2::uuid is null or client_id = $2) and ($2::uuid is not null or purpose <> 'invoice') order by id limit $3`,
    values: [partnerId, clientId, batch],
  });
  return rows.map((row) => row.id);
}

/** Names of the account in the log of staff. Names that a tenant chose for its clients are not among them: they could be any word. */
export type Names = {
  /** The agency's name; empty for a client. */
  applicant: string;
  addresses: string[];
  /** Ids of its people, and of the applications it came from. */
  ids: string[];
};

export async function readNames(tx: SystemTx, { partnerId, clientId }: Account): Promise<Names> {
  const [row] = await runStatement<'purge_names', Names>(tx, {
    name: 'purge_names',
    prepare: false,
    text: `select coalesce((select name from partner where id = $1 and $2::uuid is null), '') as applicant,
        array(select email from app_user where partner_id = $1 and ($2::uuid is null or client_id = $2)) as addresses,
        array(select id::text from app_user where partner_id = $1 and ($2::uuid is null or client_id = $2)
          union all select id::text from plan_request where $2::uuid is null and (result_partner_id = $1 or (partner_id is null
            and applicant_email in (select email from app_user where partner_id = $1)))) as ids`,
    values: [partnerId, clientId],
  });
  return row ?? { applicant: '', addresses: [], ids: [] };
}

/**
 * Clears names of the account from entries in the log of staff, a window at a time: entries about it or its people, by their ids and addresses,
 * and refused applications, which have the agency's name alone. Returns the last entry of the window, or null after the newest.
 */
export async function clearStaffEntries(
  tx: SystemTx,
  { partnerId, clientId }: Account,
  names: Names,
  after: string | null,
  batch: number,
): Promise<string | null> {
  const [row] = await runStatement<'purge_clear_staff_entries', { last: string | null; seen: number }>(tx, {
    name: 'purge_clear_staff_entries',
    prepare: false,
    text: `with looked as materialized (
        select a.id, a.action, a.target_id, a.target_label, a.changes, a.actor_email, a.actor_type from audit_entry a
        where a.partner_id = (select p.id from partner p where p.is_house) and ($3::uuid is null or a.id > $3) order by a.id limit $4
      ), known as (select $6::text[] || $7::text[] || coalesce($2::uuid, $1::uuid)::text as texts
      ), cleared as (
        update audit_entry a set target_label = null, changes = '{}', actor_email = case when l.actor_type = 'staff' then l.actor_email end
        from looked l, known k where a.id = l.id and (l.target_id = any (k.texts) or l.target_label = any ($6::text[])
          or (l.action = 'plan_request.submitted' and l.target_id is null and l.target_label = nullif($5, ''))
          or (l.actor_type <> 'staff' and l.actor_email = any ($6::text[]))
          or jsonb_path_exists(l.changes, '$.** ? (@.type() == "string")') and exists (
            select from jsonb_path_query(l.changes, '$.** ? (@.type() == "string")') v where v #>> '{}' = any (k.texts)))
        returning 1
      )
      select (select l.id from looked l order by l.id desc limit 1) as last, (select count(*)::int from looked) as seen`,
    values: [partnerId, clientId, after, batch, names.applicant, names.addresses, names.ids],
  });
  return row !== undefined && row.seen === batch ? row.last : null;
}

/** Deletes what names the account or its people in rows of no account, or of staff. Returns how many rows went. */
export async function forgetPeople(tx: SystemTx, { partnerId, clientId }: Account, names: Names): Promise<number> {
  const [row] = await runStatement<'purge_forget_people', { removed: number }>(tx, {
    name: 'purge_forget_people',
    prepare: false,
    text: `with resets as (delete from password_reset_request where email = any ($3) returning 1),
        counters as (delete from rate_limit where regexp_split_to_array(key, '[: ]') && ($3::text[] || $4::text[] || coalesce($2::uuid, $1::uuid)::text) returning 1),
        mails as (delete from mail m where m.partner_id = (select p.id from partner p where p.is_house)
          and (m.to_address = any ($3) or (m.about_partner_id = $1 and ($2::uuid is null or m.about_client_id = $2))
            or (m.kind = 'digest' and m.body_sealed is not null)) returning 1),
        notifications as (delete from notification n where n.about_partner_id = $1 and ($2::uuid is null or n.about_client_id = $2) returning 1),
        applications as (delete from plan_request where $2::uuid is null and (result_partner_id = $1 or (partner_id is null and applicant_email = any ($3))) returning 1)
      select ((select count(*) from resets) + (select count(*) from counters) + (select count(*) from mails) + (select count(*) from notifications) + (select count(*) from applications))::int as removed`,
    values: [partnerId, clientId, names.addresses, names.ids],
  });
  return row?.removed ?? 0;
}

/** Until the commit no export is begun, ended or deleted: one begun later finds the client without its name. */
export async function holdExports(tx: SystemTx): Promise<void> {
  await runStatement(tx, { name: 'purge_hold_exports', text: 'lock table account_export in share row exclusive mode', values: [] });
}

/** Withdraws every begun export of the whole agency, which may hold the client. An export in progress restarts. Returns their files. */
export async function withdrawExports(tx: SystemTx, { partnerId }: Account, now: Date): Promise<string[]> {
  const rows = await runStatement<'purge_withdraw_exports'>(tx, {
    name: 'purge_withdraw_exports',
    prepare: false,
    text: `with held as materialized (
        select e.id, e.file_id, e.status from account_export e
        where e.partner_id = $1 and e.client_id is null and e.status in ('running', 'ready') for no key update
      ), withdrawn as (
        update account_export e set status = case when h.status = 'running' then 'pending' else 'expired' end, claimed_by = null, lease_until = null,
          file_id = null, percent = case when h.status = 'running' then 0 else e.percent end, due_at = $2, updated_at = $2
        from held h where e.id = h.id)
      select file_id from held where file_id is not null`,
    values: [partnerId, now],
  });
  return rows.flatMap(({ fileId }) => fileId ?? []);
}

/**
 * Clears what setups of the whole agency wrote about a client, found by its id; that they took place stays. The error of the instance is that of
 * its last attempt, which may be one for the client alone.
 */
export async function clearSetups(tx: SystemTx, { partnerId, clientId }: Account): Promise<void> {
  await runStatement(tx, {
    name: 'purge_clear_setups',
    text: `with about as materialized (
        select s.attempt_id, s."order" from provisioning_step s where s.partner_id = $1 and position($2::uuid::text in concat_ws(' ', s.metadata::text, s.error)) > 0
      ), steps as (
        update provisioning_step s set summary = null, warnings = '{}', error = null, error_public = null, metadata = '{}'
        from about a where s.attempt_id = a.attempt_id and s."order" = a."order"
      ), attempts as (
        update provisioning_attempt a set error = null where a.partner_id = $1 and a.id in (select attempt_id from about)
      ), rolled_out as (
        update rollout_partner r set message = null where r.partner_id = $1 and r.attempt_id in (select attempt_id from about)
      )
      update automation_instance i set last_error = null where i.partner_id = $1 and (i.current_attempt_id in (select attempt_id from about)
        or i.current_attempt_id in (select a.id from provisioning_attempt a where a.partner_id = $1 and a.client_id = $2))`,
    values: [partnerId, clientId],
  });
}

/** Replaces the name of a client in the events about the whole agency that list clients, and in their deliveries. */
export async function clearMentions(tx: SystemTx, { partnerId, clientId }: Account): Promise<void> {
  await runStatement(tx, {
    name: 'purge_clear_events',
    text: `update event e set data = without_client(e.data, $2)
      where e.partner_id = $1 and e.type = 'usage.threshold_crossed' and position($2::uuid::text in e.data::text) > 0`,
    values: [partnerId, clientId],
  });
  await runStatement(tx, {
    name: 'purge_clear_deliveries',
    text: `update delivery d set body = jsonb_set(d.body::jsonb, '{data}', without_client(d.body::jsonb->'data', $2))::text
      where d.partner_id = $1 and d.event_type = 'usage.threshold_crossed' and position($2::uuid::text in d.body) > 0`,
    values: [partnerId, clientId],
  });
}

/**
 * Clears the rows of imports that name a client and belong to none: refused ones, which are often corrected and imported later, and those whose
 * client an undo removed. Whole names and addresses are compared, so that a client named by any word takes no other row along.
 */
export async function clearImports(tx: SystemTx, { partnerId, clientId }: Account): Promise<void> {
  await runStatement(tx, {
    name: 'purge_clear_imports',
    text: `with gone as materialized (
        select lower(x) as text from client c, unnest(array[c.name, c.contact_name, c.contact_email, c.phone]) x where c.id = $2 and c.partner_id = $1
      )
      update client_import_row r set name = '', cell = null
      where r.partner_id = $1 and r.client_id is null and (lower(r.name) in (select text from gone) or lower(trim(r.cell)) in (select text from gone))`,
    values: [partnerId, clientId],
  });
}

/** Empties the account's own row but for what makes it a tombstone. */
export async function clearAccount(tx: SystemTx, { partnerId, clientId }: Account): Promise<void> {
  if (clientId === null)
    await runStatement(tx, {
      name: 'purge_clear_partner',
      text: `update partner set name = 'Deleted agency', slug = 'deleted-' || right($1::uuid::text, 12), automation_provider = null, logo_url = null, brand_color = null,
        support_email = null, website = null, timezone = 'UTC', internal_notes = null, suspension_reason = null, logo_media_id = null where id = $1`,
      values: [partnerId],
    });
  else
    await runStatement(tx, {
      name: 'purge_clear_client',
      text: `update client set name = 'Deleted client', contact_name = null, contact_email = null, phone = null, website = null, timezone = 'UTC', locale = 'en', industry = null,
        external_ref = null, notes = null, business_profile = '{}', suspension_reason = null where id = $1`,
      values: [clientId],
    });
}
