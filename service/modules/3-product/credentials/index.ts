import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';
import type { CredentialData } from '@partner-portal/core/credential/credential.ts';
import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import { bindConnection, type Guard } from './connections/bind-connection.ts';
import type { CredentialsDeps, HeldConnection } from './deps.ts';
import { canBind, listMissing, openForBinding, resolveCredentials } from './vault/open-credential.ts';
import { credentialHandlers } from './routes.ts';
import { createSealing } from './vault/sealing.ts';
import type { Purpose, Scope, Slot, UsedBy } from './store.ts';
import { sweepConnections, syncConnection } from './connections/sync-connection.ts';
import { syncConnectionJob } from './sync-job.ts';
import { type ConnectionPlace, unbindConnections } from './connections/unbind-connections.ts';
import { unbindUnneeded } from './connections/unbind-unneeded.ts';
import { type ModelKey, openModelKey } from './vault/open-model-key.ts';
import { recordOutcome, useCredential, type UseOutcome } from './vault/use-credential.ts';
import { verifyOldKeys } from './vault/verify-tls.ts';

export { credentialCheckChanged, credentialRemoved, credentialSaved, type CredentialSlot } from './facts.ts';
export { type EngineConnections, type HeldConnection, type PlatformKeys, platformProviders } from './deps.ts';
export { listMissingKeys } from './requirements/needs.ts';
export type { MissingKey } from './store-resolution.ts';
export { type CredentialResolver, readCredentials } from './read-credentials.ts';
export type { Scope, Slot, UsedBy } from './store.ts';
export type { ModelKey, ModelKeyResult } from './vault/open-model-key.ts';

/** The vault: third-party keys, sealed at rest, never returned, written to the engine's connections and used on behalf of flows. */
export function credentials(options: Omit<CredentialsDeps, 'sealing'> & { dataKeys: DataKeys }) {
  const { dataKeys, ...rest } = options;
  const deps: CredentialsDeps = { ...rest, sealing: createSealing(dataKeys) };
  return {
    routes: credentialHandlers(deps),
    jobs: [handleJob(syncConnectionJob, ({ connectionId }, context) => syncConnection(deps, connectionId, context))],
    crons: [
      defineCron('credentials.sweep', '* * * * *', (context) => sweepConnections(deps, context)),
      defineCron('credentials.verify-tls', '* * * * *', (context) => verifyOldKeys(deps, context)),
    ],
    /** Resolves each slot to the credential that counts for it, without opening it; one statement. */
    resolveCredentials: (tx: Tx, slots: readonly Slot[]) => resolveCredentials(deps, tx, slots),
    /** Returns those of the needs without a usable credential, in their order; one statement. */
    listMissing: <N extends Slot>(tx: Tx, needs: readonly N[]) => listMissing(deps, tx, needs),
    /** Opens a slot's credential as the engine's CUSTOM_AUTH props and writes the use ledger; undefined when it is missing. */
    openForBinding: (tx: Tx, slot: Slot, by: UsedBy) => openForBinding(deps, tx, slot, by),
    /** Whether a slot has a credential that can be bound; throws when its value cannot be opened. Records no use. */
    canBind: (tx: Tx, slot: Slot) => canBind(deps, tx, slot),
    /** Binds one connection: open, write to the engine, record. Not inside a transaction. */
    bindConnection: (target: { slot: Slot; projectId: string; externalId: string }, by: UsedBy, guard?: Guard, held?: HeldConnection) =>
      bindConnection(deps, target, by, guard, held),
    /** Deletes every connection of a partner, or of one of its clients, in the engine and here. Not inside a transaction. */
    unbindConnections: (place: ConnectionPlace, guard: Guard) => unbindConnections(deps, place, guard),
    /** Deletes a slot's connections in the engine when none of its owner's agents needs them; false: call again later. Not inside a transaction. */
    unbindUnneeded: (slot: Slot) => unbindUnneeded(deps, slot),
    /** Opens the key of a language model that counts for a slot and writes the use ledger; `missing` says why there is none. */
    openModelKey: (tx: SystemTx, slot: Scope & { provider: AiProvider }, by: UsedBy) => openModelKey(deps, tx, slot, by),
    /** Records what a call showed about a key as its last check. Not inside a transaction. */
    recordModelCheck: ({ row }: Pick<ModelKey, 'row'>, check: { ok: boolean; message: string }) => recordOutcome(deps, row, check),
    /** Calls `work` with a slot's effective Cal.com credential and records the outcome; undefined when none is stored. Not inside a transaction. */
    useCredential: <R extends UseOutcome>(
      slot: Slot & { provider: 'calcom'; workflowId?: string },
      purpose: Purpose,
      work: (key: CredentialData['calcom']) => Promise<R>,
    ): Promise<R | undefined> => useCredential(deps, slot, purpose, work),
  };
}

export type Vault = ReturnType<typeof credentials>;
