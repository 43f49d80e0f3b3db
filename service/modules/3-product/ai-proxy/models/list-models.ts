import { AI_PROVIDERS, type AiProvider, type SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { ANY_MODEL } from '@partner-portal/core/quota/rates.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { AiProxyDeps } from '../deps.ts';
import { listRates } from '../rates/store-rates.ts';

export type ModelRecord = { provider: AiProvider; model: string; sourceMode: SourceMode; inputCredits: number; outputCredits: number };

/** Lists the published models that the keys of an owner reach: with a platform key those that are offered, at their rates; with a key of its own all, free. */
export async function listModels(
  deps: Pick<AiProxyDeps, 'credentials'>,
  tx: Tx,
  owner: { partnerId: string; clientId: string | null },
): Promise<ModelRecord[]> {
  const slots = AI_PROVIDERS.map((provider) => ({ ...owner, provider }));
  const keys = await deps.credentials.resolveCredentials(tx, slots);
  const rates = await listRates(tx);
  return AI_PROVIDERS.flatMap((provider, index) => {
    const key = keys[index];
    if (!key?.row || key.state === 'missing') return [];
    const { sourceMode } = key.row;
    return rates
      .filter((rate) => rate.provider === provider && rate.model !== ANY_MODEL && (sourceMode === 'byok' || rate.isOffered))
      .map(({ model, inputCredits, outputCredits }) =>
        sourceMode === 'byok'
          ? { provider, model, sourceMode, inputCredits: 0, outputCredits: 0 }
          : { provider, model, sourceMode, inputCredits, outputCredits },
      );
  });
}
