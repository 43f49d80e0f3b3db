import type { CredentialData, StoredProvider } from '@partner-portal/core/credential/credential.ts';
import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import type { ProviderBaseUrls } from '#adapters/provider-check.ts';
import type { Tx } from '#platform/db/tx.ts';
import { type CredentialsDeps, isUsable, platformKey } from '../deps.ts';
import { type CredentialRow, type DataKeyRow, findEffective, recordUse, type Slot, type UsedBy } from '../store.ts';
import { chooseForSlots } from '../store-views.ts';

export type ResolvedCredential = { credentialId: string; sourceMode: SourceMode; level: 'client' | 'agency' };
export type BindingProps = { [name: string]: string };
export type OpenedForBinding = ResolvedCredential & { props: BindingProps };

/** The credential that counts for a slot, without opening anything; undefined when it is missing (or has no usable key). */
export async function resolveCredential(
  deps: Pick<CredentialsDeps, 'platformKeys'>,
  tx: Tx,
  slot: Slot,
): Promise<ResolvedCredential | undefined> {
  const [chosen] = await chooseForSlots(tx, [slot]);
  if (!chosen || !isUsable(deps.platformKeys, { ...chosen, provider: slot.provider })) return undefined;
  return { credentialId: chosen.id, sourceMode: chosen.sourceMode, level: chosen.clientId === null ? 'agency' : 'client' };
}

/** Those of the needs that no usable credential meets, in their order. One statement, whatever their number. */
export async function listMissing<N extends Slot>(deps: Pick<CredentialsDeps, 'platformKeys'>, tx: Tx, needs: readonly N[]): Promise<N[]> {
  if (needs.length === 0) return [];
  const chosen = new Map((await chooseForSlots(tx, needs)).map((row) => [row.ord, row]));
  return needs.filter((need, index) => {
    const row = chosen.get(index);
    return !row || !isUsable(deps.platformKeys, { ...row, provider: need.provider });
  });
}

type OpenDeps = Pick<CredentialsDeps, 'sealing' | 'platformKeys' | 'baseUrls'>;

/**
 * What the engine's connection of a slot is to carry (type CUSTOM_AUTH); undefined when the credential is missing.
 * Opens the value and writes the use ledger in the same transaction. The SQL provider's props are a reference only: the
 * engine never holds a database password.
 */
export async function openForBinding(deps: OpenDeps, tx: Tx, slot: Slot, by: UsedBy): Promise<OpenedForBinding | undefined> {
  const row = await findEffective(tx, slot);
  if (!row || !isUsable(deps.platformKeys, { ...row, hasValue: row.sealed !== null })) return undefined;
  const props = propsOf(deps, row);
  await recordUse(tx, row, 'bind_connection', by);
  return { credentialId: row.id, sourceMode: row.sourceMode, level: row.clientId === null ? 'agency' : 'client', props };
}

function propsOf(deps: OpenDeps, row: CredentialRow & Partial<DataKeyRow>): BindingProps {
  if (row.provider === 'postgres') return { reference: row.id };
  const baseUrl = deps.baseUrls[row.provider];
  if (row.sourceMode === 'platform') return { apiKey: platformKey(deps.platformKeys, row.provider)?.reveal() ?? '', baseUrl };
  const opened: CredentialData[Exclude<StoredProvider, 'postgres'>] = deps.sealing.open({ ...row, provider: row.provider }, row);
  return { ...opened, baseUrl };
}

/** What a connection carries once its credential is gone: nothing that works, so that a removed key is used no longer. */
export function removedProps(baseUrls: ProviderBaseUrls, provider: StoredProvider): BindingProps {
  if (provider === 'postgres') return { reference: 'removed' };
  const baseUrl = baseUrls[provider];
  return provider === 'twilio' ? { accountSid: 'removed', authToken: 'removed', baseUrl } : { apiKey: 'removed', baseUrl };
}
