import { type Answers, assessCheck, nextCheck, servedUntil } from '@partner-portal/core/tenancy/domain-check.ts';
import { proofName } from '@partner-portal/core/tenancy/portal-host.ts';
import type { Actor } from '#platform/actor.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import { createKeyedLimiter } from '#platform/keyed-limiter.ts';
import { announce } from '#platform/notify.ts';
import { refuse } from '#platform/refuse.ts';
import { type Origin, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { DomainsDeps } from './deps.ts';
import { domainAnswer } from './domain-answer.ts';
import { refuseWithoutFeature } from './save-domain.ts';
import { domainsChanged } from './served-hosts.ts';
import { claimDue, findDomain, holdHost, isIncluded, lockDomain, saveCheck } from './store.ts';

type Claim = { partnerId: string; host: string; token: string };
type By = { actor: Actor | { kind: 'system' }; origin?: Origin };

const PAGE = '/dashboard/settings/domain';
const BATCH = 200;
const AT_ONCE = 8;
/** Longer than a batch takes: a claim left by a process that died is due again then. */
const CLAIM_MS = 30 * 60_000;

/** Looks for the record now, at the agency's request. */
export async function verifyDomain(deps: DomainsDeps, caller: RequestContext) {
  const { actor } = caller;
  const { partnerId } = actor;
  const claim = await deps.db.asTenant(actor, async (tx) => {
    await refuseWithoutFeature(tx, partnerId);
    return (await findDomain(tx, partnerId)) ?? refuse('not_found', { detail: 'Save a domain first.' });
  });
  await deps.limits.require('domainCheck', partnerId);
  const answers = await askAbout(deps, claim.host);
  const by = { actor, origin: originOf(caller) };
  const result = await deps.db.asSystem('domains', async (tx) => {
    await settle(deps, tx, claim, answers, by);
    await recordAudit(tx, { partnerId, ...by, action: 'domain.checked', target: { type: 'domain', id: partnerId, label: claim.host } });
    return domainAnswer(tx, deps.settings, partnerId);
  });
  deps.served.forget();
  return result;
}

/** Checks the domains that are due: new claims, verified ones whose record may be gone, and failing ones whose record may be back. */
export async function recheckDomains(deps: DomainsDeps, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
  const now = deps.clock.now();
  const due = await deps.db.asSystem('domains', (tx) => claimDue(tx, { now, until: new Date(now.getTime() + CLAIM_MS), limit: BATCH }));
  const inTurn = createKeyedLimiter({ total: AT_ONCE, perKey: 1 });
  const checks = await Promise.allSettled(
    due.map((claim) =>
      inTurn(claim.partnerId, async () => {
        if (signal.aborted) return;
        const answers = await askAbout(deps, claim.host);
        await deps.db.asSystem('domains', (tx) => settle(deps, tx, claim, answers, { actor: { kind: 'system' } }));
      }),
    ),
  );
  deps.served.forget();
  for (const check of checks) if (check.status === 'rejected') throw check.reason;
}

async function askAbout({ lookup }: Pick<DomainsDeps, 'lookup'>, host: string): Promise<Answers> {
  const [txt, address] = await Promise.all([lookup.texts(proofName(host)), lookup.address(host)]);
  return { txt, address };
}

/** Stores what a check found, with its consequences. Does nothing when the claim was replaced meanwhile. */
async function settle(deps: DomainsDeps, tx: SystemTx, claim: Claim, answers: Answers, by: By): Promise<void> {
  const { partnerId, host } = claim;
  const { graceDays, checkHours: intervalHours } = deps.settings;
  const now = deps.clock.now();
  const { isTaken } = await holdHost(tx, host, partnerId);
  const row = await lockDomain(tx, partnerId);
  if (!row || row.token !== claim.token) return;
  const found = assessCheck(row, answers, { now, graceDays });
  const checked =
    found.change === 'verified' && isTaken
      ? { ...found, status: row.status, verifiedAt: row.verifiedAt, problem: 'taken' as const, change: null }
      : found;
  const dueAt = nextCheck(checked, { now, claimedAt: row.createdAt, intervalHours, graceDays });
  await saveCheck(tx, partnerId, { ...checked, at: now, dueAt });
  const target = { type: 'domain', id: partnerId, label: host };
  const href = PAGE;
  // Without the plan feature nothing is served that could stop.
  const isMailed = (checked.change === 'missed' || checked.change === 'stopped') && (await isIncluded(tx, partnerId));
  if (isMailed && checked.change === 'missed' && checked.missingSince) {
    const until = servedUntil(checked.missingSince, graceDays);
    await deps.mail.queueMailToAdmins(tx, { partnerId, kind: 'domain_failing', data: { host, until, href } });
  }
  if (checked.change === 'stopped') {
    await recordAudit(tx, { partnerId, ...by, action: 'domain.stopped', target });
    if (isMailed) await deps.mail.queueMailToAdmins(tx, { partnerId, kind: 'domain_stopped', data: { host, at: now, href } });
  }
  if (checked.change === 'verified') await recordAudit(tx, { partnerId, ...by, action: 'domain.verified', target });
  if (checked.change === 'verified' || checked.change === 'stopped') await announce(tx, domainsChanged, {});
}
