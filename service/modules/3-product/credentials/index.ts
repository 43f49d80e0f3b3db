import type { CredentialData } from '@partner-portal/core/credential/credential.ts';
import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import type { Tx } from '#platform/db/tx.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import { bindConnection, type Guard } from './connections/bind-connection.ts';
import type { CredentialsDeps } from './deps.ts';
import { listMissing, openForBinding, resolveCredentials } from './vault/open-credential.ts';
import { credentialHandlers } from './routes.ts';
import { createSealing } from './vault/sealing.ts';
import type { Purpose, Slot, UsedBy } from './store.ts';
import { sweepConnections, syncConnection } from './connections/sync-connection.ts';
import { syncConnectionJob } from './connections/sync-job.ts';
import { unbindConnections } from './connections/unbind-connections.ts';
import { unbindUnneeded } from './connections/unbind-unneeded.ts';
import { useCredential, type UseOutcome } from './vault/use-credential.ts';

export { credentialCheckChanged, credentialRemoved, credentialSaved, type CredentialSlot } from './facts.ts';
export type { EngineConnections, PlatformKeys } from './deps.ts';
export { rewrapDataKeys } from './vault/rewrap-data-keys.ts';
export { createSealing } from './vault/sealing.ts';
export { listNeeds, type Need } from './requirements/needs.ts';
export { type CredentialResolver, readCredentials } from './read-credentials.ts';
export type { Slot, UsedBy } from './store.ts';

/** The vault: third-party keys, sealed at rest, never returned, written to the engine's connections and used on behalf of flows. */
export function credentials(options: Omit<CredentialsDeps, 'sealing'> & { ring: KeyRing }) {
  const { ring, ...rest } = options;
  const deps: CredentialsDeps = { ...rest, sealing: createSealing(ring) };
  return {
    routes: credentialHandlers(deps),
    jobs: [handleJob(syncConnectionJob, ({ connectionId }, context) => syncConnection(deps, connectionId, context))],
    crons: [defineCron('credentials.sweep', '* * * * *', (context) => sweepConnections(deps, context))],
    /** Resolves each slot to the credential that counts for it, without opening it; one statement. */
    resolveCredentials: (tx: Tx, slots: readonly Slot[]) => resolveCredentials(deps, tx, slots),
    /** Returns those of the needs without a usable credential, in their order; one statement. */
    listMissing: <N extends Slot>(tx: Tx, needs: readonly N[]) => listMissing(deps, tx, needs),
    /** Opens a slot's credential as the engine's CUSTOM_AUTH props and writes the use ledger; undefined when it is missing. */
    openForBinding: (tx: Tx, slot: Slot, by: UsedBy) => openForBinding(deps, tx, slot, by),
    /** Binds one connection: open, write to the engine, record. Not inside a transaction. */
    bindConnection: (target: { slot: Slot; projectId: string; externalId: string }, by: UsedBy, guard?: Guard) =>
      bindConnection(deps, target, by, guard),
    /** Deletes every connection of a partner, in the engine and here. Not inside a transaction. */
    unbindConnections: (place: { partnerId: string; externalIdPrefix: string; projectId: string | null }, guard: Guard) =>
      unbindConnections(deps, place, guard),
    /** Deletes a slot's connections in the engine when none of its owner's agents needs them; false: call again later. Not inside a transaction. */
    unbindUnneeded: (slot: Slot) => unbindUnneeded(deps, slot),
    /** Calls `work` with a slot's effective Cal.com credential and records the outcome; undefined when none is stored. Not inside a transaction. */
    useCredential: <R extends UseOutcome>(
      slot: Slot & { provider: 'calcom' },
      purpose: Purpose,
      work: (key: CredentialData['calcom']) => Promise<R>,
    ): Promise<R | undefined> => useCredential(deps, slot, purpose, work),
  };
}

export type Vault = ReturnType<typeof credentials>;
