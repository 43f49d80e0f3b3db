import { randomBytes } from 'node:crypto';
import { parsePortalHost } from '@partner-portal/core/tenancy/portal-host.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { announce } from '#platform/notify.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { DomainsDeps } from './deps.ts';
import { domainAnswer } from './domain-answer.ts';
import { domainsChanged } from './served-hosts.ts';
import { deleteDomain, isIncluded, isTaken, lockDomain, putClaim } from './store.ts';

export async function refuseWithoutFeature(tx: Tx, partnerId: string): Promise<void> {
  if (!(await isIncluded(tx, partnerId)))
    refuse('plan_feature_required', { detail: 'Your plan does not include a domain of your own for the client portal.' });
}

/** Sets the domain. Another host begins as a new claim with a new token, and the earlier one is no longer served; the same host changes nothing. */
export async function saveDomain(deps: DomainsDeps, caller: RequestContext, input: { host: string }) {
  const { actor, now } = caller;
  const { partnerId } = actor;
  const parsed = parsePortalHost(input.host, new URL(deps.baseUrl).hostname);
  const saved = await deps.db.asTenant(actor, async (tx) => {
    await refuseWithoutFeature(tx, partnerId);
    if (!parsed.ok) return refuseField('host', parsed.problem, parsed.message);
    const { host } = parsed;
    const before = await lockDomain(tx, partnerId);
    if (before?.host !== host) {
      if (await isTaken(tx, host)) return refuse('already_exists', { detail: `"${host}" is verified by another account.` });
      await putClaim(tx, { partnerId, host, token: `portal-verification=${randomBytes(24).toString('base64url')}`, at: now });
      await announce(tx, domainsChanged, {});
    }
    await recordAudit(tx, {
      partnerId,
      actor,
      action: 'domain.saved',
      target: { type: 'domain', id: partnerId, label: host },
      changes: { host: [before?.host ?? null, host] },
      origin: originOf(caller),
    });
    return domainAnswer(tx, deps.settings, partnerId);
  });
  deps.served.forget();
  return saved;
}

export async function removeDomain(deps: DomainsDeps, caller: RequestContext): Promise<void> {
  const { actor } = caller;
  const { partnerId } = actor;
  await deps.db.asTenant(actor, async (tx) => {
    const row = await lockDomain(tx, partnerId);
    if (!row) return refuse('not_found');
    await deleteDomain(tx, partnerId);
    await announce(tx, domainsChanged, {});
    await recordAudit(tx, {
      partnerId,
      actor,
      action: 'domain.removed',
      target: { type: 'domain', id: partnerId, label: row.host },
      origin: originOf(caller),
    });
  });
  deps.served.forget();
}
