import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import type { MailHold, MailKind } from '@partner-portal/contract/vocabulary.ts';
import type { MailState } from '@partner-portal/core/mail/mail.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';
import type { Brand } from './compose/compose-mail.ts';
import type { Attachment } from './compose/kinds.ts';

/** The branding as stored. */
export type StoredBrand = Omit<Brand, 'baseUrl' | 'mainBaseUrl' | 'viaDomain'> & { isHouse: boolean; readerLocale: string | null };

/** Whether the address has an account, and whether mail to strangers waits for staff to look at a name. */
export type ReaderFacts = { hasAccount: boolean; nameWaits: boolean };

/** Returns the branding of a partner's mail with its data key, and the language of the reader where the address is that of a client's user. The house partner's name is internal, so its mail names the product. */
export async function readBrand(
  tx: Tx,
  partnerId: string,
  to: string,
  clientId: string | null,
): Promise<(StoredBrand & ReaderFacts & DataKeyRow) | undefined> {
  const [row] = await runStatement<'mail_brand', StoredBrand & ReaderFacts & DataKeyRow>(tx, {
    name: 'mail_brand',
    text: `select p.name, p.logo_url, p.brand_color, p.support_email, p.timezone, p.is_house,
        u.locale as reader_locale, email_has_user($2) as has_account, name_waits(p.id, $3::uuid) as name_waits, ${DATA_KEY}
      from partner p left join partner_data_key k on k.partner_id = p.id left join app_user u on u.email = lower($2) and u.role = 'CLIENT' where p.id = $1`,
    values: [partnerId, to, clientId],
  });
  return row?.isHouse ? { ...row, name: PRODUCT_NAME } : row;
}

/** Returns the partner's active admins. Needs a partner's or the system's transaction: a client's user cannot see them. */
export async function listAdmins(tx: Tx, partnerId: string): Promise<{ id: string; email: string }[]> {
  return runStatement<'mail_admins', { id: string; email: string }>(tx, {
    name: 'mail_admins',
    text: `select id, email from app_user where partner_id = $1 and role = 'PARTNER' and partner_role = 'admin' and status = 'active' order by id`,
    values: [partnerId],
  });
}

export type MailInsert = {
  id: string;
  partnerId: string;
  userId: string | null;
  invitationId: string | null;
  about: { partnerId: string; clientId: string | null };
  to: string;
  kind: MailKind;
  subject: string;
  status: 'queued' | 'held' | 'not_configured';
  hold: MailHold | null;
  sealed: Buffer;
  keyId: string;
  bodyUntil: Date;
  dedupeKey: string | null;
  attachment: Attachment | null;
};

/** Returns false when the deduplication key was mailed to this address before. */
export async function insertMail(tx: Tx, mail: MailInsert): Promise<boolean> {
  const [row] = await runStatement<'mail_queue', { isNew: boolean }>(tx, {
    name: 'mail_queue',
    text: 'select queue_mail($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) as is_new',
    values: [
      mail.id,
      mail.partnerId,
      mail.userId,
      mail.invitationId,
      mail.to,
      mail.kind,
      mail.subject,
      mail.status,
      mail.hold,
      mail.sealed,
      mail.keyId,
      mail.bodyUntil,
      mail.dedupeKey,
      mail.attachment?.invoiceId ?? null,
      mail.attachment?.name ?? null,
      mail.attachment?.bytes ?? null,
      mail.about.partnerId,
      mail.about.clientId,
    ],
  });
  return row?.isNew ?? false;
}

/** Cancels unsent mail about an invitation. */
export async function cancelMail(tx: Tx, about: { partnerId: string; invitationId: string }): Promise<void> {
  await runStatement(tx, {
    name: 'mail_cancel_mail',
    prepare: false,
    text: 'select cancel_mail($1, $2)',
    values: [about.partnerId, about.invitationId],
  });
}

export type DueMail = DataKeyRow & {
  id: string;
  partnerId: string;
  invitationId: string | null;
  to: string;
  kind: string;
  sealed: Buffer | null;
  keyId: string | null;
  bodyUntil: Date;
  sendingSince: Date;
  attempts: number;
  interrupted: number;
  awayCount: number;
  attachmentInvoiceId: string | null;
  attachmentName: string | null;
  attachmentBytes: number | null;
};

const CLAIMED = `m.id, m.partner_id, m.invitation_id, m.to_address as "to", m.kind, m.body_sealed as sealed, m.body_key_id as key_id, m.body_until,
  m.sending_since, m.attempts, m.interrupted, m.away_count, m.attachment_invoice_id, m.attachment_name, m.attachment_bytes`;

