import { type CredentialResolution, type CredentialSlot, createCredentialResolver } from '@partner-portal/core/credential/resolution.ts';
import type { Tx } from '#platform/db/tx.ts';
import { type CredentialState, listCredentialStates } from './store-resolution.ts';

export type CredentialResolver = (slot: CredentialSlot) => CredentialResolution<CredentialState>;

/** Loads the stored credentials of these owners, without their values, and returns a resolver for their slots. One statement at most. */
export async function readCredentials(
  tx: Tx,
  owners: readonly { partnerId: string; clientId: string | null }[],
  platformProviders: readonly string[],
): Promise<CredentialResolver> {
  const partnerIds = [...new Set(owners.map((owner) => owner.partnerId))];
  const clientIds = [...new Set(owners.flatMap((owner) => owner.clientId ?? []))];
  const rows = owners.length === 0 ? [] : await listCredentialStates(tx, { partnerIds, clientIds });
  return createCredentialResolver(rows, platformProviders);
}
