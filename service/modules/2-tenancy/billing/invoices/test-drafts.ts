import type { SystemTx } from '#platform/db/tx.ts';

export type TestLine = { description?: string; quantity?: number; unitPriceMinor?: number; orderId?: string | null };
export type TestDraft = { partnerId: string; currency?: string; lines?: readonly TestLine[] };

/** A draft with its lines, as the end of a period leaves one. */
export async function draft(tx: SystemTx, { partnerId, currency = 'USD', lines = [{}] }: TestDraft): Promise<string> {
  const rows = lines.map(({ description = 'Growth', quantity = 1, unitPriceMinor = 9_900, orderId = null }, position) => ({
    description,
    quantity,
    unitPriceMinor,
    orderId,
    position,
    amountMinor: quantity * unitPriceMinor,
  }));
  const subtotalMinor = rows.reduce((sum, row) => sum + row.amountMinor, 0);
  const { id } = await tx
    .insertInto('invoice')
    .values({ partnerId, currency, subtotalMinor, totalMinor: subtotalMinor })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('invoiceLine')
    .values(rows.map((row) => ({ ...row, partnerId, invoiceId: id, kind: 'plan', currency })))
    .execute();
  return id;
}