/** `LASTS` is false of a mail whose link ends within a day. The index `mail_due_of` repeats it. */
const LASTS = `(y.body_until - y.created_at > interval '1 day')`;

/**
 * Claims due mail for one attempt each, by turns between agencies: those behind `after` first, one mail of each before the second of any. Within a turn,
 * mail whose link ends soon is first. A large backlog is not sorted: of each agency `limit` mails are read from the index. The claim is stored before the
 * attempt, so the next claim of a row whose process died counts an interruption. In the order of the turns, with the data keys of the bodies.
 */
export async function claimDue(
  tx: SystemTx,
  { now, until, limit, after }: { now: Date; until: Date; limit: number; after: string | null },
): Promise<DueMail[]> {
  return runStatement<'mail_claim', DueMail>(tx, {
    name: 'mail_claim',
    text: `with recursive waiting as (
        (select w.partner_id from mail w where w.due_at is not null order by w.partner_id limit 1)
        union all
        (select (select w.partner_id from mail w where w.due_at is not null and w.partner_id > l.partner_id order by w.partner_id limit 1)
         from waiting l where l.partner_id is not null)
      ), ranked as (
        select d.id, d.turn, d.lasts, l.partner_id from waiting l cross join lateral (
          select x.id, x.lasts, row_number() over (order by x.lasts, x.due_at, x.id) as turn from (
            select y.id, y.due_at, ${LASTS} as lasts from mail y where y.partner_id = l.partner_id and y.due_at <= $1
            order by ${LASTS}, y.due_at limit $3) x) d
        where l.partner_id is not null
      ), placed as materialized (
        select r.id, row_number() over (order by r.turn, r.lasts, (r.partner_id <= coalesce($4::uuid, '00000000-0000-0000-0000-000000000000')), r.partner_id) as place from ranked r
        order by place limit $3
      ), chosen as (
        select c.id from mail c where c.id in (select p.id from placed p) and c.due_at <= $1 for update skip locked
      ), m as (
        update mail m set due_at = $2, interrupted = m.interrupted + (m.sending_since is not null)::int, sending_since = clock_timestamp()
        from chosen c where m.id = c.id returning m.*
      )
      select ${CLAIMED}, ${DATA_KEY} from m join placed p on p.id = m.id left join partner_data_key k on k.partner_id = m.partner_id order by p.place`,
    values: [now, until, limit, after],
  });
}

/** Records the result of an attempt; false when the mail was cancelled meanwhile. Failed mail keeps its body until `body_until`, so it can be sent again. */
export async function settle(tx: SystemTx, claim: Pick<DueMail, 'id' | 'sendingSince'>, result: MailState): Promise<boolean> {
  const ended = result.status === 'queued' ? null : result;
  const waits = result.status === 'queued' ? result : null;
  const rows = await runStatement(tx, {
    name: 'mail_settle',
    text: `update mail set status = $3, due_at = $4, sending_since = null, sent_at = $5, last_error = $6, last_answer = $7,
        attempts = coalesce($8, attempts + 1), interrupted = coalesce($9, interrupted), away_count = coalesce($10, away_count),
        body_sealed = case when $3 = 'sent' then null else body_sealed end, body_key_id = case when $3 = 'sent' then null else body_key_id end
      where id = $1 and status = 'queued' and sending_since = $2 returning id`,
    values: [
      claim.id,
      claim.sendingSince,
      result.status,
      waits?.dueAt ?? null,
      ended?.status === 'sent' ? ended.at : null,
      result.status === 'sent' ? null : result.error,
      result.status === 'sent' ? null : result.answer,
      waits?.attempts ?? null,
      waits?.interrupted ?? null,
      waits?.awayCount ?? null,
    ],
  });
  return rows.length > 0;
}

/** Postpones all due, unclaimed mail while the server is unavailable. */
export async function postponeDue(tx: SystemTx, now: Date, until: Date): Promise<void> {
  await runStatement(tx, {
    name: 'mail_postpone_due',
    prepare: false, // Locked in id order, as rewrapping does, to avoid deadlocks.
    text: `with held as materialized (select id from mail where due_at <= $1 and sending_since is null order by id for no key update)
      update mail m set due_at = $2 from held h where m.id = h.id`,
    values: [now, until],
  });
}

