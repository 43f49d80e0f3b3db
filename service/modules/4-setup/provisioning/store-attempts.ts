import type { AttemptMode, InstanceStatus, StageKey, TenancyMode } from '@partner-portal/contract/vocabulary.ts';
import { HELD_STATUSES } from '@partner-portal/core/provisioning/instance.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** Writes of instance, attempt and steps. Every write names its attempt, so that a late one has no effect. */

export type LockedInstance = {
  status: InstanceStatus;
  /** Tenancy mode its engine objects were created under, which may differ from the setting. */
  tenancyMode: TenancyMode;
  projectId: string | null;
  currentAttemptId: string | null;
  /** Mode of the attempt that holds or held it last. */
  lastMode: AttemptMode | null;
};

/** Creates the instance row if missing and locks it, so that attempts of one partner are numbered in order. */
export async function lockInstance(
  tx: SystemTx,
  row: { partnerId: string; provider: string; tenancyMode: TenancyMode },
): Promise<LockedInstance> {
  await runStatement(tx, {
    name: 'provisioning_add_instance',
    text: `insert into automation_instance (partner_id, provider, tenancy_mode) values ($1, $2, $3) on conflict (partner_id) do nothing`,
    values: [row.partnerId, row.provider, row.tenancyMode],
  });
  const [found] = await runStatement<'provisioning_lock_instance', LockedInstance>(tx, {
    name: 'provisioning_lock_instance',
    text: `select i.status, i.tenancy_mode, i.project_id, i.current_attempt_id,
        (select a.mode from provisioning_attempt a where a.id = i.current_attempt_id) as last_mode
      from automation_instance i where i.partner_id = $1 for update of i`,
    values: [row.partnerId],
  });
  if (!found) throw new Error('An instance row vanished while it was locked.');
  return found;
}

export type NewAttempt = {
  id: string;
  partnerId: string;
  mode: AttemptMode;
  requestedBy: string | null;
  clientId: string | null;
  templateNames: string[];
  refreshTemplates: boolean;
  steps: { name: string; stage: StageKey }[];
};

/** Inserts the attempt with its pending steps; returns its number. Requires the locked instance. */
export async function insertAttempt(tx: SystemTx, attempt: NewAttempt): Promise<number> {
  const [row] = await runStatement<'provisioning_insert_attempt', { number: number }>(tx, {
    name: 'provisioning_insert_attempt',
    text: `with a as (
        insert into provisioning_attempt (id, partner_id, number, mode, requested_by, client_id, template_names, refresh_templates, started_at)
        select $1, $2, coalesce(max(p.number), 0) + 1, $3, $4, $5, $6, $7, clock_timestamp() from provisioning_attempt p where p.partner_id = $2
        returning id, partner_id, number
      ), s as (
        insert into provisioning_step (attempt_id, partner_id, "order", name, stage)
        select a.id, a.partner_id, n.ord, n.name, n.stage from a, unnest($8::text[], $9::text[]) with ordinality as n(name, stage, ord)
      ) select number from a`,
    values: [
      attempt.id,
      attempt.partnerId,
      attempt.mode,
      attempt.requestedBy,
      attempt.clientId,
      attempt.templateNames,
      attempt.refreshTemplates,
      attempt.steps.map((step) => step.name),
      attempt.steps.map((step) => step.stage),
    ],
  });
  if (!row) throw new Error('An attempt was not written.');
  return row.number;
}

/** Claims the instance by one guarded update and returns its status before; undefined when its status does not allow the claim. */
export async function claimInstance(
  tx: SystemTx,
  claim: { partnerId: string; attemptId: string; from: InstanceStatus[]; to: InstanceStatus; timeoutMinutes: number },
): Promise<InstanceStatus | undefined> {
  const [row] = await runStatement<'provisioning_claim', { status: InstanceStatus }>(tx, {
    name: 'provisioning_claim',
    text: `update automation_instance set status = $4, current_attempt_id = $2, due_at = now() + make_interval(mins => $5), last_error = null, error_public = null
      where partner_id = $1 and status = any($3) returning old.status`,
    values: [claim.partnerId, claim.attemptId, claim.from, claim.to, claim.timeoutMinutes],
  });
  return row?.status;
}

