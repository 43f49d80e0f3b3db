import { PURGE_STEPS, type PurgeStepName, type PurgeStepStatus } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { Account } from './deps.ts';

export type Claimed = Account & { deletionRequestId: string };

/** Lists purges that are due and that no worker holds: their job was lost. */
export async function listDuePurges(tx: SystemTx, now: Date, batch: number): Promise<string[]> {
  const rows = await runStatement<'purge_due', { id: string }>(tx, {
    name: 'purge_due',
    text: `select deletion_request_id as id from purge where due_at <= $1 and (claimed_until is null or claimed_until <= now()) order by due_at limit $2`,
    values: [now, batch],
  });
  return rows.map((row) => row.id);
}

/** Adds the steps of a purge that has just begun, which is due at once. */
export async function addSteps(tx: SystemTx, deletionRequestId: string, partnerId: string, now: Date): Promise<void> {
  await runStatement(tx, {
    name: 'purge_add_steps',
    text: `with begun as (update purge set due_at = $4, barrier = pg_current_xact_id() where deletion_request_id = $1)
      insert into purge_step (deletion_request_id, position, partner_id, name)
      select $1, s.position, $2, s.name from unnest($3::text[]) with ordinality as s(name, position)`,
    values: [deletionRequestId, partnerId, [...PURGE_STEPS], now],
  });
}

/** From here on the account counts as deleted: no session, event or report of it is accepted. */
export async function markDeleted(tx: SystemTx, { partnerId, clientId }: Account): Promise<void> {
  if (clientId === null)
    await runStatement(tx, {
      name: 'purge_mark_partner',
      text: "update partner set status = 'deleted' where id = $1",
      values: [partnerId],
    });
  else
    await runStatement(tx, { name: 'purge_mark_client', text: "update client set status = 'deleted' where id = $1", values: [clientId] });
}

/** Claims a due purge for `leaseSeconds`; undefined when another worker holds it or it has ended. */
export async function claimPurge(
  tx: SystemTx,
  deletionRequestId: string,
  worker: string,
  now: Date,
  leaseSeconds: number,
): Promise<Claimed | undefined> {
  const [row] = await runStatement<'purge_claim', Claimed>(tx, {
    name: 'purge_claim',
    text: `update purge set claimed_by = $2, claimed_until = now() + make_interval(secs => $4)
      where deletion_request_id = $1 and due_at <= $3 and (claimed_until is null or claimed_until <= now()) returning deletion_request_id, partner_id, client_id`,
    values: [deletionRequestId, worker, now, leaseSeconds],
  });
  return row;
}

/** Extends the claim and keeps the purge locked until the transaction ends; false when the claim was lost. */
export async function holdPurge(tx: SystemTx, deletionRequestId: string, worker: string, leaseSeconds: number): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'purge_hold',
    text: `update purge set claimed_until = now() + make_interval(secs => $3) where deletion_request_id = $1 and claimed_by = $2 returning 1`,
    values: [deletionRequestId, worker, leaseSeconds],
  });
  return rows.length > 0;
}

/** Ends the claim; the purge continues at `dueAt`, and waits for the engine or runs until then. */
export async function releasePurge(tx: SystemTx, deletionRequestId: string, dueAt: Date, waitsForEngine: boolean): Promise<void> {
  await runStatement(tx, {
    name: 'purge_release',
    text: `update purge set claimed_by = null, claimed_until = null, due_at = $2, status = case when $3 then 'waiting' else 'running' end,
      waiting_for = case when $3 then 'engine' end where deletion_request_id = $1`,
    values: [deletionRequestId, dueAt, waitsForEngine],
  });
}

export async function completePurge(tx: SystemTx, deletionRequestId: string, now: Date): Promise<void> {
  await runStatement(tx, {
    name: 'purge_complete',
    text: `update purge set status = 'completed', waiting_for = null, finished_at = $2, due_at = null, claimed_by = null, claimed_until = null where deletion_request_id = $1`,
    values: [deletionRequestId, now],
  });
}

