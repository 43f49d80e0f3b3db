import { setTimeout as wait } from 'node:timers/promises';
import type { DemoClient, SeedOptions, Workspace } from './seed-workspace.ts';

/** Long enough to buy something within the period that is about to end. */
const PERIOD_LEFT_MS = 1_500;

/**
 * Gives the demo agency what an established one has: a paid and an open invoice, an order of seats and one of credits. The first period is
 * ended by moving its end, as staff can, so that the second invoice is drafted by the roll-over.
 */
export async function seedBilling({ report }: SeedOptions, { admin, owner, partnerId }: Workspace): Promise<void> {
  await owner.updateBillingSettings({
    body: { billingEmail: 'accounts@northwind.example', address: '400 North Clark Street\nChicago, IL 60654', country: 'US' },
  });
  const first = await issueDraft(admin, partnerId);
  if (first) await admin.payInvoice({ params: { id: first }, body: { reference: 'Bank transfer' } });
  await owner.buySeats({ body: { quantity: 2 } });

  const end = Date.now() + PERIOD_LEFT_MS;
  await admin.updateSubscription({ params: { partnerId }, body: { currentPeriodEnd: new Date(end).toISOString() } });
  await wait(end - Date.now() + 1);
  // A purchase in a period that has ended begins the next one first.
  const [pack] = (await owner.getBilling()).plan.creditPacks;
  if (pack) await owner.buyCredits({ body: { packId: pack.id, quantity: 1 } });
  await issueDraft(admin, partnerId);
  report('The agency paid its first invoice, owes the second, and ordered seats and credits.');
}

/** Issues the agency's draft. Returns its id, null when there is none. */
async function issueDraft(admin: DemoClient, partnerId: string): Promise<string | null> {
  const { data } = await admin.listInvoices({ query: { partnerId, status: 'draft' } });
  const [draft] = data;
  if (!draft) return null;
  await admin.issueInvoice({ params: { id: draft.id } });
  return draft.id;
}
