import { createHmac } from 'node:crypto';
import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { CredentialsDeps, HeldConnection } from '../deps.ts';
import { type BindingProps, openForBinding, type ResolvedCredential } from '../vault/open-credential.ts';
import type { Slot, UsedBy } from '../store.ts';
import {
  type ClaimedConnection,
  claimForBinding,
  type LiveConnection,
  lockForBinding,
  postponeConnection,
  settleConnection,
  type Written,
} from '../store-connections.ts';

/** Lease of a writer. Longer than the engine client's timeout for one upsert. */
export const LEASE_SECONDS = 120;

/** Checked in the transaction of each write made for a provisioning attempt; throws when the attempt has ended. */
export type Guard = (tx: SystemTx) => Promise<void>;

type Deps = Pick<CredentialsDeps, 'db' | 'engine' | 'sealing' | 'platformKeys' | 'baseUrls' | 'callbackSecret'>;
type Target = { slot: Slot; projectId: string; externalId: string };
type BoundConnection = ResolvedCredential & { engineConnectionId: string; isUnchanged: boolean };

/**
 * Binds a slot's credential to a connection of the engine and records the connection, so that later saves update it. The external id is
 * deterministic, so a repeat reuses the connection. Nothing is written when `held`, the connection as the engine lists it, still has the value.
 * Returns undefined when the credential is missing; throws what the engine client throws. A concurrent save wins: its job writes the newer value.
 * `guard` is checked in the transaction that claims the connection.
 */
export async function bindConnection(
  deps: Deps,
  target: Target,
  by: UsedBy,
  guard?: Guard,
  held?: HeldConnection,
): Promise<BoundConnection | undefined> {
  const work = await deps.db.asSystem('provisioning', async (tx) => {
    await guard?.(tx);
    const [live, opened] = await Promise.all([lockForBinding(tx, target), openForBinding(deps, tx, target.slot, by)]);
    if (!opened) return undefined;
    if (live && held && isAsWritten(live, held, opened, hashOf(deps, target, opened.props))) return { opened, claimed: undefined, held };
    return { opened, claimed: await claimForBinding(tx, { ...target, ...opened }, LEASE_SECONDS) };
  });
  if (!work) return undefined;
  const { props, ...resolved } = work.opened;
  if (!work.claimed) return { ...resolved, engineConnectionId: work.held.id, isUnchanged: true };
  const { claimed } = work;
  let written: Written;
  try {
    written = await writeConnection(deps, claimed, props);
  } catch (error) {
    // Released at once: a teardown that follows would wait for the lease to expire.
    await deps.db.asSystem('provisioning', (tx) => postponeConnection(tx, claimed, new Date()));
    throw error;
  }
  await deps.db.asSystem('provisioning', (tx) => settleConnection(tx, claimed, { ...written, ...resolved }));
  return { ...resolved, engineConnectionId: written.engineConnectionId, isUnchanged: false };
}

/** Writes a value to the engine; the only place that does. */
export async function writeConnection(
  deps: Pick<Deps, 'engine' | 'callbackSecret'>,
  claimed: ClaimedConnection,
  props: BindingProps,
): Promise<Written> {
  const { projectId, externalId } = claimed;
  const { id, updated } = await deps.engine.upsertConnection({
    projectId,
    externalId,
    displayName: PROVIDER_RULES[claimed.provider].title,
    props,
  });
  return { engineConnectionId: id, engineUpdated: updated ?? null, valueHash: hashOf(deps, claimed, props) };
}

/** The engine returns no value, but the time of the last change, which every other writer moves. */
function isAsWritten(live: LiveConnection, held: HeldConnection, opened: ResolvedCredential, hash: Buffer): boolean {
  const isUntouched = held.updated !== undefined && held.updated === live.engineUpdated && held.id === live.engineConnectionId;
  return (
    isUntouched &&
    live.credentialId === opened.credentialId &&
    live.sourceMode === opened.sourceMode &&
    live.valueHash?.equals(hash) === true
  );
}

/** Keyed, because a password of few letters could be guessed from a plain hash. */
export function hashOf(
  { callbackSecret }: Pick<Deps, 'callbackSecret'>,
  { projectId, externalId }: { projectId: string; externalId: string },
  props: BindingProps,
): Buffer {
  const values = Object.entries(props).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHmac('sha256', callbackSecret.reveal())
    .update(JSON.stringify(['connection', projectId, externalId, values]))
    .digest();
}
