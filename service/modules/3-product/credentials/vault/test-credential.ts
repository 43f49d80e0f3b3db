import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import type { CheckOutcome } from '#adapters/provider-check.ts';
import { type Origin, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { Actor } from '#platform/actor.ts';
import { recordFact } from '#platform/facts.ts';
import { refuse } from '#platform/refuse.ts';
import { type CredentialsDeps, platformKey } from '../deps.ts';
import { credentialCheckChanged } from '../facts.ts';
import { ownScope, requireClient, requireStoredProvider } from '../scope.ts';
import { type CredentialRow, findStored, recordCheck, recordUse, type Slot } from '../store.ts';
import { recordTls } from '../store-tls.ts';
import { checkSqlKey, type SqlCheck } from './verify-tls.ts';

/**
 * Makes the cheapest harmless call to the provider with the stored key and records the outcome. Tests the row of exactly this scope; an
 * inherited default is tested where it is stored.
 */
export async function testCredential(
  deps: CredentialsDeps,
  actor: Actor,
  input: { provider: string; clientId?: string | undefined },
  origin: Origin,
): Promise<{ ok: boolean | null; checkedAt: Date; message: string }> {
  const slot: Slot = { ...ownScope(actor, input.clientId), provider: requireStoredProvider(input.provider) };
  const { row, check } = await deps.db.asTenant(actor, async (tx): Promise<{ row: CredentialRow; check: () => Promise<SqlCheck> }> => {
    await requireClient(tx, slot);
    const found = await findStored(tx, slot);
    const stored = found.row;
    if (!stored) return refuse('not_found', { detail: 'There is no key stored here to test.' });
    if (stored.sourceMode === 'platform') return { row: stored, check: () => checkPlatformKey(deps, slot.partnerId, stored.provider) };
    const data = deps.sealing.open(stored, found.dataKey ?? {});
    await recordUse(tx, stored, 'test', { type: 'user', id: actor.userId });
    return {
      row: stored,
      check: () => ('ssl' in data ? checkSqlKey(deps, stored, data) : deps.checkProvider(slot.partnerId, stored.provider, data)),
    };
  });
  const outcome = await check();
  const at = deps.clock.now();
  await deps.db.asTenant(actor, async (tx) => {
    const isTlsChanged = outcome.tls !== undefined && (await recordTls(tx, row, outcome.tls));
    const isCheckChanged = await recordCheck(tx, row, { ...outcome, at });
    if (isCheckChanged || isTlsChanged) await recordFact(tx, credentialCheckChanged, slot);
    await recordAudit(tx, {
      partnerId: slot.partnerId,
      clientId: slot.clientId,
      actor,
      action: 'credential.tested',
      target: { type: 'credential', id: row.id, label: slot.provider },
      changes: {
        ...(outcome.ok === null ? {} : { ok: [row.lastCheckOk, outcome.ok] }),
        ...(outcome.tls === undefined || outcome.tls.state === row.tls ? {} : { tls: [row.tls, outcome.tls.state] }),
      },
      origin,
    });
  });
  return { ok: outcome.ok, checkedAt: at, message: outcome.message };
}

async function checkPlatformKey(deps: CredentialsDeps, partnerId: string, provider: Slot['provider']): Promise<CheckOutcome> {
  const key = platformKey(deps.platformKeys, provider);
  if (!key) return { ok: false, message: `The platform offers no ${PROVIDER_RULES[provider].title} key right now. Save your own.` };
  return deps.checkProvider(partnerId, provider === 'anthropic' ? 'anthropic' : 'openai', { apiKey: key.reveal() });
}
