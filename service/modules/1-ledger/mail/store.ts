import type { MailKind } from '@partner-portal/contract/vocabulary.ts';
import type { MailState } from '@partner-portal/core/mail/mail.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import type { Brand } from './compose/compose-mail.ts';

/** The face a mail wears. The house partner's own name is an inner word: people outside know the platform as the portal. */
export async function readBrand(tx: Tx, partnerId: string): Promise<Omit<Brand, 'baseUrl'> | undefined> {
  const [row] = await runStatement<Omit<Brand, 'baseUrl'>>(tx, {
    name: 'mail_brand',
    text: `select case when is_house then 'Partner Portal' else name end as name, logo_url, brand_color, support_email, timezone from partner where id = $1`,
    values: [partnerId],
  });
  return row;
}

/** The agency's active admins. Needs the agency's or the system's transaction: a client's user sees no colleague of the agency. */
export async function listAdmins(tx: Tx, partnerId: string): Promise<{ id: string; email: string }[]> {
  return runStatement(tx, {
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
  to: string;
  kind: MailKind;
  subject: string;
  status: 'queued' | 'not_configured';
  sealed: Buffer;
  keyId: string;
  bodyUntil: Date;
  dedupeKey: string | null;
};

/** False when the same fact was mailed to this address before. */
export async function insertMail(tx: Tx, mail: MailInsert): Promise<boolean> {
  const [row] = await runStatement<{ isNew: boolean }>(tx, {
    name: 'mail_queue',
    text: 'select queue_mail($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as is_new',
    values: [
      mail.id,
      mail.partnerId,
      mail.userId,
      mail.invitationId,
      mail.to,
      mail.kind,
      mail.subject,
      mail.status,
      mail.sealed,
      mail.keyId,
      mail.bodyUntil,
      mail.dedupeKey,
    ],
  });
  return row?.isNew ?? false;
}

/** Takes back what was not sent yet about an invitation. */
export async function cancelMail(tx: Tx, about: { partnerId: string; invitationId: string }): Promise<void> {
  await runStatement(tx, { text: 'select cancel_mail($1, $2)', values: [about.partnerId, about.invitationId] });
}

export type DueMail = {
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
};

const CLAIMED = `m.id, m.partner_id, m.invitation_id, m.to_address as "to", m.kind, m.body_sealed as sealed, m.body_key_id as key_id, m.body_until,
  m.sending_since, m.attempts, m.interrupted, m.away_count`;

/**
 * Takes mails that are due for one try each. The claim is written down before the try, so a process that dies while sending
 * leaves a trace: whoever claims the row again counts an interruption.
 */
export async function claimDue(tx: SystemTx, { now, until, limit }: { now: Date; until: Date; limit: number }): Promise<DueMail[]> {
  return runStatement<DueMail>(tx, {
    name: 'mail_claim',
    text: `update mail m set due_at = $2, interrupted = m.interrupted + (m.sending_since is not null)::int, sending_since = clock_timestamp()
      where m.id in (select id from mail where due_at <= $1 order by due_at limit $3 for update skip locked) returning ${CLAIMED}`,
    values: [now, until, limit],
  });
}

/** Writes down how a try ended; false when the mail was taken back meanwhile. A failed mail keeps its body until `body_until`, so that it can be tried again. */
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

/** No server answers: what is due and not in anybody's hands waits together with the one that found out. */
export async function postponeDue(tx: SystemTx, now: Date, until: Date): Promise<void> {
  await runStatement(tx, {
    // Several are locked by their ids, as by whoever seals them anew.
    text: `with held as materialized (select id from mail where due_at <= $1 and sending_since is null order by id for no key update)
      update mail m set due_at = $2 from held h where m.id = h.id`,
    values: [now, until],
  });
}

/** The transport was taken out of the configuration: what waits for it becomes readable to staff instead. */
export async function markNotConfigured(tx: SystemTx): Promise<{ invitationId: string | null }[]> {
  return runStatement(tx, {
    text: `update mail set status = 'not_configured', due_at = null, sending_since = null where status = 'queued' returning invitation_id`,
  });
}
