import { sendableData } from '@partner-portal/core/credential/credential.ts';
import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import { type CredentialResolution, isCredentialUsable, resolveCredential } from '@partner-portal/core/credential/resolution.ts';
import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import type { ProviderBaseUrls } from '#adapters/provider-check.ts';
import type { Tx } from '#platform/db/tx.ts';
import { type CredentialsDeps, platformKey, platformProviders } from '../deps.ts';
import type { DataKeyRow } from '#schema/data-key-columns.ts';
import { type CredentialRow, recordUse, type Slot, type UsedBy } from '../store.ts';
import { type CredentialState, findEffective, findEffectiveStates } from '../store-resolution.ts';

export type ResolvedCredential = { credentialId: string; sourceMode: SourceMode; level: 'client' | 'agency' };
export type BindingProps = { [name: string]: string };
export type OpenedForBinding = ResolvedCredential & { props: BindingProps };

/** Resolves each slot to the credential that counts for it, without opening anything. One statement for any number of them. */
export async function resolveCredentials(
  deps: Pick<CredentialsDeps, 'platformKeys'>,
  tx: Tx,
  slots: readonly Slot[],
): Promise<CredentialResolution<CredentialState>[]> {
  const offered = platformProviders(deps.platformKeys);
  const rows = await findEffectiveStates(tx, slots);
  return slots.map((slot, index) => resolveCredential(rows[index], slot.clientId, offered));
}

/** Returns those of the needs that have no usable credential, in their order. One statement for any number of them. */
export async function listMissing<N extends Slot>(deps: Pick<CredentialsDeps, 'platformKeys'>, tx: Tx, needs: readonly N[]): Promise<N[]> {
  const resolved = await resolveCredentials(deps, tx, needs);
  return needs.filter((_need, index) => resolved[index]?.state === 'missing');
}

type OpenDeps = Pick<CredentialsDeps, 'sealing' | 'platformKeys' | 'baseUrls'>;

/**
 * Opens the value that the engine's connection of a slot carries (type CUSTOM_AUTH), and records the use in the same transaction;
 * undefined when the credential is missing. The SQL provider's props are a reference only: the engine never holds a database password.
 */
export async function openForBinding(deps: OpenDeps, tx: Tx, slot: Slot, by: UsedBy): Promise<OpenedForBinding | undefined> {
  const row = await findUsable(deps, tx, slot);
  if (!row) return undefined;
  const props = propsOf(deps, row);
  await recordUse(tx, row, 'bind_connection', by, slot);
  return { credentialId: row.id, sourceMode: row.sourceMode, level: row.clientId === null ? 'agency' : 'client', props };
}

/**
 * Whether a slot has a credential that can be bound; throws a `SealFault` when its value cannot be opened. The value is dropped and no use is
 * recorded, since nothing is sent.
 */
export async function canBind(deps: OpenDeps, tx: Tx, slot: Slot): Promise<boolean> {
  const row = await findUsable(deps, tx, slot);
  if (row) propsOf(deps, row);
  return row !== undefined;
}

async function findUsable(deps: OpenDeps, tx: Tx, slot: Slot): ReturnType<typeof findEffective> {
  const row = await findEffective(tx, slot);
  const isUsable = row && isCredentialUsable({ ...row, hasValue: row.sealed !== null }, platformProviders(deps.platformKeys));
  return isUsable ? row : undefined;
}

function propsOf(deps: OpenDeps, row: CredentialRow & Partial<DataKeyRow>): BindingProps {
  if (row.provider === 'postgres') return { reference: row.id };
  const baseUrl = deps.baseUrls[row.provider];
  if (row.sourceMode === 'platform') return platformProps(deps, row.provider);
  return { ...sendableData(deps.sealing.open({ ...row, provider: row.provider }, row)), baseUrl };
}

/** Returns the props of a connection in platform mode. */
export function platformProps(
  deps: Pick<OpenDeps, 'platformKeys' | 'baseUrls'>,
  provider: Exclude<StoredProvider, 'postgres'>,
): BindingProps {
  return { apiKey: platformKey(deps.platformKeys, provider)?.reveal() ?? '', baseUrl: deps.baseUrls[provider] };
}

/** Returns placeholder props that overwrite the engine's copy of a deleted credential, so that it is no longer used. */
export function removedProps(baseUrls: ProviderBaseUrls, provider: StoredProvider): BindingProps {
  if (provider === 'postgres') return { reference: 'removed' };
  const baseUrl = baseUrls[provider];
  return provider === 'twilio' ? { accountSid: 'removed', authToken: 'removed', baseUrl } : { apiKey: 'removed', baseUrl };
}