/** Marks queued mail after the transport was removed from the configuration; staff can then read it. */
export async function markNotConfigured(tx: SystemTx): Promise<{ invitationId: string | null }[]> {
  return runStatement(tx, {
    name: 'mail_mark_not_configured',
    prepare: false,
    text: `update mail set status = 'not_configured', due_at = null, sending_since = null where status = 'queued' returning invitation_id`,
  });
}

/** Returns the file of an invoice's document. */
export async function findDocumentFile(tx: SystemTx, invoiceId: string): Promise<string> {
  const [row] = await runStatement<'mail_find_document', { fileId: string }>(tx, {
    name: 'mail_find_document',
    text: 'select file_id from invoice_document where invoice_id = $1',
    values: [invoiceId],
  });
  if (!row) throw new Error(`The document of invoice ${invoiceId} is missing.`);
  return row.fileId;
}

/**
 * Queues held mail of one kind to an address, or of an agency all that carries only names which staff have approved by now. Returns what was queued.
 */
export async function releaseHeld(
  tx: SystemTx,
  held: { partnerId: string; to: string; kind: MailKind } | { partnerId: string; to: null; kind: null },
  now: Date,
): Promise<{ id: string; invitationId: string | null }[]> {
  return runStatement<'mail_release_held', { id: string; invitationId: string | null }>(tx, {
    name: 'mail_release_held',
    prepare: false,
    text: `update mail m set status = 'queued', due_at = $4 where m.partner_id = $1 and m.status = 'held' and m.body_until > $4
        and case when $2::text is not null then m.to_address = $2 and m.kind = $3
          else m.held_for = 'name' and not name_waits(m.partner_id, m.about_client_id) and not exists (select from unnest(m.held_names) h(name)
            where not exists (select from name_review n where n.partner_id = m.partner_id and n.status = 'approved' and n.name = h.name
              and (n.client_id is null or n.client_id = m.about_client_id))) end
      returning m.id, m.invitation_id`,
    values: [held.partnerId, held.to, held.kind, now],
  });
}

/** Cancels held mail of one kind to an address, which something newer replaces. */
export async function cancelHeld(tx: SystemTx, held: { partnerId: string; to: string; kind: MailKind }): Promise<void> {
  await runStatement(tx, {
    name: 'mail_cancel_held',
    prepare: false,
    text: `update mail set status = 'cancelled', body_sealed = null, body_key_id = null where partner_id = $1 and to_address = $2 and kind = $3 and status = 'held'`,
    values: [held.partnerId, held.to, held.kind],
  });
}

export type CancelKeyed = (
  tx: SystemTx,
  mail: { partnerId: string; prefixes: readonly string[]; userId?: string; until?: Date },
) => Promise<void>;

/**
 * Cancels unsent mail of a partner whose deduplication key begins with one of these; with `userId` that of a user, with `until` what was queued by then.
 * A try that is under way may succeed, and counts as one with unknown outcome.
 */
export const cancelKeyed: CancelKeyed = async (tx, { partnerId, prefixes, userId, until }) => {
  await runStatement(tx, {
    name: 'mail_cancel_keyed',
    prepare: false, // Locked in id order, as rewrapping does, to avoid deadlocks.
    text: `with unsent as materialized (
        select id from mail where partner_id = $1 and dedupe_key ^@ any ($2::text[]) and status in ('queued', 'held', 'failed', 'not_configured')
          and ($3::uuid is null or user_id = $3) and ($4::timestamptz is null or created_at <= $4)
        order by id for no key update
      )
      update mail m set status = 'cancelled', due_at = null, interrupted = m.interrupted + (m.sending_since is not null)::int, sending_since = null,
        body_sealed = null, body_key_id = null from unsent u where m.id = u.id`,
    values: [partnerId, prefixes, userId ?? null, until ?? null],
  });
};

/** Returns the host that the clients of an agency use, or that this user does; null: that of the portal. */
export async function findPortalHost(tx: Tx, partnerId: string, userId: string | null): Promise<string | null> {
  const [row] = await runStatement<'mail_portal_host', { host: string | null }>(tx, {
    name: 'mail_portal_host',
    text: 'select portal_host_of($1, $2) as host',
    values: [partnerId, userId],
  });
  return row?.host || null;
}

/** Returns the reason that staff gave for the suspension. */
export async function readSuspensionReason(tx: SystemTx, partnerId: string): Promise<string | null> {
  const [row] = await runStatement<'mail_read_reason', { reason: string | null }>(tx, {
    name: 'mail_read_reason',
    prepare: false,
    text: 'select suspension_reason as reason from partner where id = $1',
    values: [partnerId],
  });
  return row?.reason ?? null;
}
