import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** Returns the file of the stored PDF. */
export async function findDocument(tx: Tx, invoiceId: string): Promise<string | null> {
  const [row] = await runStatement<'billing_find_document', { fileId: string }>(tx, {
    name: 'billing_find_document',
    text: 'select file_id from invoice_document where invoice_id = $1',
    values: [invoiceId],
  });
  return row?.fileId ?? null;
}

/** Stores which file is the PDF, unless another process was first. Returns the one that is stored. */
export async function storeDocument(tx: SystemTx, document: { invoiceId: string; partnerId: string; fileId: string }): Promise<string> {
  await runStatement(tx, {
    name: 'billing_store_document',
    text: 'insert into invoice_document (invoice_id, partner_id, file_id) values ($1, $2, $3) on conflict (invoice_id) do nothing',
    values: [document.invoiceId, document.partnerId, document.fileId],
  });
  const stored = await findDocument(tx, document.invoiceId);
  if (!stored) throw new Error('A document that was just stored is missing.');
  return stored;
}

/** Returns issued invoices and credit notes whose mail was not queued by `before` and that have someone to be mailed to. */
export async function listUnmailed(tx: SystemTx, before: Date, limit: number): Promise<string[]> {
  const rows = await runStatement<'billing_list_unmailed', { id: string }>(tx, {
    name: 'billing_list_unmailed',
    prepare: false,
    text: `select i.id from invoice i where i.mailed_at is null and i.status in ('issued', 'paid') and i.issued_at < $1
        and (i.buyer->>'email' is not null
          or exists (select 1 from app_user u where u.partner_id = i.partner_id and u.partner_role = 'admin' and u.status = 'active'))
      order by i.issued_at limit $2`,
    values: [before, limit],
  });
  return rows.map((row) => row.id);
}

/** Locks an invoice until the commit; false when its mail was queued before, or when it is void by now. */
export async function lockUnmailed(tx: SystemTx, invoiceId: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'billing_lock_unmailed',
    prepare: false,
    text: `select 1 as locked from invoice where id = $1 and mailed_at is null and status in ('issued', 'paid') for no key update`,
    values: [invoiceId],
  });
  return rows.length > 0;
}

/** Mail of the document of invoice `i`, or a reminder of it, that was sent, or may have been: a try whose outcome is unknown. */
const SENT_ABOUT = `m.partner_id = i.partner_id and (m.attachment_invoice_id = i.id or m.dedupe_key ^@ ('invoice_reminder:' || i.id))
  and (m.status = 'sent' or m.interrupted > 0)`;

/** Returns whether someone has the mail of an invoice or a reminder. Rows of mail are deleted after 30 days: without one of the document, that was sent. */
export async function wasMailed(tx: SystemTx, invoiceId: string): Promise<boolean> {
  const [row] = await runStatement<'billing_was_mailed', { mailed: boolean }>(tx, {
    name: 'billing_was_mailed',
    prepare: false,
    text: `select exists (select from mail m where ${SENT_ABOUT})
        or (i.mailed_at is not null and not exists (select from mail m where m.attachment_invoice_id = i.id)) as mailed
      from invoice i where i.id = $1`,
    values: [invoiceId],
  });
  return row?.mailed ?? false;
}

/** Returns who has the mail of an invoice or a reminder: active users, where they read mail now, and billing addresses. A removed user's has no key. */
export async function listReaders(tx: SystemTx, invoiceId: string): Promise<{ to: string; userId: string | null }[]> {
  return runStatement<'billing_list_readers', { to: string; userId: string | null }>(tx, {
    name: 'billing_list_readers',
    prepare: false,
    text: `select distinct coalesce(u.email, m.to_address) as "to", u.id as user_id
      from invoice i join mail m on ${SENT_ABOUT} left join app_user u on u.id = m.user_id
      where i.id = $1 and m.dedupe_key is not null and (m.user_id is null or u.status = 'active') order by 1`,
    values: [invoiceId],
  });
}

/** Marks the mail as queued. */
export async function markMailed(tx: SystemTx, invoiceId: string, now: Date): Promise<void> {
  await runStatement(tx, {
    name: 'billing_mark_mailed',
    prepare: false,
    text: 'update invoice set mailed_at = $2 where id = $1',
    values: [invoiceId, now],
  });
}

/** Counts the mail of a document, or a reminder, as not sent, unless someone else has it or will get it. */
export async function unmarkMailed(tx: SystemTx, lost: { invoiceId: string; reminder: number | null; key: string }): Promise<void> {
  await runStatement(tx, {
    name: 'billing_unmark_mailed',
    prepare: false,
    text: `update invoice i set mailed_at = case when $2::int is not null then i.mailed_at end, reminders_sent = coalesce($2::int - 1, i.reminders_sent)
      where i.id = $1 and case when $2::int is null then i.status in ('issued', 'paid') else i.status = 'issued' and i.reminders_sent = $2::int end
        and not exists (select from mail m where m.partner_id = i.partner_id and m.dedupe_key = $3 and m.status <> 'cancelled')`,
    values: [lost.invoiceId, lost.reminder, lost.key],
  });
}
