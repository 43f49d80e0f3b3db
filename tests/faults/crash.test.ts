import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import type { Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { postmasterPid, seedDemo, startSystem, type System, until } from '../harness/system.ts';
import { type Accepted, addAgents, assertEachEndedOnce, loadEvents } from './events.ts';
import { testRandomKills } from './random-kills.ts';
import { testStatements } from './statements.ts';

// An event answered 202 is never lost, whichever process is killed: at moments held open until the kill, and at random ones. Before that, on the same
// system, what an event costs while nothing else happens.

let system: System;
let workspace: Workspace;
let agents: string[];

const compiled = mkdtempSync(join(tmpdir(), 'portal-compiled-'));

before(async () => {
  // The provider dies with the service, and its failed runs are free.
  system = await startSystem({ env: { NODE_COMPILE_CACHE: compiled, FAILED_RUNS_FREE_PER_DAY: '1000000' } });
  workspace = await seedDemo(system);
  agents = await addAgents(system, workspace);
});
after(async () => {
  await system?.stop();
  rmSync(compiled, { recursive: true, force: true });
});

const count = async (text: string, values: unknown[] = []): Promise<number> =>
  Number((await system.query<{ count: string }>(text, values))[0]?.count ?? 0);
const checks = async (): Promise<{ status: number; database?: string; engine?: string }> => {
  const answer = await fetch(`${system.baseUrl}/health/ready`);
  const body = (await answer.json()) as { checks: Record<string, string> }; // the contract's readiness
  return { status: answer.status, ...body.checks };
};
const databaseOf = ({ dataDir }: System) => ({
  host: join(dataDir, 'postgres', 'socket'),
  port: 5432,
  user: ADMIN_ROLE,
  database: 'portal',
});
const enginePid = () => system.enginePid();

const open = async () => ({ system, workspace });

describe('statements', () => testStatements(open));

describe('the engine', () => {
  it('killed in the middle of its runs finishes each of them once', async () => {
    const accepted: Accepted = new Map();
    // The provider responds only after its table is unlocked, so every run is in progress when the engine is killed.
    await withClient(databaseOf(system), async (client) => {
      await client.query('begin');
      await client.query('lock table sandbox.call in access exclusive mode');
      await loadEvents(system, agents, 20, accepted);
      assert.equal(accepted.size, 20);
      await until('the engine has every run', async () => (await count('select count(*) from dispatch')) === 0);
      await until('texts are on their way', async () => (await count('select count(*) from pg_locks where not granted')) > 0);
      const pid = enginePid();
      assert.ok(pid);
      process.kill(pid, 'SIGKILL');
      await until('another engine runs', () => ![undefined, pid].includes(enginePid()));
      await client.query('rollback');
    });
    await assertEachEndedOnce(system, accepted);
  });

  it('down: events are accepted, also by a service that starts, shown as delayed, and taken once when it is back; reports count once', async (context) => {
    // It cannot start again as long as the database does not let it in.
    await system.query('alter role portal_engine connection limit 0');
    context.after(() => system.query('alter role portal_engine connection limit -1'));
    process.kill(await until('the engine runs', enginePid), 'SIGKILL');
    // One look: a later one may find the database slow.
    await until('the health says that the engine is away, and that the service still takes events', async () => {
      const { engine, status } = await checks();
      return engine === 'down' && status === 200;
    });

    const accepted: Accepted = new Map();
    const [agent = ''] = agents;
    for (let turn = 0; turn < 12; turn += 1) await loadEvents(system, [agent], 1, accepted, 1);
    assert.equal(accepted.size, 12);
    await system.query(`update dispatch set created_at = created_at - interval '11 seconds'`);
    const { data } = await workspace.owner.listExecutions({ query: { workflowId: agent, status: 'RUNNING' } });
    assert.deepEqual([data.length, data.every((run) => run.delayed)], [12, true]);

    const [reported = ''] = accepted.keys();
    await reportTogether(reported, agent);
    accepted.delete(reported);

    await system.kill('SIGKILL');
    const back = system.restart();
    await Promise.race([back, until('the service listens', async () => (await fetch(`${system.baseUrl}/health`)).ok)]);
    assert.equal((await checks()).engine, 'down');
    await loadEvents(system, agents, 5, accepted);
    assert.equal(accepted.size, 16, 'a start needs no engine to take events');

    await system.query('alter role portal_engine connection limit -1');
    await back;
    await assertEachEndedOnce(system, accepted);
    const ran = await system.query<{ id: string }>(
      `select r.input::json->'body'->>'executionId' as id from engine.run r where r.input::json->'body'->>'executionId' = any($1)`,
      [[...accepted.keys()]],
    );
    assert.equal(ran.length, accepted.size, 'each was handed over once');
  });
});

/** Ten reports of one running run at once, half of them saying the opposite: one counts. */
async function reportTogether(executionId: string, workflowId: string): Promise<void> {
  const headers = { 'x-callback-token': callbackToken(system.settings()['AUTOMATION_CALLBACK_SECRET'] ?? '', executionId) };
  const anonymous = system.client();
  const report = (turn: number) =>
    anonymous.reportExecution({
      headers,
      body: { executionId, workflowId, status: turn % 2 === 0 ? 'SUCCEEDED' : 'FAILED', error: turn % 2 === 0 ? null : { message: 'no' } },
    });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, turn) => report(turn)));
  assert.equal(answers.filter((answer) => answer.applied).length, 1);
  const run = await workspace.owner.getExecution({ params: { id: executionId } });
  const metered = await system.query('select 1 from usage_entry where execution_id = $1', [executionId]);
  assert.deepEqual([run.late, metered.length], [false, run.status === 'SUCCEEDED' ? 1 : 0]);
}

