import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { makeDue, purgeDeps } from '@partner-portal/tests/harness/purge.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { newId } from '#platform/ids.ts';
import { runPurge } from './run-purge.ts';
import { createTurns, sweepPurges } from './work-through.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.close());

const ISSUED = { issuedAt: new Date(), status: 'issued', seller: '{}', buyer: '{"name": "Acme Agency"}' };

/** An issued invoice that bills an order, a draft, a line and an order that wait, an adjustment. */
async function addBilling(partnerId: string): Promise<void> {
  await service.db.asSystem('seed', async (tx) => {
    const order = { partnerId, kind: 'seats', quantity: 1, unitPriceMinor: 100, amountMinor: 100, currency: 'USD' };
    const [billed, waiting] = [newId(), newId()];
    await tx
      .insertInto('billingOrder')
      .values([
        { id: billed, ...order },
        { id: waiting, ...order },
      ])
      .execute();
    const invoice = { partnerId, currency: 'USD', subtotalMinor: 100, totalMinor: 100 };
    const line = { partnerId, kind: 'seats', description: 'Seat', quantity: 1, unitPriceMinor: 100, amountMinor: 100, currency: 'USD' };
    const [issued, draft] = [newId(), newId()];
    await tx
      .insertInto('invoice')
      .values([
        { id: issued, ...invoice },
        { id: draft, ...invoice },
      ])
      .execute();
    await tx
      .insertInto('invoiceLine')
      .values([
        { ...line, invoiceId: issued, orderId: billed },
        { ...line, invoiceId: draft },
        { ...line, invoiceId: null, orderId: waiting },
      ])
      .execute();
    await tx
      .updateTable('invoice')
      .set({ ...ISSUED, number: `INV-${issued}` })
      .where('id', '=', issued)
      .execute();
    const pdf = { sizeBytes: '4', sha256: Buffer.alloc(32), completedAt: new Date(), chunkBytes: 262_144, contentType: 'application/pdf' };
    const { id: fileId } = await tx
      .insertInto('file')
      .values({ ...pdf, partnerId, purpose: 'invoice' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.insertInto('invoiceDocument').values({ invoiceId: issued, partnerId, fileId }).execute();
    await tx.insertInto('billingAdjustment').values({ partnerId, credits: 5, note: 'a gift' }).execute();
  });
}

const TABLES = ['invoice', 'invoiceLine', 'invoiceDocument', 'billingOrder', 'billingAdjustment'] as const;
const countOf = (partnerId: string) =>
  service.db.asSystem('seed', async (tx) => {
    const counts: number[] = [];
    for (const table of TABLES)
      counts.push((await tx.selectFrom(table).select('partnerId').where('partnerId', '=', partnerId).execute()).length);
    return counts;
  });

it('a purge keeps issued invoices with what they bill, and takes drafts and what no invoice bills', async () => {
  const { partnerId } = service.world;
  await addBilling(partnerId);
  assert.deepEqual(await countOf(partnerId), [2, 3, 1, 2, 1]);
  const requestId = await makeDue(service, partnerId, null);
  const deps = purgeDeps(service);
  await sweepPurges(deps);
  assert.equal(await runPurge(deps, requestId, { signal: new AbortController().signal, turn: createTurns() }), 'completed');
  assert.deepEqual(await countOf(partnerId), [1, 1, 1, 1, 0]);
});

it('no one else deletes an order, an adjustment or an issued invoice, neither of a purged agency nor of another one', async () => {
  const { partnerId, rivalPartnerId } = service.world;
  await addBilling(rivalPartnerId);
  for (const id of [partnerId, rivalPartnerId])
    for (const table of ['billingOrder', 'invoiceLine', 'invoiceDocument', 'invoice'] as const)
      await assert.rejects(
        service.db.asSystem('seed', (tx) => tx.deleteFrom(table).where('partnerId', '=', id).execute()),
        /countered|cannot be/,
        `${table} of ${id}`,
      );
});