export async function writeInstance(
  tx: SystemTx,
  held: { partnerId: string; attemptId: string },
  change: { baseUrl?: string; projectId?: string; provider?: string; tenancyMode?: TenancyMode },
): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'provisioning_write_instance',
    text: `update automation_instance set base_url = coalesce($3, base_url), project_id = coalesce($4, project_id), provider = coalesce($5, provider),
        tenancy_mode = coalesce($6, tenancy_mode)
      where partner_id = $1 and current_attempt_id = $2 and status = any($7) returning partner_id`,
    values: [
      held.partnerId,
      held.attemptId,
      change.baseUrl ?? null,
      change.projectId ?? null,
      change.provider ?? null,
      change.tenancyMode ?? null,
      HELD_STATUSES,
    ],
  });
  return rows.length > 0;
}

/** False when the attempt is over. */
export async function startStep(tx: SystemTx, attemptId: string, order: number): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'provisioning_start_step',
    text: `update provisioning_step s set status = 'running', started_at = clock_timestamp() from provisioning_attempt a
      where s.attempt_id = $1 and s."order" = $2 and a.id = $1 and a.status = 'running' returning s.attempt_id`,
    values: [attemptId, order],
  });
  return rows.length > 0;
}

/** Whether the attempt is running; locks it so that no other process ends it before this transaction does. */
export async function holdRunning(tx: SystemTx, attemptId: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'provisioning_hold_running',
    text: "select 1 from provisioning_attempt where id = $1 and status = 'running' for share",
    values: [attemptId],
  });
  return rows.length > 0;
}

export type StepEnd = { summary: string | null; warnings: readonly string[]; metadata: { [key: string]: unknown } };

/** False when the attempt is over. */
export async function finishStep(tx: SystemTx, attemptId: string, order: number, end: StepEnd): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'provisioning_finish_step',
    text: `update provisioning_step s set status = 'succeeded', finished_at = clock_timestamp(), summary = $3, warnings = $4, metadata = $5 from provisioning_attempt a
      where s.attempt_id = $1 and s."order" = $2 and s.status = 'running' and a.id = $1 and a.status = 'running' returning s.attempt_id`,
    values: [attemptId, order, end.summary, end.warnings, JSON.stringify(end.metadata)],
  });
  return rows.length > 0;
}

export async function completeAttempt(tx: SystemTx, attemptId: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'provisioning_complete_attempt',
    text: `update provisioning_attempt set status = 'succeeded', finished_at = clock_timestamp() where id = $1 and status = 'running' returning id`,
    values: [attemptId],
  });
  return rows.length > 0;
}

/** Clears the partner's own project after it was deleted in the engine. */
export async function forgetProject(tx: SystemTx, held: { partnerId: string; attemptId: string }): Promise<void> {
  await runStatement(tx, {
    name: 'provisioning_forget_project',
    text: `update automation_instance set project_id = null
      where partner_id = $1 and current_attempt_id = $2 and status = any($3)`,
    values: [held.partnerId, held.attemptId, HELD_STATUSES],
  });
}

/** Releases the instance from its attempt; `unprovisioned` clears everything of the engine. False when another attempt holds it. */
export async function settleInstance(
  tx: SystemTx,
  held: { partnerId: string; attemptId: string; from: InstanceStatus },
  end: { to: InstanceStatus; stampsProvisionedAt: boolean },
): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'provisioning_settle_instance',
    text: `update automation_instance set status = $4, due_at = null, last_error = null, error_public = null,
        provisioned_at = case when $5 then clock_timestamp() when $4 = 'unprovisioned' then null else provisioned_at end,
        project_id = case when $4 = 'unprovisioned' then null else project_id end,
        base_url = case when $4 = 'unprovisioned' then null else base_url end
      where partner_id = $1 and current_attempt_id = $2 and status = $3 returning partner_id`,
    values: [held.partnerId, held.attemptId, held.from, end.to, end.stampsProvisionedAt],
  });
  return rows.length > 0;
}

export type Failure = { internal: string; public: string; metadata: { [key: string]: unknown } };

