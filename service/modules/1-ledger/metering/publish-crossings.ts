import type { QuotaCrossing } from '@partner-portal/core/quota/thresholds.ts';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { defineFact, type FactHandler } from '#platform/facts.ts';
import { listTopClients, listPartnerNames } from './store-crossings.ts';

/** Recorded where executions end, because only there credits are charged. Each threshold is crossed once per period. */
export const thresholdsCrossed = defineFact<QuotaCrossing, SystemTx>('quota.thresholds_crossed');

/** Publishes one `usage.threshold_crossed` per threshold, with the five clients that used most credits in the period. */
export function publishCrossings(baseUrl: string): FactHandler<QuotaCrossing, SystemTx> {
  return async (tx, crossings) => {
    const names = await listPartnerNames(
      tx,
      crossings.map((one) => one.partnerId),
    );
    for (const { partnerId, percents, used, limit, periodStart, periodEnd, traceparent = null } of crossings) {
      const topClients = await listTopClients(tx, partnerId, new Date(periodStart));
      for (const thresholdPercent of percents) {
        await publishEvent(tx, {
          partnerId,
          type: 'usage.threshold_crossed',
          traceparent,
          data: {
            partnerId,
            partnerName: names.get(partnerId) ?? '',
            portalUrl: `${baseUrl}/dashboard/usage`,
            metric: 'credits',
            thresholdPercent,
            used,
            limit,
            remaining: Math.max(0, limit - used),
            periodStart,
            periodEnd,
            topClients,
          },
        });
      }
    }
  };
}
