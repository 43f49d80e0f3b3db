import { setTimeout as wait } from 'node:timers/promises';
import { periodBoundary } from '@partner-portal/core/billing/period.ts';
import { runStatement } from '../platform/db/statements.ts';
import type { Database } from '../platform/db/tx.ts';
import type { DemoClient, SeedOptions, Workspace } from './seed-workspace.ts';

/** Long enough to buy something within the period that is about to end. */
const PERIOD_LEFT_MS = 1_500;

/**
 * Gives the demo agency what an established one has: a paid and an open invoice, an order of seats and one of credits. The first period began
 * a month ago and is about to end, so that the second invoice is drafted by the roll-over and is for the next period.
 */
export async function seedBilling({ report }: SeedOptions, { admin, owner, partnerId }: Workspace, db: Database): Promise<void> {
  await setBillingAddress(owner);
  const end = new Date(Date.now() + PERIOD_LEFT_MS);
  await beginEarlier(db, partnerId, { start: periodBoundary(end, -1), end });
  const first = await issueDraft(admin, partnerId);
  if (first) await admin.payInvoice({ params: { id: first }, body: { reference: 'Bank transfer' } });
  await owner.buySeats({ body: { quantity: 2 } });
  await wait(end.getTime() - Date.now() + 1);
  // A purchase in a period that has ended begins the next one first.
  const [pack] = (await owner.getBilling()).plan.creditPacks;
  if (pack) await owner.buyCredits({ body: { packId: pack.id, quantity: 1 } });
  await issueDraft(admin, partnerId);
  report('The agency paid its first invoice, owes the second, and ordered seats and credits.');
}

export async function setBillingAddress(owner: DemoClient): Promise<void> {
  await owner.updateBillingSettings({
    body: { billingEmail: 'accounts@northwind.example', address: '400 North Clark Street\nChicago, IL 60654', country: 'US' },
  });
}

/** Moves the first period, its meter and the draft that charges it into the past: no route begins a period before today. */
export async function beginEarlier(db: Database, partnerId: string, period: { start: Date; end: Date }): Promise<void> {
  await db.asSystem('seed', (tx) =>
    runStatement(tx, {
      name: 'seed_begin_earlier',
      prepare: false,
      text: `with s as (update subscription set current_period_start = $2, current_period_end = $3, period_anchor = $3 where partner_id = $1),
          q as (update partner_quota set period_start = $2, period_end = $3, period_anchor = $3 where partner_id = $1),
          i as (update invoice set period_start = $2, period_end = $3 where partner_id = $1 and status = 'draft')
        update invoice_line set period_start = $2, period_end = $3 where partner_id = $1`,
      values: [partnerId, period.start, period.end],
    }),
  );
}

/** Issues the agency's oldest draft. Returns its id, null when there is none. */
async function issueDraft(admin: DemoClient, partnerId: string): Promise<string | null> {
  const { data } = await admin.listInvoices({ query: { partnerId, status: 'draft' } });
  const draft = data.at(-1);
  if (!draft) return null;
  await admin.issueInvoice({ params: { id: draft.id } });
  return draft.id;
}