/** Fails the attempt and the step, and skips the steps after it. False when the attempt has ended already. */
export async function failAttempt(tx: SystemTx, attemptId: string, order: number, failure: Failure): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'provisioning_fail_attempt',
    text: `with a as (
        update provisioning_attempt set status = 'failed', finished_at = clock_timestamp(), error = $3, error_public = $4
        where id = $1 and status = 'running' returning id
      ), s as (
        update provisioning_step p set
          status = case when p."order" = $2 then 'failed' else 'skipped' end,
          started_at = case when p."order" = $2 then coalesce(p.started_at, clock_timestamp()) else p.started_at end,
          finished_at = case when p."order" = $2 then clock_timestamp() else p.finished_at end,
          error = case when p."order" = $2 then $3 end, error_public = case when p."order" = $2 then $4 end,
          metadata = case when p."order" = $2 then $5::jsonb else p.metadata end
        from a where p.attempt_id = a.id and p."order" >= $2 and p.status in ('pending', 'running')
      ) select id from a`,
    values: [attemptId, order, failure.internal, failure.public, JSON.stringify(failure.metadata)],
  });
  return rows.length > 0;
}

/**
 * Fails the instance with its attempt: the one that holds it, or one that ended before its claim while no other holds it. Never
 * overwrites a running attempt. Returns the status before; undefined when nothing was written.
 */
export async function failInstance(
  tx: SystemTx,
  attempt: { partnerId: string; attemptId: string; claimed: boolean; from: InstanceStatus[] },
  failure: Pick<Failure, 'internal' | 'public'>,
): Promise<InstanceStatus | undefined> {
  const [row] = await runStatement<'provisioning_fail_instance', { status: InstanceStatus }>(tx, {
    name: 'provisioning_fail_instance',
    text: `update automation_instance set status = 'failed', due_at = null, last_error = $5, error_public = $6, current_attempt_id = $2
      where partner_id = $1 and status = any($4) and (not $3 or current_attempt_id = $2) returning old.status`,
    values: [attempt.partnerId, attempt.attemptId, attempt.claimed, attempt.from, failure.internal, failure.public],
  });
  return row?.status;
}

/** `from` is the status of an instance that failed with it; null when the attempt held none. */
export type Ended = { partnerId: string; attemptId: string; from: InstanceStatus | null };

/** Times out attempts older than the limit, with or without a claim, and fails their instances. At most `batch`. */
export async function reapAttempts(
  tx: SystemTx,
  timeoutMinutes: number,
  batch: number,
  text: { internal: string; public: string },
): Promise<Ended[]> {
  return runStatement<'provisioning_reap_attempts', Ended>(tx, {
    name: 'provisioning_reap_attempts',
    prepare: false,
    text: `with overdue as (
        select a.id, a.partner_id from provisioning_attempt a left join automation_instance i on i.current_attempt_id = a.id
        where a.status = 'running' and coalesce(i.due_at, a.started_at + make_interval(mins => $1)) <= now()
        order by a.started_at limit $2 for update of a skip locked
      ), a as (
        update provisioning_attempt a set status = 'timed_out', finished_at = clock_timestamp(), error = $3, error_public = $4
        from overdue where a.id = overdue.id returning a.id, a.partner_id
      ), s as (
        update provisioning_step p set
          error = case when p.status = 'running' then $3 end, error_public = case when p.status = 'running' then $4 end,
          finished_at = case when p.status = 'running' then clock_timestamp() end,
          status = case when p.status = 'running' then 'failed' else 'skipped' end
        from a where p.attempt_id = a.id and p.status in ('pending', 'running')
      ), i as (
        update automation_instance i set status = 'failed', due_at = null, last_error = $3, error_public = $4
        from a where i.partner_id = a.partner_id and i.current_attempt_id = a.id and i.status = any($5)
        returning i.partner_id, old.status
      ) select a.partner_id, a.id as attempt_id, i.status as "from" from a left join i on i.partner_id = a.partner_id`,
    values: [timeoutMinutes, batch, text.internal, text.public, HELD_STATUSES],
  });
}

/** Fails overdue instances that no running attempt holds. None should exist; this is the only way to free them. */
export async function freeOrphans(tx: SystemTx, batch: number, text: { internal: string; public: string }): Promise<Ended[]> {
  return runStatement<'provisioning_free_orphans', Ended>(tx, {
    name: 'provisioning_free_orphans',
    prepare: false,
    text: `update automation_instance i set status = 'failed', due_at = null, last_error = $2, error_public = $3
      where i.partner_id in (
        select o.partner_id from automation_instance o
        where o.due_at <= now() and o.status = any($4)
          and not exists (select 1 from provisioning_attempt a where a.id = o.current_attempt_id and a.status = 'running')
        order by o.due_at limit $1 for update skip locked)
      returning i.partner_id, i.current_attempt_id as attempt_id, old.status as "from"`,
    values: [batch, text.internal, text.public, HELD_STATUSES],
  });
}
