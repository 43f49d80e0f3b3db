import type { CredentialData, StoredProvider } from '@partner-portal/core/credential/credential.ts';
import { recordFact } from '#platform/facts.ts';
import type { CredentialsDeps } from '../deps.ts';
import { credentialCheckChanged } from '../facts.ts';
import { type Purpose, recordCheck, recordUse, type Slot } from '../store.ts';
import { findEffective } from '../store-resolution.ts';

/** What the work found out about the key, if anything: kept as its last check, so that a key that stops working is shown as failing. */
export type UseOutcome = { check?: { ok: boolean; message: string } };

type KeyProvider = Exclude<StoredProvider, 'postgres' | 'openai' | 'anthropic'>;

/**
 * Opens the stored credential that counts for a slot (the client's own, else the agency's), writes the use ledger, and hands it to
 * `work` outside any transaction. Undefined when none is stored. Not inside a transaction; throws what `work` throws.
 */
export async function useCredential<P extends KeyProvider, R extends UseOutcome>(
  deps: Pick<CredentialsDeps, 'db' | 'sealing' | 'clock'>,
  slot: Slot & { provider: P },
  purpose: Purpose,
  work: (data: CredentialData[P]) => Promise<R>,
): Promise<R | undefined> {
  const opened = await deps.db.asSystem('credentials', async (tx) => {
    const row = await findEffective(tx, slot);
    if (!row?.sealed) return undefined;
    const data = deps.sealing.open({ ...row, provider: slot.provider }, row);
    await recordUse(tx, row, purpose, { type: 'system', id: null });
    return { row, data };
  });
  if (!opened) return undefined;
  const { row, data } = opened;
  const outcome = await work(data);
  const { check } = outcome;
  // A key that goes on working is not written each hour.
  if (check && !(check.ok && row.lastCheckOk === true)) {
    const { partnerId, clientId, provider } = row;
    await deps.db.asSystem('credentials', async (tx) => {
      const isChanged = await recordCheck(tx, row, { ...check, at: deps.clock.now() });
      if (isChanged) await recordFact(tx, credentialCheckChanged, { partnerId, clientId, provider });
    });
  }
  return outcome;
}
