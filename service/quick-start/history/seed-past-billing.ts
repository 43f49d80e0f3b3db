import { periodBoundary } from '@partner-portal/core/billing/period.ts';
import { type Invoicing, issueDraft } from '#modules/2-tenancy/billing/index.ts';
import type { Database } from '../../platform/db/tx.ts';
import { beginEarlier, setBillingAddress } from '../seed-billing.ts';
import type { SeedOptions, Workspace } from '../seed-workspace.ts';

const DAY_MS = 86_400_000;
/** The present period began this long ago, so that its usage is worth a look. */
const DAYS_IN = 11;
const PAID_AFTER_DAYS = 6;

/**
 * Gives the demo agency the invoices of three periods, two paid and one open, and an order of seats and one of credits. The product itself moves through the periods and drafts their
 * invoices; each is issued as of the beginning of its period, and none is mailed.
 */
export async function seedPastBilling(
  { report }: SeedOptions,
  { admin, owner, partnerId }: Workspace,
  db: Database,
  invoicing: Invoicing,
): Promise<void> {
  await setBillingAddress(owner);
  const present = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - DAYS_IN * DAY_MS);
  await beginEarlier(db, partnerId, { start: periodBoundary(present, -2), end: periodBoundary(present, -1) });
  // A purchase in a period that has ended begins the next ones first.
  await owner.buySeats({ body: { quantity: 2 } });
  const [pack] = (await owner.getBilling()).plan.creditPacks;
  if (pack) await owner.buyCredits({ body: { packId: pack.id, quantity: 1 } });
  const { data: drafts } = await admin.listInvoices({ query: { partnerId, status: 'draft' } });
  for (const { id, periodStart } of drafts.toReversed()) {
    const issuedAt = new Date(new Date(periodStart ?? present).getTime() + DAY_MS / 3);
    await db.asSystem('seed', async (tx) => {
      await tx.updateTable('invoice').set({ createdAt: issuedAt }).where('id', '=', id).execute();
      await issueDraft({ invoicing }, tx, id, issuedAt);
      await tx.updateTable('invoice').set({ mailedAt: issuedAt }).where('id', '=', id).execute();
    });
    const paidAt = new Date(issuedAt.getTime() + PAID_AFTER_DAYS * DAY_MS);
    if (issuedAt < present) await admin.payInvoice({ params: { id }, body: { reference: 'Bank transfer', paidAt: paidAt.toISOString() } });
  }
  report('The agency paid two invoices, owes the third, and ordered seats and credits.');
}
