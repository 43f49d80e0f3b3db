import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';

export type MailRow = {
  id: string;
  partnerId: string;
  partnerName: string;
  invitationId: string | null;
  to: string;
  kind: string;
  subject: string;
  status: string;
  heldFor: string | null;
  attempts: number;
  lastError: string | null;
  lastAnswer: string | null;
  nextTryAt: Date | null;
  createdAt: Date;
  sentAt: Date | null;
  bodyUntil: Date;
  hasBody: boolean;
  attachmentInvoiceId: string | null;
  attachmentName: string | null;
  attachmentBytes: number | null;
};

const ROW = `m.id, m.partner_id, p.name as partner_name, m.invitation_id, m.to_address as "to", m.kind, m.subject, m.status, m.held_for, m.attempts, m.last_error,
  m.last_answer, m.due_at as next_try_at, m.created_at, m.sent_at, m.body_until, m.body_sealed is not null as has_body,
  m.attachment_invoice_id, m.attachment_name, m.attachment_bytes`;

export type MailFilters = { kind?: string | undefined; status?: string | undefined; partnerId?: string | undefined };

/** Returns one page across partners, newest first. */
export async function listMailRows(tx: SystemTx, filters: MailFilters, before: string | null, limit: number): Promise<MailRow[]> {
  return runStatement<'mail_list_mail_rows', MailRow>(tx, {
    name: 'mail_list_mail_rows',
    prepare: false,
    text: `select ${ROW} from mail m join partner p on p.id = m.partner_id
      where ($1::text is null or m.kind = $1) and ($2::text is null or m.status = $2) and ($3::uuid is null or m.partner_id = $3)
        and ($4::uuid is null or m.id < $4)
      order by m.id desc limit $5`,
    values: [filters.kind ?? null, filters.status ?? null, filters.partnerId ?? null, before, limit],
  });
}

/** A mail with its sealed body, the data key that opens it, and the client it names or goes to. */
export type StoredMail = MailRow & DataKeyRow & { sealed: Buffer | null; keyId: string | null; clientId: string | null };

/** The client whose purge deletes the mail (schema/tenant-tables.ts). */
const CLIENT = `coalesce(m.about_client_id, (select u.client_id from app_user u where u.partner_id = m.partner_id and u.email = m.to_address),
  (select i.client_id from invitation i where i.id = m.invitation_id),
  (select i.client_id from invitation i where i.partner_id = m.partner_id and i.email = m.to_address and i.client_id is not null
    and not exists (select from app_user u where u.partner_id = m.partner_id and u.email = m.to_address) limit 1))`;

export async function findMail(tx: SystemTx, id: string): Promise<StoredMail | undefined> {
  const [row] = await runStatement<'mail_find_mail', StoredMail>(tx, {
    name: 'mail_find_mail',
    prepare: false,
    text: `select ${ROW}, m.body_sealed as sealed, m.body_key_id as key_id, ${CLIENT} as client_id, ${DATA_KEY} from mail m join partner p on p.id = m.partner_id
      left join partner_data_key k on k.partner_id = m.partner_id where m.id = $1`,
    values: [id],
  });
  return row;
}

export type MailCounts = { queued: number; failed: number; notConfigured: number; sent24h: number; oldestQueuedAt: Date | null };

/** Counts stored mail by status. */
export async function countMail(tx: SystemTx): Promise<MailCounts> {
  const [row] = await runStatement<'mail_count_mail', MailCounts>(tx, {
    name: 'mail_count_mail',
    prepare: false,
    text: `select count(*) filter (where status = 'queued')::int as queued, count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'not_configured')::int as not_configured,
      (select count(*)::int from mail where status = 'sent' and sent_at > now() - interval '24 hours') as "sent24h",
      min(created_at) filter (where status = 'queued') as oldest_queued_at from mail where status <> 'sent'`,
  });
  return row ?? { queued: 0, failed: 0, notConfigured: 0, sent24h: 0, oldestQueuedAt: null };
}

/** Queues a mail again with all its attempts, or one that was held; false when it cannot be sent. */
export async function requeue(tx: SystemTx, id: string, now: Date): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'mail_requeue',
    prepare: false,
    text: `update mail set status = 'queued', due_at = $2, sending_since = null, attempts = 0, interrupted = 0, away_count = 0, last_error = null,
        last_answer = null
      where id = $1 and status in ('held', 'failed', 'not_configured') and body_sealed is not null and body_until > $2 returning id`,
    values: [id, now],
  });
  return rows.length > 0;
}
