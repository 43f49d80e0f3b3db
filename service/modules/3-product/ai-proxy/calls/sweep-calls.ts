import type { AiProxyDeps } from '../deps.ts';
import { readRates } from '../rates/store-rates.ts';
import { settle } from './complete.ts';
import { released, settlementOf } from './spent.ts';
import { listExpiredCalls } from './store-calls.ts';

const PORTION = 200;

/**
 * Settles calls whose process died: by what was noted when the provider had begun to answer, else they are released. Returns how many.
 */
export async function sweepCalls({ db }: Pick<AiProxyDeps, 'db'>): Promise<number> {
  for (let swept = 0; ;) {
    const { calls, rates } = await db.asSystem('sweep', async (tx) => {
      const expired = await listExpiredCalls(tx, PORTION);
      return {
        calls: expired,
        rates: await readRates(
          tx,
          expired.flatMap((call) => call.rateId ?? []),
        ),
      };
    });
    const byId = new Map(rates.map((rate) => [rate.id, rate]));
    for (const { id, sourceMode, rateId, inputTokens, outputTokens } of calls) {
      const rate = rateId === null ? undefined : byId.get(rateId);
      const tokens = { inputTokens, outputTokens, isEstimated: true };
      await settle(
        { db },
        id,
        outputTokens === 0 ? released('interrupted') : settlementOf(tokens, { sourceMode, rate, errorCode: 'interrupted' }),
      );
    }
    swept += calls.length;
    if (calls.length < PORTION) return swept;
  }
}
