import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ADMIN_ROLE } from '#platform/db/embedded.ts';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import pg from 'pg';

/** An agent that reached many people, on a database of many agents: the claim of every agency's events looks up what it sent. */

const AGENTS = 1_200;
const SENT = 2_000;
const AGENT = '00000000-0000-7000-8000-000000000001';
/** Subjects that are made and records that are read, for one that is found: the planner takes some of both to estimate what they bring. */
const WORK_MAX = 10;
const VISIT = { startTime: '2027-01-06T18:00:00Z', attendeePhone: '+13125550121' };

let database: TestDatabase;
let admin: pg.Client;
before(async () => {
  database = await createTestDatabase();
  admin = new pg.Client(database.configFor(ADMIN_ROLE));
  await admin.connect();
  // As in claim_dispatches, whose plans know neither the agent nor its event.
  await admin.query('set session_replication_role = replica; set track_functions = "all"; set plan_cache_mode = force_generic_plan');
  await admin.query(
    `insert into planned_run (partner_id, workflow_id, kind, origin, subject, due_at, last_at, input, status, reason, ended_at)
    select uuidv7(), a.id, 'reminder', 'run', plan_subject('reminder', $3) || ' ' || n || '@example.com', now() - make_interval(secs => n), now(), '{}', 'started', 'sent', now()
    from (select case when n = 0 then $1::uuid else uuidv7() end as id, case when n = 0 then $2::int else 3 end as sent from generate_series(0, $4::int) n) a,
      generate_series(1, a.sent) n`,
    [AGENT, SENT, JSON.stringify(VISIT), AGENTS],
  );
  await admin.query('vacuum analyze planned_run');
});
after(async () => {
  await admin?.end();
  await database?.drop();
});

/** Returns how many subjects this connection made and how many records it read; the server resets both from time to time, but not within a transaction. */
async function workDone(): Promise<{ made: number; read: number }> {
  const { rows } = await admin.query<{ made: number; read: number }>(
    `select coalesce((select calls::int from pg_stat_xact_user_functions where funcname = 'plan_subject'), 0) as made,
      (select (seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname = 'planned_run') as read`,
  );
  assert.ok(rows[0]);
  return rows[0];
}

/** Returns whether one of the addresses was mailed, found with the work of one. */
async function wasMailed(addresses: readonly string[]): Promise<boolean> {
  await admin.query('begin');
  const before = await workDone();
  const { rows } = await admin.query<{ mailAt: Date | null }>(
    'select mail_at as "mailAt" from sent_about($1, $2, array[$3::text, null], $4::text[], false)',
    [AGENT, JSON.stringify(VISIT), VISIT.attendeePhone, addresses],
  );
  const done = await workDone();
  await admin.query('commit');
  const [made, read] = [done.made - before.made, done.read - before.read];
  assert.ok(made > 0 && made <= WORK_MAX && read <= WORK_MAX, `made ${made} subjects, read ${read} records`);
  assert.equal(rows.length, 1);
  return rows[0]?.mailAt !== null;
}

describe('what was sent about a visit', () => {
  it('is looked up by whom it went to, however many the agent reached and an event names', async () => {
    const many = Array.from({ length: 300 }, (_, n) => `${n}@elsewhere.example`);
    assert.equal(await wasMailed(['7@example.com']), true);
    assert.equal(await wasMailed(['none@example.com']), false);
    assert.equal(await wasMailed(many), false);
    assert.equal(await wasMailed([...many, '7@example.com']), true);
  });
});
