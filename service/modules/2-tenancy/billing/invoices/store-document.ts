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

/** Returns issued invoices and credit notes whose mail was not queued by `before`. */
export async function listUnmailed(tx: SystemTx, before: Date, limit: number): Promise<string[]> {
  const rows = await runStatement<'billing_list_unmailed', { id: string }>(tx, {
    name: 'billing_list_unmailed',
    prepare: false,
    text: `select id from invoice where mailed_at is null and status in ('issued', 'paid') and issued_at < $1 order by issued_at limit $2`,
    values: [before, limit],
  });
  return rows.map((row) => row.id);
}

/** Marks the mail as queued; false when it was before, or when the invoice is void by now. */
export async function markMailed(tx: SystemTx, invoiceId: string, now: Date): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'billing_mark_mailed',
    prepare: false,
    text: `update invoice set mailed_at = $2 where id = $1 and mailed_at is null and status in ('issued', 'paid') returning id`,
    values: [invoiceId, now],
  });
  return rows.length > 0;
}
