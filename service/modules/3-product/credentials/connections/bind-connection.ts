import { PROVIDER_RULES } from '@partner-portal/core/credential/credential.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { CredentialsDeps } from '../deps.ts';
import { type BindingProps, openForBinding, type ResolvedCredential } from '../vault/open-credential.ts';
import type { Slot, UsedBy } from '../store.ts';
import { type ClaimedConnection, claimForBinding, lockForBinding, postponeConnection, settleConnection } from './store-connections.ts';

/** Lease of a writer. Longer than the engine client's timeout for one upsert. */
export const LEASE_SECONDS = 120;

/** Checked in the transaction of each write made for a provisioning attempt; throws when the attempt has ended. */
export type Guard = (tx: SystemTx) => Promise<void>;

type Deps = Pick<CredentialsDeps, 'db' | 'engine' | 'sealing' | 'platformKeys' | 'baseUrls'>;

/**
 * Binds a slot's credential to a connection of the engine and records the connection, so that later saves update it. The external id is
 * deterministic, so a repeat reuses the connection. Returns undefined when the credential is missing; throws what the engine client throws.
 * A concurrent save wins: its job writes the newer value. `guard` is checked in the transaction that claims the connection.
 */
export async function bindConnection(
  deps: Deps,
  target: { slot: Slot; projectId: string; externalId: string },
  by: UsedBy,
  guard?: Guard,
): Promise<(ResolvedCredential & { engineConnectionId: string }) | undefined> {
  const work = await deps.db.asSystem('provisioning', async (tx) => {
    await guard?.(tx);
    const [, opened] = await Promise.all([lockForBinding(tx, target), openForBinding(deps, tx, target.slot, by)]);
    return opened && { opened, claimed: await claimForBinding(tx, { ...target, ...opened }, LEASE_SECONDS) };
  });
  if (!work) return undefined;
  const { props, ...resolved } = work.opened;
  let engineConnectionId: string;
  try {
    engineConnectionId = await writeConnection(deps, work.claimed, props);
  } catch (error) {
    // Released at once: a teardown that follows would wait for the lease to expire.
    await deps.db.asSystem('provisioning', (tx) => postponeConnection(tx, work.claimed, new Date()));
    throw error;
  }
  await deps.db.asSystem('provisioning', (tx) => settleConnection(tx, work.claimed, { engineConnectionId, ...resolved }));
  return { ...resolved, engineConnectionId };
}

/** Writes a value to the engine; the only place that does. Returns the engine's id of the connection. */
export async function writeConnection(deps: Pick<Deps, 'engine'>, claimed: ClaimedConnection, props: BindingProps): Promise<string> {
  const { projectId, externalId } = claimed;
  const { id } = await deps.engine.upsertConnection({ projectId, externalId, displayName: PROVIDER_RULES[claimed.provider].title, props });
  return id;
}
