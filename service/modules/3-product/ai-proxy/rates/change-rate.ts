import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireCurrency } from '#modules/2-tenancy/plans/index.ts';
import { findRates, insertRate, lockRates, type NewRate, type StaffRateRow } from './store-rates.ts';

/** Publishes a new version of a model's rate. It counts for calls that are reserved from then on. Refuses an unknown currency. */
export async function changeRate({ db }: { db: Database }, caller: RequestContext, rate: NewRate): Promise<StaffRateRow> {
  const { actor } = caller;
  requireCurrency(rate.currency);
  return db.asStaff(actor, async (tx) => {
    await lockRates(tx);
    const before = (await findRates(tx, rate.provider, rate.model)).find((one) => one.model === rate.model);
    const after = await insertRate(tx, rate, actor.userId);
    const { inputCredits, outputCredits, inputCostMinor, outputCostMinor, currency, isOffered } = rate;
    await recordAudit(tx, {
      // Rates have no tenant: their audit entries belong to the house partner.
      partnerId: actor.partnerId,
      actor,
      action: 'ai_rate.changed',
      target: { type: 'ai_rate', id: after.id, label: `${PROVIDER_RULES[rate.provider].title} ${rate.model}` },
      changes: changesBetween<Record<string, unknown>>(
        { ...before },
        { inputCredits, outputCredits, inputCostMinor, outputCostMinor, currency, isOffered },
      ),
      origin: originOf(caller),
    });
    return after;
  });
}
