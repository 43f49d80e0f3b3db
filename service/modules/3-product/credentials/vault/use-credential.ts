import { type CredentialData, sendableData } from '@partner-portal/core/credential/credential.ts';
import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import { recordFact } from '#platform/facts.ts';
import type { CredentialsDeps } from '../deps.ts';
import { credentialCheckChanged } from '../facts.ts';
import { type CredentialRow, type Purpose, recordCheck, recordUse, type Slot } from '../store.ts';
import { findEffective } from '../store-resolution.ts';

/** `check`: what the use showed about the key; recorded as its last check. */
export type UseOutcome = { check?: { ok: boolean | null; message: string } };

type KeyProvider = Exclude<StoredProvider, 'postgres' | 'openai' | 'anthropic'>;

/**
 * Opens the effective credential of a slot, records the use, and passes it to `work` outside any transaction. Returns undefined when none
 * is stored. Not inside a transaction; throws what `work` throws.
 */
export async function useCredential<P extends KeyProvider, R extends UseOutcome>(
  deps: Pick<CredentialsDeps, 'db' | 'sealing' | 'clock'>,
  slot: Slot & { provider: P; /** The agent it is for. */ workflowId?: string },
  purpose: Purpose,
  work: (data: CredentialData[P]) => Promise<R>,
): Promise<R | undefined> {
  const opened = await deps.db.asSystem('credentials', async (tx) => {
    const row = await findEffective(tx, slot);
    if (!row?.sealed) return undefined;
    const data = sendableData<P>(deps.sealing.open({ ...row, provider: slot.provider }, row));
    await recordUse(tx, row, purpose, { type: 'system', id: null }, slot);
    return { row, data };
  });
  if (!opened) return undefined;
  const { row, data } = opened;
  const outcome = await work(data);
  if (outcome.check) await recordOutcome(deps, row, outcome.check);
  return outcome;
}

/** Records what a use showed about a key as its last check. A key that still works is not written after every use. Not inside a transaction. */
export async function recordOutcome(
  deps: Pick<CredentialsDeps, 'db' | 'clock'>,
  row: CredentialRow,
  check: { ok: boolean | null; message: string },
): Promise<void> {
  if (check.ok === null || (check.ok && row.lastCheckOk === true)) return;
  const { partnerId, clientId, provider } = row;
  await deps.db.asSystem('credentials', async (tx) => {
    const isChanged = await recordCheck(tx, row, { ...check, at: deps.clock.now() });
    if (isChanged) await recordFact(tx, credentialCheckChanged, { partnerId, clientId, provider });
  });
}