/** From here on a transaction that began before has to end before rows are searched for again. */
export async function raiseBarrier(tx: SystemTx, deletionRequestId: string): Promise<void> {
  await runStatement(tx, {
    name: 'purge_raise_barrier',
    text: 'update purge set barrier = pg_current_xact_id() where deletion_request_id = $1',
    values: [deletionRequestId],
  });
}

/** Whether every transaction up to the barrier has ended. */
export async function isBarrierPassed(tx: SystemTx, deletionRequestId: string): Promise<boolean> {
  const [row] = await runStatement<'purge_barrier', { passed: boolean }>(tx, {
    name: 'purge_barrier',
    text: 'select pg_snapshot_xmin(pg_current_snapshot()) > barrier as passed from purge where deletion_request_id = $1',
    values: [deletionRequestId],
  });
  return row?.passed ?? true;
}

export type StepState = { name: PurgeStepName; status: PurgeStepStatus; tries: number };

export async function readSteps(tx: SystemTx, deletionRequestId: string): Promise<StepState[]> {
  return runStatement<'purge_step_states', StepState>(tx, {
    name: 'purge_step_states',
    text: 'select name, status, tries from purge_step where deletion_request_id = $1 order by position',
    values: [deletionRequestId],
  });
}

export async function startStep(tx: SystemTx, deletionRequestId: string, name: PurgeStepName, now: Date): Promise<void> {
  await runStatement(tx, {
    name: 'purge_start_step',
    text: `with step as (
        update purge_step set status = 'running', started_at = coalesce(started_at, $3), finished_at = null where deletion_request_id = $1 and name = $2
      ) update purge set status = 'running', waiting_for = null where deletion_request_id = $1`,
    values: [deletionRequestId, name, now],
  });
}

export async function finishStep(tx: SystemTx, deletionRequestId: string, name: PurgeStepName, now: Date): Promise<void> {
  await runStatement(tx, {
    name: 'purge_finish_step',
    text: `update purge_step set status = 'succeeded', finished_at = $3, problem = null where deletion_request_id = $1 and name = $2`,
    values: [deletionRequestId, name, now],
  });
}

/** Records why a try did not finish. */
export async function failStep(
  tx: SystemTx,
  deletionRequestId: string,
  name: PurgeStepName,
  problem: string,
  waits: boolean,
): Promise<void> {
  await runStatement(tx, {
    name: 'purge_fail_step',
    text: `update purge_step set tries = tries + 1, problem = $3, status = case when $4 then 'waiting' else 'running' end where deletion_request_id = $1 and name = $2`,
    values: [deletionRequestId, name, problem, waits],
  });
}

/** Begins again from a step: rows were found that should have been gone. */
export async function reopenSteps(tx: SystemTx, deletionRequestId: string, from: PurgeStepName): Promise<void> {
  await runStatement(tx, {
    name: 'purge_reopen_steps',
    text: `update purge_step set status = 'pending', finished_at = null where deletion_request_id = $1
      and position >= (select s.position from purge_step s where s.deletion_request_id = $1 and s.name = $2)`,
    values: [deletionRequestId, from],
  });
}

export async function countRemoved(tx: SystemTx, deletionRequestId: string, name: PurgeStepName, rows: number): Promise<void> {
  if (rows === 0) return;
  await runStatement(tx, {
    name: 'purge_count_removed',
    text: 'update purge_step set rows_removed = rows_removed + $3 where deletion_request_id = $1 and name = $2',
    values: [deletionRequestId, name, rows],
  });
}

/** Limits how long statements of the transaction wait for a lock: a number with its unit, as Postgres reads it. */
export async function setLockTimeout(tx: SystemTx, timeout: string): Promise<void> {
  await runStatement(tx, { name: 'purge_lock_timeout', text: "select set_config('lock_timeout', $1, true)", values: [timeout] });
}
