import { X509Certificate } from 'node:crypto';
import { checkCredentialData, type CredentialData, sqlTlsState } from '@partner-portal/core/credential/credential.ts';
import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import type { CheckOutcome } from '#adapters/provider-check.ts';
import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { type Origin, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { recordFact } from '#platform/facts.ts';
import { AppError, refuse, refuseField } from '#platform/refuse.ts';
import { type CredentialsDeps, platformKey } from '../deps.ts';
import { credentialCheckChanged, credentialSaved } from '../facts.ts';
import { needsForSql } from '../requirements/needs.ts';
import { ownScope, requireClient, requireSourceMode, requireStoredProvider } from '../scope.ts';
import { type CheckedRow, findStored, lockSlot, recordCheck, type Slot, writeCredential } from '../store.ts';
import { findEffective, includesPlatformKeys } from '../store-resolution.ts';
import { listSummaries } from '../store-views.ts';
import { type CredentialSummary, toSummary } from '../requirements/summary.ts';
import { queueSyncs } from '../sync-job.ts';

export type SaveInput = {
  provider: string;
  clientId?: string | undefined;
  sourceMode: SourceMode;
  data?: { readonly [field: string]: unknown } | undefined;
  /** Checks the key first, and keeps the one that works now when it is refused. */
  onlyIfAccepted?: boolean | undefined;
  ifMatch?: string | undefined;
};

/**
 * Saves a credential of the partner or one of its clients. Every bound engine connection that carries it is updated after the commit, so a
 * rotation needs no further step. A stored key that another one or platform mode replaces is gone, which needs a recent login as its deletion does.
 */
export async function saveCredential(
  deps: CredentialsDeps,
  caller: Pick<RequestContext, 'actor' | 'checkLogin'>,
  input: SaveInput,
  origin: Origin,
): Promise<CredentialSummary> {
  const { actor } = caller;
  const provider = requireStoredProvider(input.provider);
  const slot: Slot = { ...ownScope(actor, input.clientId), provider };
  requireSourceMode(provider, input.sourceMode);
  if (actor.role === 'CLIENT' && input.sourceMode === 'platform')
    refuse('role_forbidden', { detail: 'Only your agency can choose the platform’s key, which costs its credits. Send your own key.' });
  const data = input.sourceMode === 'byok' && input.data ? requireData(provider, input.data) : undefined;
  if (data && 'host' in data) {
    requireCertificates(data);
    await requirePublicHost(deps, data);
  }

  const keepsStored = input.sourceMode === 'byok' && data === undefined;
  const requireRecentLogin = keepsStored ? undefined : await caller.checkLogin();
  const check = data && input.onlyIfAccepted ? await checkFirst(deps, actor, slot, data, requireRecentLogin) : undefined;
  const row = await deps.db.asTenant(actor, async (tx) => {
    await requireClient(tx, slot);
    const { id, isCheckChanged, saved } = await store(deps, tx, actor, slot, { ...input, requireRecentLogin }, data, origin);
    await recordFact(tx, credentialSaved, slot);
    const isChecked = check !== undefined && (await recordCheck(tx, saved, { ...check, at: deps.clock.now() }));
    if (isCheckChanged || isChecked) await recordFact(tx, credentialCheckChanged, slot);
    const [summary] = await listSummaries(tx, slot, needsForSql(), id);
    if (!summary) throw new Error('A credential was not there right after it was saved.');
    return summary;
  });
  return toSummary(deps.platformKeys, row);
}

/** Asks the provider before anything changes. A key that is refused or not answered about is saved only where none works that agents would lose. */
async function checkFirst(
  deps: CredentialsDeps,
  actor: Actor,
  slot: Slot,
  data: CredentialData[StoredProvider],
  requireRecentLogin: (() => void) | undefined,
): Promise<CheckOutcome> {
  const current = await deps.db.asTenant(actor, async (tx) => {
    await requireClient(tx, slot);
    return findEffective(tx, slot);
  });
  if (current?.sealed && current.clientId === slot.clientId) requireRecentLogin?.();
  const outcome = await deps.checkProvider(slot.partnerId, slot.provider, data);
  const isThere =
    current?.sourceMode === 'platform'
      ? platformKey(deps.platformKeys, slot.provider) !== null && !current.isExcluded
      : (current?.sealed ?? null) !== null;
  if (!outcome.ok && isThere && current?.lastCheckOk !== false) refuse('key_refused', { detail: outcome.message });
  return outcome;
}

async function store(
  deps: CredentialsDeps,
  tx: Tx,
  actor: Actor,
  slot: Slot,
  { sourceMode, ifMatch, requireRecentLogin }: SaveInput & { requireRecentLogin: (() => void) | undefined },
  data: CredentialData[StoredProvider] | undefined,
  origin: Origin,
): Promise<{ id: string; isCheckChanged: boolean; saved: CheckedRow }> {
  const [, { row, dataKey }] = await Promise.all([lockSlot(tx, slot), findStored(tx, slot)]);
  if (row) requireMatch(ifMatch, row.updatedAt);
  if (sourceMode === 'byok' && !data && !row?.sealed) {
    refuse('validation_failed', {
      detail: 'Send your own key: none is stored yet.',
      errors: [{ field: 'data', code: 'required', message: 'Send the key in data.' }],
    });
  }
  if (sourceMode === 'platform') await requirePlatformKeys(tx, slot);
  if (row?.sealed) requireRecentLogin?.();
  const keyVersion = data ? (row?.keyVersion ?? 0) + 1 : (row?.keyVersion ?? 1);
  // Platform mode stores no own key: one that is no longer used is deleted.
  const unchanged = sourceMode === 'byok' ? (row?.sealed ?? null) : null;
  const tls = data ? ('ssl' in data ? sqlTlsState(data.ssl) : null) : (row?.tls ?? null);
  await queueSyncs(tx, slot);
  const sealed = data ? await deps.sealing.seal(tx, slot, keyVersion, data, dataKey) : unchanged;
  const written = await writeCredential(tx, slot, { id: row?.id ?? null, sourceMode, sealed, keyVersion, tls });
  await recordAudit(tx, {
    partnerId: slot.partnerId,
    clientId: slot.clientId,
    actor,
    action: 'credential.saved',
    target: { type: 'credential', id: written.id, label: slot.provider },
    changes: {
      ...(row?.sourceMode === sourceMode ? {} : { sourceMode: [row?.sourceMode ?? null, sourceMode] }),
      ...(data ? { data: ['changed', 'changed'] } : {}),
      // A key that is saved without verification stands in the audit log each time.
      ...(tls === (row?.tls ?? null) && tls !== 'not_verified' ? {} : { tls: [row?.tls ?? null, tls] }),
    },
    origin,
  });
  return { ...written, saved: { id: written.id, keyVersion, sourceMode } };
}

async function requirePlatformKeys(tx: Tx, { partnerId }: Slot): Promise<void> {
  if (await includesPlatformKeys(tx, partnerId)) return;
  refuse('plan_feature_required', { detail: 'Your plan does not include keys of the platform. Send sourceMode "byok" with your own key.' });
}

function requireData<P extends StoredProvider>(provider: P, given: { readonly [field: string]: unknown }): CredentialData[P] {
  const checked = checkCredentialData(provider, given);
  if (checked.ok) return checked.data;
  const count = checked.errors.length === 1 ? '1 field was' : `${checked.errors.length} fields were`;
  throw new AppError('validation_failed', { detail: `${count} not accepted.`, errors: checked.errors });
}

/** The text between the markers of PEM must be a certificate, or no connection could be made. */
function requireCertificates({ ssl }: CredentialData['postgres']): void {
  if (typeof ssl === 'boolean' || !('ca' in ssl)) return;
  for (const [index, pem] of (ssl.ca.match(/-----BEGIN[^]*?-----END CERTIFICATE-----/g) ?? []).entries()) {
    try {
      new X509Certificate(pem);
    } catch {
      refuseField('data.ssl', 'invalid', `Certificate ${index + 1} of the CA certificate cannot be read. Paste the whole file again.`);
    }
  }
}

/** Runs the check of every use now, so that the user learns of a refused host while saving. */
async function requirePublicHost(deps: CredentialsDeps, data: { host: string; port: number }): Promise<void> {
  const checked = await deps.tenantSql.checkAddress(data.host, data.port);
  if (checked.ok) return;
  if (checked.reason === 'unreachable') refuseField('data.host', 'unknown_host', checked.message);
  refuse('private_address', {
    detail: checked.message,
    errors: [{ field: 'data.host', code: 'private_address', message: checked.message }],
  });
}
