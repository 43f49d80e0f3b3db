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

/** Begins to bring the newest version of a template to agencies that run an older one. */
export async function startRollout(
  deps: RolloutsDeps,
  context: RequestContext,
  input: { templateName: string; partnerIds: 'all' | readonly string[]; batchSize: number },
) {
  const template = deps.templateOf(input.templateName);
  if (!template?.isActive) return refuseField('templateName', 'unknown_template', 'The catalog offers no such template.');
  const { name: templateName, templateVersion: targetVersion } = template;
  return deps.db.asStaff(context.actor, async (tx) => {
    const asked = input.partnerIds === 'all' ? null : [...new Set(input.partnerIds)];
    if (asked && (await listKnownPartners(tx, asked)).length < asked.length) return refuse('not_found');
    const outdated = await listOutdated(tx, templateName, targetVersion, asked);
    if (outdated.length === 0)
      return refuse('invalid_state', { detail: `No ready agency of these runs an older version of “${template.title}”.` });
    await lockTemplate(tx, templateName);
    if (await hasOpenRollout(tx, templateName)) return refuse('already_pending', { detail: 'A roll-out of this template is under way.' });
    const requestedBy = context.actor.userId;
    const id = await insertRollout(tx, { templateName, targetVersion, batchSize: input.batchSize, requestedBy });
    const skipped = (asked ?? []).filter((partnerId) => !outdated.includes(partnerId));
    await insertRolloutPartners(tx, id, outdated, skipped, 'Not ready, or it runs the newest version already.');
    await queueBatch(tx, id);
    await audit(
      tx,
      context,
      'rollout.started',
      { id, templateName },
      { targetVersion: [null, targetVersion], agencies: [null, outdated.length] },
    );
    return mustAnswer(tx, id);
  });
}

/** Holds a roll-out after the agencies under way, or lets it go on; then those that failed are tried again. */
export async function pauseRollout(deps: RolloutsDeps, context: RequestContext, id: string, paused: boolean) {
  return deps.db.asStaff(context.actor, async (tx) => {
    const before = (await lockRollout(tx, id)) ?? refuse('not_found');
    const status = setRolloutPaused(before.status, paused);
    if (status === null) return refuse('invalid_state', { detail: `This roll-out is ${before.status}.` });
    if (status === before.status) return mustAnswer(tx, id);
    if (status === 'running') {
      await lockTemplate(tx, before.templateName);
      if (before.status === 'stopped' && (await hasOpenRollout(tx, before.templateName)))
        return refuse('already_pending', { detail: 'Another roll-out of this template is under way.' });
      await retryFailed(tx, id);
      await queueBatch(tx, id);
    }
    await writeRollout(tx, id, status, status === 'running' ? context.now : null);
    await audit(tx, context, 'rollout.paused', before, { status: [before.status, status] });
    return mustAnswer(tx, id);
  });
}

export async function readRollout(deps: RolloutsDeps, actor: Actor, id: string) {
  return deps.db.asStaff(actor, async (tx) => {
    if (!(await findRollout(tx, id))) return refuse('not_found');
    return mustAnswer(tx, id);
  });
}

export async function readRollouts(deps: RolloutsDeps, actor: Actor, templateName: string | undefined) {
  return deps.db.asStaff(actor, async (tx) => answers(tx, await listRolloutRows(tx, templateName ?? null, LISTED)));
}

async function mustAnswer(tx: SystemTx, id: string) {
  const row = await findRollout(tx, id);
  const [found] = row ? await answers(tx, [row]) : [];
  if (!found) throw new Error('A roll-out vanished.');
  return found;
}

async function answers(tx: SystemTx, rows: readonly RolloutRow[]) {
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
  // It concerns many agencies; each of them has the line of its own repair.
  await recordAudit(tx, { partnerId: context.actor.partnerId, actor: context.actor, action, target, changes, origin: originOf(context) });
}
