import type { RolloutStatus } from '@partner-portal/contract/vocabulary.ts';
import type { RolloutPartnerFacts, RolloutCounts } from '@partner-portal/core/provisioning/rollout.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { IS_INSTALLED_AGAIN } from '#schema/agent-conditions.ts';

export type RolloutRow = {
  id: string;
  templateName: string;
  targetVersion: number;
  status: RolloutStatus;
  batchSize: number;
  requestedBy: string | null;
  requestedByName: string | null;
  createdAt: Date;
  finishedAt: Date | null;
};
export type RolloutPartnerRow = {
  rolloutId: string;
  partnerId: string;
  name: string;
  status: string;
  attemptId: string | null;
  message: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
};

const ROLLOUT = `select r.id, r.template_name, r.target_version, r.status, r.batch_size, r.requested_by, coalesce(nullif(u.full_name, ''), u.email) as requested_by_name,
  r.created_at, r.finished_at from rollout r left join app_user u on u.id = r.requested_by`;

/** Whether a repair of partner `p` would bring an agent of this template to this version. */
const isOutdated = (templateName: string, version: string) =>
  `exists (select 1 from workflow w left join client c on c.id = w.client_id
    where w.partner_id = p.id and w.template_name = ${templateName} and w.provider_flow_id is not null and w.template_version < ${version} and ${IS_INSTALLED_AGAIN})`;

export async function findRollout(tx: SystemTx, id: string): Promise<RolloutRow | undefined> {
  const [row] = await runStatement<'rollout_find', RolloutRow>(tx, {
    name: 'rollout_find',
    text: `${ROLLOUT} where r.id = $1`,
    values: [id],
  });
  return row;
}

/** Locks the rollout until the transaction ends. */
export async function lockRollout(tx: SystemTx, id: string): Promise<RolloutRow | undefined> {
  const [row] = await runStatement<'rollout_lock', RolloutRow>(tx, {
    name: 'rollout_lock',
    text: `${ROLLOUT} where r.id = $1 for no key update of r`,
    values: [id],
  });
  return row;
}

export async function listRolloutRows(tx: SystemTx, templateName: string | null, limit: number): Promise<RolloutRow[]> {
  return runStatement<'rollout_list', RolloutRow>(tx, {
    name: 'rollout_list',
    text: `${ROLLOUT} where $1::text is null or r.template_name = $1 order by r.id desc limit $2`,
    values: [templateName, limit],
  });
}

export async function listRolloutPartners(tx: SystemTx, rolloutIds: readonly string[]): Promise<RolloutPartnerRow[]> {
  return runStatement<'rollout_list_partners', RolloutPartnerRow>(tx, {
    name: 'rollout_list_partners',
    text: `select x.rollout_id, x.partner_id, p.name, x.status, x.attempt_id, x.message, x.started_at, x.finished_at
      from rollout_partner x join partner p on p.id = x.partner_id where x.rollout_id = any($1::uuid[]) order by p.name, p.id`,
    values: [rolloutIds],
  });
}

/** Partners whose instance is ready or being repaired and that run an older version of the template; all, or those named. */
export async function listOutdated(
  tx: SystemTx,
  templateName: string,
  version: number,
  partnerIds: readonly string[] | null,
): Promise<string[]> {
  const rows = await runStatement<'rollout_list_outdated', { id: string }>(tx, {
    name: 'rollout_list_outdated',
    text: `select p.id from partner p join automation_instance i on i.partner_id = p.id and i.status in ('ready', 'provisioning')
      where p.status = 'active' and ($3::uuid[] is null or p.id = any($3)) and ${isOutdated('$1', '$2')} order by p.id`,
    values: [templateName, version, partnerIds],
  });
  return rows.map((row) => row.id);
}

/** State of a partner before its repair. A failure is the rollout's own if the failed attempt was for this template only and started after the rollout. */
export async function readPartnerState(tx: SystemTx, rollout: RolloutRow, partnerId: string): Promise<RolloutPartnerFacts> {
  const [row] = await runStatement<'rollout_look_at_agency', RolloutPartnerFacts>(tx, {
    name: 'rollout_look_at_agency',
    text: `select i.status as instance,
        ${isOutdated('$2', '$3')} as is_outdated,
        coalesce(i.status = 'failed' and a.mode in ('repair', 'provision') and a.client_id is null and a.template_names = array[$2] and a.started_at >= $4, false) as is_own_failure
      from partner p left join automation_instance i on i.partner_id = p.id left join provisioning_attempt a on a.id = i.current_attempt_id where p.id = $1`,
    values: [partnerId, rollout.templateName, rollout.targetVersion, rollout.createdAt],
  });
  return row ?? { instance: null, isOutdated: false, isOwnFailure: false };
}

/** Serializes starting and resuming rollouts of a template until the transaction ends. */
export async function lockTemplate(tx: SystemTx, templateName: string): Promise<void> {
  await runStatement(tx, {
    name: 'rollout_lock_template',
    text: "select pg_advisory_xact_lock(hashtextextended('rollout:' || $1, 0))",
    values: [templateName],
  });
}

export async function hasOpenRollout(tx: SystemTx, templateName: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'rollout_has_open',
    text: "select 1 from rollout where template_name = $1 and status in ('running', 'paused') limit 1",
    values: [templateName],
  });
  return rows.length > 0;
}

