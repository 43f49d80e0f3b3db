import { type Origin, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { Actor } from '#platform/actor.ts';
import { recordFact } from '#platform/facts.ts';
import { refuse } from '#platform/refuse.ts';
import type { CredentialsDeps } from '../deps.ts';
import { credentialRemoved } from '../facts.ts';
import { ownScope, requireClient, requireStoredProvider } from '../scope.ts';
import { deleteCredentialRow, findStored, lockSlot, type Slot } from '../store.ts';
import { queueSyncs } from '../sync-job.ts';

/**
 * Deletes a credential. Agents that used a client's own key fall back to the partner's default; without one the engine's copy is
 * overwritten, so that a deleted key is no longer used.
 */
export async function deleteCredential(
  deps: CredentialsDeps,
  actor: Actor,
  input: { provider: string; clientId?: string | undefined },
  origin: Origin,
): Promise<void> {
  const slot: Slot = { ...ownScope(actor, input.clientId), provider: requireStoredProvider(input.provider) };
  await deps.db.asTenant(actor, async (tx) => {
    await requireClient(tx, slot);
    const [, { row }] = await Promise.all([lockSlot(tx, slot), findStored(tx, slot)]);
    if (!row) return refuse('not_found');
    await queueSyncs(tx, slot);
    await deleteCredentialRow(tx, row.id);
    await recordAudit(tx, {
      partnerId: slot.partnerId,
      clientId: slot.clientId,
      actor,
      action: 'credential.deleted',
      target: { type: 'credential', id: row.id, label: slot.provider },
      changes: { sourceMode: [row.sourceMode, null] },
      origin,
    });
    await recordFact(tx, credentialRemoved, slot);
  });
}
