import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { setRolloutPaused } from '@partner-portal/core/provisioning/rollout.ts';
import { type AuditEntry, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import type { RolloutsDeps } from './deps.ts';
import { queueBatch } from './roll-out-job.ts';
import {
  findRollout,
  hasOpenRollout,
  insertRollout,
  insertRolloutPartners,
  listKnownPartners,
  listOutdated,
  listRolloutPartners,
  listRolloutRows,
  lockRollout,
  lockTemplate,
  type RolloutPartnerRow,
  type RolloutRow,
  retryFailed,
  writeRollout,
} from './store.ts';

const LISTED = 20;

/** Starts a rollout of a template's newest version to partners on an older one. */
export async function startRollout(
  deps: RolloutsDeps,
  context: RequestContext,
  input: { templateName: string; partnerIds: 'all' | readonly string[]; batchSize: number },
) {
  const template = deps.templateOf(input.templateName);
  if (!template?.isActive) return refuseField('templateName', 'unknown_template', 'The catalog offers no such template.');
  const { name: templateName, templateVersion: targetVersion } = template;
  return deps.db.asStaff(context.actor, async (tx) => {
    const requested = input.partnerIds === 'all' ? null : [...new Set(input.partnerIds)];
    if (requested && (await listKnownPartners(tx, requested)).length < requested.length) return refuse('not_found');
    const outdated = await listOutdated(tx, templateName, targetVersion, requested);
    if (outdated.length === 0)
      return refuse('invalid_state', { detail: `No agency that can be updated has an older version of “${template.title}”.` });
    await lockTemplate(tx, templateName);
    if (await hasOpenRollout(tx, templateName))
      return refuse('already_pending', { detail: 'A roll-out of this template is already running.' });
    const requestedBy = context.actor.userId;
    const id = await insertRollout(tx, { templateName, targetVersion, batchSize: input.batchSize, requestedBy });
    const skipped = (requested ?? []).filter((partnerId) => !outdated.includes(partnerId));
    await insertRolloutPartners(tx, id, outdated, skipped, 'Not ready, or without an agent on an older version, archived clients aside.');
    await queueBatch(tx, id);
    await audit(
      tx,
      context,
      'rollout.started',
      { id, templateName },
      { targetVersion: [null, targetVersion], agencies: [null, outdated.length] },
    );
    return loadRecord(tx, id);
  });
}

/** Pauses a rollout after the partners in progress, or resumes it; resuming retries failed partners. */
export async function pauseRollout(deps: RolloutsDeps, context: RequestContext, id: string, paused: boolean) {
  return deps.db.asStaff(context.actor, async (tx) => {
    const before = (await lockRollout(tx, id)) ?? refuse('not_found');
    const status = setRolloutPaused(before.status, paused);
    if (status === null) return refuse('invalid_state', { detail: `This roll-out is ${before.status}.` });
    if (status === before.status) return loadRecord(tx, id);
    if (status === 'running') {
      await lockTemplate(tx, before.templateName);
      if (before.status === 'stopped' && (await hasOpenRollout(tx, before.templateName)))
        return refuse('already_pending', { detail: 'Another roll-out of this template is already running.' });
      await retryFailed(tx, id);
      await queueBatch(tx, id);
    }
    await writeRollout(tx, id, status, status === 'running' ? context.now : null);
    await audit(tx, context, 'rollout.paused', before, { status: [before.status, status] });
    return loadRecord(tx, id);
  });
}

export async function readRollout(deps: RolloutsDeps, actor: Actor, id: string) {
  return deps.db.asStaff(actor, async (tx) => {
    if (!(await findRollout(tx, id))) return refuse('not_found');
    return loadRecord(tx, id);
  });
}

export async function readRollouts(deps: RolloutsDeps, actor: Actor, templateName: string | undefined) {
  return deps.db.asStaff(actor, async (tx) => toRecords(tx, await listRolloutRows(tx, templateName ?? null, LISTED)));
}

async function loadRecord(tx: SystemTx, id: string) {
  const row = await findRollout(tx, id);
  const [found] = row ? await toRecords(tx, [row]) : [];
  if (!found) throw new Error('A rollout vanished.');
  return found;
}

async function toRecords(tx: SystemTx, rows: readonly RolloutRow[]) {
  const partners = await listRolloutPartners(
    tx,
    rows.map((row) => row.id),
  );
  const of = Map.groupBy(partners, (one) => one.rolloutId);
  return rows.map((row) => ({ ...row, counts: countOf(of.get(row.id) ?? []), partners: of.get(row.id) ?? [] }));
}

function countOf(partners: readonly RolloutPartnerRow[]) {
  const count = (status: string): number => partners.filter((one) => one.status === status).length;
  return {
    pending: count('pending'),
    running: count('running'),
    succeeded: count('succeeded'),
    failed: count('failed'),
    skipped: count('skipped'),
  };
}

async function audit(
  tx: SystemTx,
  context: RequestContext,
  action: AuditAction,
  rollout: { id: string; templateName: string },
  changes: NonNullable<AuditEntry['changes']>,
): Promise<void> {
  const target = { type: 'rollout', id: rollout.id, label: rollout.templateName };
  // Recorded once for staff; each partner has the audit entry of its own repair.
  await recordAudit(tx, { partnerId: context.actor.partnerId, actor: context.actor, action, target, changes, origin: originOf(context) });
}