describe('the service', () => {
  it('killed while it hands over to an engine that does not answer: every 202 has its run, and every run ends once', async () => {
    const accepted: Accepted = new Map();
    await withClient(databaseOf(system), async (client) => {
      await client.query('begin');
      await client.query('lock table engine.run in share row exclusive mode');
      const load = loadEvents(system, agents, 40, accepted);
      await until(
        'calls wait for the engine',
        async () => accepted.size > 0 && (await count('select count(*) from dispatch where claimed_until is not null')) > 0,
      );
      await system.kill('SIGKILL');
      await load;
      await client.query('rollback');
    });
    assert.ok(readdirSync(compiled, { recursive: true }).length > 100, 'the next start finds its code compiled');
    await system.restart();
    assert.ok(accepted.size > 0);
    await assertEachEndedOnce(system, accepted, 'service');
  });
});

describe('Postgres, killed under load', () => {
  it('comes back by itself; meanwhile the health says so, and no accepted event is lost', async () => {
    const accepted: Accepted = new Map();
    const pid = postmasterPid(system.dataDir);
    const load = loadEvents(system, agents, 60, accepted);
    await until('events are taken', () => accepted.size > 20);
    assert.ok(pid);
    // Without its control file no server starts: it stays away until that was seen.
    const control = join(system.dataDir, 'postgres', 'cluster', 'global', 'pg_control');
    renameSync(control, `${control}.away`);
    process.kill(pid, 'SIGKILL');
    // A look that meets the kill itself may find the database and lose the queue.
    const away = await until('the health says that the database is away', async () => {
      const found = await checks();
      return found.database === 'down' && found;
    });
    renameSync(`${control}.away`, control);
    assert.equal(away.status, 503);
    await until('everything is well again', async () => (await checks()).database === 'ok');
    await load;
    await loadEvents(system, agents, 10, accepted);
    await assertEachEndedOnce(system, accepted, 'postgres');
    assert.notEqual(postmasterPid(system.dataDir), pid);
  });
});

describe('at random moments', () => testRandomKills(open));
