import { PROVIDER_RULES } from '@partner-portal/core/credential/credential.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { CredentialsDeps } from '../deps.ts';
import { type BindingProps, openForBinding, type ResolvedCredential } from '../vault/open-credential.ts';
import type { Slot, UsedBy } from '../store.ts';
import { type ClaimedConnection, claimForBinding, lockForBinding, postponeConnection, settleConnection } from './store-connections.ts';

/** A writer that died gives its claim back after this time. Longer than the engine client's own limit for one upsert. */
export const LEASE_SECONDS = 120;

/** Asked in the transaction of a write on somebody's behalf; throws when that is over. */
export type Guard = (tx: SystemTx) => Promise<void>;

type Deps = Pick<CredentialsDeps, 'db' | 'engine' | 'sealing' | 'platformKeys' | 'baseUrls'>;

/**
 * Binds a slot's credential to a connection of the engine and remembers the connection, so that later saves reach it.
 * The external id is deterministic, hence a repeat reuses the connection. Answers undefined when the credential is
 * missing; throws what the engine client throws. A save that comes in between wins: its own job writes the newer value.
 * `guard` is asked in the transaction that claims the connection, so that nothing is bound for an attempt that is over.
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
    // Given back at once: a teardown that follows would wait for the claim to lapse.
    await deps.db.asSystem('provisioning', (tx) => postponeConnection(tx, work.claimed, new Date()));
    throw error;
  }
  await deps.db.asSystem('provisioning', (tx) => settleConnection(tx, work.claimed, { engineConnectionId, ...resolved }));
  return { ...resolved, engineConnectionId };
}

/** The one place that hands a value to the engine. Answers the engine's id of the connection. */
export async function writeConnection(deps: Pick<Deps, 'engine'>, claimed: ClaimedConnection, props: BindingProps): Promise<string> {
  const { projectId, externalId } = claimed;
  const { id } = await deps.engine.upsertConnection({ projectId, externalId, displayName: PROVIDER_RULES[claimed.provider].title, props });
  return id;
}
