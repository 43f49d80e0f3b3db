import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx } from '#platform/db/tx.ts';
import type { LastTest } from './store.ts';

/** Failed logins that an agency sees. */
const FAILED_MAX = 50;
/** A person who has not come back from the provider by then is not going to. */
export const TEST_MS = 5 * 60_000;

/** Starts the record of a test login; returns its id. */
export async function insertTestRun(tx: TenantTx, test: { partnerId: string; userId: string; at: Date }): Promise<string> {
  const [row] = await runStatement<'sso_insert_test_run', { id: string }>(tx, {
    name: 'sso_insert_test_run',
    prepare: false,
    text: `insert into sso_attempt (partner_id, purpose, status, user_id, started_at) values ($1, 'test', 'in_progress', $2, $3) returning id`,
    values: [test.partnerId, test.userId, test.at],
  });
  if (!row) throw new Error('The test login was not recorded.');
  return row.id;
}

/** Ends a test login; one that timed out meanwhile ends as it did. */
export async function endTestRun(tx: SystemTx, id: string, outcome: LastTest): Promise<void> {
  await runStatement(tx, {
    name: 'sso_end_test_run',
    prepare: false,
    text: `update sso_attempt set status = $2, ended_at = $3, outcome = $4::jsonb where id = $1 and status in ('in_progress', 'timed_out')`,
    values: [id, outcome.ok ? 'succeeded' : 'failed', outcome.at, JSON.stringify(outcome)],
  });
}

/** Records the failed login of a person, and forgets those before the last fifty. */
export async function insertFailedLogin(tx: SystemTx, partnerId: string, startedAt: Date, outcome: LastTest): Promise<void> {
  await runStatement(tx, {
    name: 'sso_insert_failed_login',
    prepare: false,
    text: `insert into sso_attempt (partner_id, purpose, status, started_at, ended_at, outcome) values ($1, 'login', 'failed', $2, $3, $4::jsonb)`,
    values: [partnerId, startedAt, outcome.at, JSON.stringify(outcome)],
  });
  await runStatement(tx, {
    name: 'sso_trim_failed_logins',
    prepare: false,
    text: `delete from sso_attempt where id in
      (select id from sso_attempt where partner_id = $1 and purpose = 'login' order by id desc offset $2)`,
    values: [partnerId, FAILED_MAX],
  });
}

export async function listFailedLogins(tx: TenantTx, partnerId: string): Promise<{ id: string; outcome: LastTest }[]> {
  return runStatement<'sso_failed_logins', { id: string; outcome: LastTest }>(tx, {
    name: 'sso_failed_logins',
    prepare: false,
    text: `select id, outcome from sso_attempt where partner_id = $1 and purpose = 'login' order by id desc limit $2`,
    values: [partnerId, FAILED_MAX],
  });
}

/** With the connection end its records: who tried to log in is of no use without it. */
export async function deleteAttempts(tx: TenantTx, partnerId: string): Promise<void> {
  await runStatement(tx, {
    name: 'sso_delete_attempts',
    prepare: false,
    text: 'delete from sso_attempt where partner_id = $1',
    values: [partnerId],
  });
}

/** Ends test logins that got no response. */
export async function timeOutTests(tx: SystemTx, at: Date): Promise<void> {
  await runStatement(tx, {
    name: 'sso_time_out_tests',
    prepare: false,
    text: `update sso_attempt set status = 'timed_out', ended_at = $1 where status = 'in_progress' and started_at <= $2`,
    values: [at, new Date(at.getTime() - TEST_MS)],
  });
}

/** Deletes records past their use. */
export async function forgetAttempts(tx: SystemTx, at: Date): Promise<void> {
  await runStatement(tx, {
    name: 'sso_forget_attempts',
    prepare: false,
    text: 'delete from sso_attempt where ended_at < $1',
    values: [new Date(at.getTime() - LIMITS.ssoAttemptDays * 86_400_000)],
  });
}
