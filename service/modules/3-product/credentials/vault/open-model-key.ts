import { sendableKey } from '@partner-portal/core/credential/key-text.ts';
import { isCredentialUsable } from '@partner-portal/core/credential/resolution.ts';
import type { AiProvider, SourceMode } from '@partner-portal/contract/vocabulary.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { Secret } from '#platform/secret.ts';
import { type CredentialsDeps, platformKey, platformProviders } from '../deps.ts';
import type { CredentialRow, Scope, UsedBy } from '../store.ts';
import { recordUse } from '../store.ts';
import { findEffective } from '../store-resolution.ts';

/** The key of a language model that counts for a slot. `row` identifies it when the outcome of the call is recorded. */
export type ModelKey = { sourceMode: SourceMode; level: 'client' | 'agency'; key: Secret; row: CredentialRow };

export type ModelKeyResult = ModelKey | { missing: 'not_saved' | 'no_platform_key' };

/** Opens the key that counts for a slot and records the use in the same transaction. */
export async function openModelKey(
  deps: Pick<CredentialsDeps, 'sealing' | 'platformKeys'>,
  tx: SystemTx,
  slot: Scope & { provider: AiProvider },
  by: UsedBy,
): Promise<ModelKeyResult> {
  const row = await findEffective(tx, slot);
  // Whether the plan includes the platform's key, the AI proxy decides: it has a refusal of its own.
  if (!row || !isCredentialUsable({ ...row, hasValue: row.sealed !== null, isExcluded: false }, platformProviders(deps.platformKeys)))
    return { missing: row?.sourceMode === 'platform' ? 'no_platform_key' : 'not_saved' };
  const key =
    row.sourceMode === 'platform'
      ? platformKey(deps.platformKeys, row.provider)
      : new Secret(sendableKey(deps.sealing.open({ ...row, provider: slot.provider }, row).apiKey));
  if (!key) return { missing: 'no_platform_key' };
  await recordUse(tx, row, 'ai_call', by, slot);
  return { sourceMode: row.sourceMode, level: row.clientId === null ? 'agency' : 'client', key, row };
}