export async function listKnownPartners(tx: SystemTx, partnerIds: readonly string[]): Promise<string[]> {
  const rows = await runStatement<'rollout_list_known', { id: string }>(tx, {
    name: 'rollout_list_known',
    text: "select id from partner where id = any($1::uuid[]) and status <> 'deleted' and not is_house",
    values: [partnerIds],
  });
  return rows.map((row) => row.id);
}

export async function insertRollout(
  tx: SystemTx,
  rollout: { templateName: string; targetVersion: number; batchSize: number; requestedBy: string },
): Promise<string> {
  const [row] = await runStatement<'rollout_insert', { id: string }>(tx, {
    name: 'rollout_insert',
    text: 'insert into rollout (template_name, target_version, batch_size, requested_by) values ($1, $2, $3, $4) returning id',
    values: [rollout.templateName, rollout.targetVersion, rollout.batchSize, rollout.requestedBy],
  });
  if (!row) throw new Error('A rollout was not written.');
  return row.id;
}

export async function insertRolloutPartners(
  tx: SystemTx,
  rolloutId: string,
  pending: readonly string[],
  skipped: readonly string[],
  why: string,
) {
  await runStatement(tx, {
    name: 'rollout_insert_partners',
    text: `insert into rollout_partner (rollout_id, partner_id, status, message, finished_at)
      select $1::uuid, x, 'pending', null::text, null::timestamptz from unnest($2::uuid[]) x union all select $1::uuid, x, 'skipped', $4::text, now() from unnest($3::uuid[]) x`,
    values: [rolloutId, pending, skipped, why],
  });
}

/** Claims the next partners, and those whose process died. */
export async function claimPartners(tx: SystemTx, claim: { rolloutId: string; by: string; batch: number }): Promise<string[]> {
  const rows = await runStatement<'rollout_claim_partners', { partnerId: string }>(tx, {
    name: 'rollout_claim_partners',
    text: `update rollout_partner x set status = 'running', claimed_by = $2, started_at = now(), finished_at = null, message = null
      from (select partner_id from rollout_partner where rollout_id = $1 and (status = 'running' or status = 'pending' and due_at <= now()) order by partner_id limit $3 for update skip locked) c
      where x.rollout_id = $1 and x.partner_id = c.partner_id returning x.partner_id`,
    values: [claim.rolloutId, claim.by, claim.batch],
  });
  return rows.map((row) => row.partnerId);
}

export type PartnerEnd = { status: 'succeeded' | 'failed' | 'skipped' | 'pending'; attemptId: string | null; message: string | null };

/** Writes a partner's outcome, for its claimant only; `pending` is due again in a minute. */
export async function settlePartner(
  tx: SystemTx,
  key: { rolloutId: string; partnerId: string; by: string },
  end: PartnerEnd,
): Promise<void> {
  await runStatement(tx, {
    name: 'rollout_settle_partner',
    text: `update rollout_partner set status = $4, attempt_id = $5, message = $6, claimed_by = null, finished_at = case when $4 = 'pending' then null else now() end,
      due_at = case when $4 = 'pending' then now() + interval '1 minute' else due_at end
      where rollout_id = $1 and partner_id = $2 and claimed_by = $3 and status = 'running'`,
    values: [key.rolloutId, key.partnerId, key.by, end.status, end.attemptId, end.message],
  });
}

/** Agencies that failed are tried again. */
export async function retryFailed(tx: SystemTx, rolloutId: string): Promise<void> {
  await runStatement(tx, {
    name: 'rollout_retry_failed',
    text: "update rollout_partner set status = 'pending', due_at = now(), finished_at = null where rollout_id = $1 and status = 'failed'",
    values: [rolloutId],
  });
}

export type Progress = RolloutCounts & { nextDueAt: Date | null };

export async function readProgress(tx: SystemTx, rolloutId: string): Promise<Progress> {
  const [row] = await runStatement<'rollout_progress', Progress>(tx, {
    name: 'rollout_progress',
    text: `select count(*) filter (where status = 'pending')::int as pending, count(*) filter (where status = 'running')::int as running,
        count(*) filter (where status = 'succeeded')::int as succeeded, count(*) filter (where status = 'failed')::int as failed,
        count(*) filter (where status = 'skipped')::int as skipped, min(due_at) filter (where status in ('pending', 'running')) as next_due_at
      from rollout_partner where rollout_id = $1`,
    values: [rolloutId],
  });
  if (!row) throw new Error('A count has no row.');
  return row;
}

export async function writeRollout(tx: SystemTx, id: string, status: RolloutStatus, dueAt: Date | null): Promise<void> {
  await runStatement(tx, {
    name: 'rollout_write',
    text: "update rollout set status = $2, due_at = $3, finished_at = case when $2 in ('completed', 'stopped') then now() end where id = $1",
    values: [id, status, dueAt],
  });
}

export async function listDueRollouts(tx: SystemTx, limit: number): Promise<string[]> {
  const rows = await runStatement<'rollout_list_due', { id: string }>(tx, {
    name: 'rollout_list_due',
    text: "select id from rollout where due_at <= now() and status = 'running' order by due_at limit $1",
    values: [limit],
  });
  return rows.map((row) => row.id);
}
