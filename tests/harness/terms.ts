import assert from 'node:assert/strict';
import { shareLeft } from '@partner-portal/core/billing/period.ts';
import { lineAmount } from '@partner-portal/core/billing/money.ts';
import { recurringLines } from '@partner-portal/core/billing/next-invoice.ts';
import { startTestService, type TestReply, type TestService } from './service.ts';
import { addPartner } from './world.ts';
import { auditLog } from '@partner-portal/service/modules/1-ledger/audit/index.ts';
import { clients } from '@partner-portal/service/modules/2-tenancy/clients/index.ts';
import { invitations } from '@partner-portal/service/modules/2-tenancy/invitations/index.ts';
import { partners } from '@partner-portal/service/modules/2-tenancy/partners/index.ts';
import { planRequests } from '@partner-portal/service/modules/2-tenancy/plan-requests/index.ts';
import { plans } from '@partner-portal/service/modules/2-tenancy/plans/index.ts';
import { billing } from '@partner-portal/service/modules/2-tenancy/billing/index.ts';
import { draftInvoice } from '@partner-portal/service/modules/2-tenancy/billing/periods/draft-invoice.ts';
import type { SystemTx } from '@partner-portal/service/platform/db/tx.ts';

export let now = new Date();
export let service: TestService;
let planIds: Record<string, string>;
export let partnerId: string;
export let endTrials: () => Promise<number>;
export let count = 0;

/** Boots the modules that change terms, with a clock that `moveTo` moves. */
export async function startTerms(): Promise<void> {
  service = await startTestService({
    clock: { now: () => now },
    modules: (platform) => {
      const partnerModule = partners(platform);
      ({ endTrials } = partnerModule);
      return [
        auditLog(platform),
        billing(platform),
        partnerModule,
        clients(platform),
        invitations(platform),
        planRequests(platform),
        plans(platform),
      ];
    },
  });
  const rows = await service.db.asSystem('seed', async (tx) => {
    await tx
      .insertInto('plan')
      .values({
        name: 'Euro',
        description: '',
        currency: 'EUR',
        isPublic: false,
        features:
          '{"sso":false,"chatbot":false,"customTemplates":false,"aiPlatformKeys":false,"customDomain":false,"auditRetentionDays":365}',
        includedSeats: 3,
        includedClients: 10,
        monthlyCredits: 1_000,
        monthlyPriceMinor: 100_000,
        seatPriceMinor: 900,
      })
      .execute();
    return tx.selectFrom('plan').select(['id', 'name']).execute();
  });
  planIds = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
}

/** Each test has an agency of its own, five days into its period on Growth, which is charged, and the present as its time. */
export async function newAgency(): Promise<void> {
  now = new Date();
  count += 1;
  partnerId = await service.db.asSystem('seed', async (tx) => {
    const id = await addPartner(tx, { name: `Agency ${count}`, slug: `terms-${count}`, planId: service.world.planId });
    await chargePeriod(tx, id);
    return id;
  });
}

/** Drafts the invoice of a partner's present period, as its begin does. */
export async function chargePeriod(tx: SystemTx, id: string): Promise<void> {
  const subscription = await tx
    .selectFrom('subscription')
    .innerJoin('plan', 'plan.id', 'subscription.planId')
    .select(['currentPeriodStart as start', 'currentPeriodEnd as end', 'plan.name as planName', 'monthlyPriceMinor', 'seatPriceMinor'])
    .select(['plan.currency', 'purchasedSeats'])
    .where('partnerId', '=', id)
    .executeTakeFirstOrThrow();
  const { start, end, currency, planName, monthlyPriceMinor, seatPriceMinor, purchasedSeats } = subscription;
  const recurring = recurringLines({ planName, monthlyPriceMinor, seatPriceMinor, purchasedSeats }, { start, end });
  await draftInvoice(tx, { partnerId: id, currency, period: { start, end }, recurring, now: start });
}

export function moveTo(time: Date): void {
  now = time;
}

export function useAgency(id: string): void {
  partnerId = id;
}

export const planOf = (name: string): string => planIds[name] ?? assert.fail(`There is no plan ${name}.`);
export const read = async (id = partnerId) => (await service.call('GET', `/billing?partnerId=${id}`, { as: 'staff' })).body;
export const patch = (body: object, headers: Record<string, string> = {}): Promise<TestReply> =>
  service.call('PATCH', `/billing/subscriptions/${partnerId}`, { as: 'staff', body, headers });
export const accept = async (body: object) => {
  const { status, body: reply } = await patch(body);
  assert.equal(status, 200, JSON.stringify(reply));
  return reply;
};
export const preview = async (name: string) =>
  (await service.call('GET', `/billing/plan-change?partnerId=${partnerId}&planId=${planOf(name)}`, { as: 'staff' })).body;
export const waiting = () =>
  service.db.asSystem('seed', (tx) =>
    tx
      .selectFrom('invoiceLine')
      .select(['kind', 'description', 'quantity', 'unitPriceMinor', 'amountMinor', 'periodStart', 'periodEnd', 'orderId'])
      .where('partnerId', '=', partnerId)
      .where('invoiceId', 'is', null)
      .orderBy('id')
      .execute(),
  );
export const invoicesOf = (id: string) =>
  service.db.asSystem('seed', (tx) =>
    tx.selectFrom('invoice').select(['status', 'periodStart', 'totalMinor', 'currency']).where('partnerId', '=', id).execute(),
  );
export const lastAudit = () =>
  service.db.asSystem('seed', (tx) =>
    tx
      .selectFrom('auditEntry')
      .select(['actorType', 'changes'])
      .where('partnerId', '=', partnerId)
      .where('action', '=', 'billing.subscription_changed')
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  );
export const set = (values: object) =>
  service.db.asSystem('seed', (tx) => tx.updateTable('subscription').set(values).where('partnerId', '=', partnerId).execute());
/** What the share of the present period costs. */
export const share = (subscription: { currentPeriodStart: string; currentPeriodEnd: string }, price: number): number =>
  lineAmount(1, price, shareLeft({ start: new Date(subscription.currentPeriodStart), end: new Date(subscription.currentPeriodEnd) }, now));
