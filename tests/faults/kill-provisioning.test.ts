import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PROVISION_STEPS } from '@house/core/provisioning.ts';
import { externalConnectionId } from '@house/core/template.ts';
import { type DemoClient, signIn } from '@house/service/quick-start/seed-workspace.ts';
import { ADMIN_ROLE } from '@house/service/platform/db/embedded.ts';
import { withClient } from '@house/service/platform/db/roles.ts';
import { DEMO_PASSWORD, startSystem, type System, until } from '../harness/system.ts';
import { type Accepted, assertEachEndedOnce, loadEvents } from './events.ts';

// A setup may lose its process anywhere. Whatever it had done by then is found again: the next setup ends in the same state.

const SLUG = 'harbor';
/** First half of the two-part keys of the locks that setups are held by; nothing else uses it. */
const LOCK_CLASS = 7311;

let system: System;
let admin: DemoClient;
let partnerId: string;
let clientIds: string[];
let agents: string[];

before(async () => {
  system = await startSystem();
  await setUpAgency();
  await system.query(`create function hold_step() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${LOCK_CLASS}, new."order" * 2 + (new.status = 'succeeded')::int);
      return new;
    end $$`);
  await system.query(`create trigger hold_step before update on provisioning_step for each row
    when (new.status in ('running', 'succeeded') and new.status <> old.status) execute function hold_step()`);
});
after(() => system?.stop());

/** An agency with two clients, one agent each, and one key: each client's agent has a connection of its own made from it. */
async function setUpAgency(): Promise<void> {
  admin = await signIn(system.baseUrl, system.admin.email, system.admin.password);
  const [plan] = await admin.listPlans();
  assert.ok(plan);
  const email = 'owner@harbor.example';
  const { partner, invitation } = await admin.createPartner({
    body: { name: 'Harbor', slug: SLUG, timezone: 'America/Chicago', planId: plan.id, ownerEmail: email, ownerName: 'Ada Berg' },
  });
  partnerId = partner.id;
  const token = new URL(invitation.acceptUrl).pathname.split('/').at(-1) ?? '';
  await system.client().acceptInvitation({ body: { token, password: DEMO_PASSWORD, fullName: 'Ada Berg' } });
  const owner = await signIn(system.baseUrl, email, DEMO_PASSWORD);
  const data = { accountSid: 'ACsandbox00000000000000000000000000', authToken: 'sandbox-auth-token' };
  await owner.putCredential({ params: { provider: 'twilio' }, body: { sourceMode: 'byok', data } });
  const clients = ['Pier Dental', 'Quay Physio'].map((name) => owner.createClient({ body: { name, timezone: 'America/Chicago' } }));
  clientIds = (await Promise.all(clients)).map((client) => client.id);
  const config = { quietHours: '', repeatAfterHours: 0 };
  const added = clientIds.map((clientId) =>
    admin.createAgent({ body: { partnerId, clientId, templateName: 'missed-call-text-back', config } }),
  );
  agents = (await Promise.all(added)).map((agent) => agent.id);
}

type Moment = 'before' | 'after';

/** Starts a setup and kills the service while this step is about to be written down: as begun (its work is not) or as done (it is). */
async function killAt(order: number, moment: Moment): Promise<void> {
  const key = order * 2 + (moment === 'after' ? 1 : 0);
  const address = { host: join(system.dataDir, 'postgres', 'socket'), port: 5432, user: ADMIN_ROLE, database: 'portal' };
  let backend: number | undefined;
  await withClient(address, async (holder) => {
    await holder.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, key]);
    const setup = provision().catch(() => undefined);
    backend = await until('the setup is held', async () => {
      const waiting = await system.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2 and not granted`,
        [LOCK_CLASS, key],
      );
      return waiting[0]?.pid;
    });
    await system.kill('SIGKILL');
    await setup;
  });
  // Let go, its session finds nobody to answer and takes back what it had not committed.
  await until('the dead service has no session left', async () => {
    const left = await system.query('select 1 from pg_stat_activity where pid = $1', [backend]);
    return left.length === 0;
  });
}

/** A quarter of an hour passes while the service is down. */
async function letAttemptLapse(): Promise<void> {
  await system.query(`update automation_instance set due_at = now() where due_at is not null`);
  await system.query(`update provisioning_attempt set started_at = started_at - interval '1 hour' where status = 'running'`);
}

const provision = () => admin.provision({ params: { id: partnerId }, body: {} });

/** How the newest attempt and one of its steps ended, and who has the instance. */
async function lookAtAttempt(order: number): Promise<{ attempt: string; step: string; instance: string } | undefined> {
  const rows = await system.query<{ attempt: string; step: string; instance: string }>(
    `select a.status as attempt, s.status as step, i.status as instance
     from provisioning_attempt a join provisioning_step s on s.attempt_id = a.id join automation_instance i on i.partner_id = a.partner_id
     where s."order" = $1 order by a.number desc limit 1`,
    [order],
  );
  return rows[0];
}

/** All there is in the engine, which serves this agency alone, beside what the agency's own records say there should be. */
async function readEngine() {
  const flows = await system.query<{ workflow: string; flow: string; status: string }>(
    `select metadata->>'workflowId' as workflow, id as flow, status from engine.flow order by 1`,
  );
  const recorded = await system.query(
    `select id::text as workflow, provider_flow_id as flow, 'ENABLED' as status from workflow where provider_flow_id is not null order by 1`,
  );
  const connections = await system.query<{ id: string }>('select external_id as id from engine.app_connection order by 1');
  return { flows, recorded, connections: connections.map((row) => row.id) };
}

async function assertInstalledOnce(): Promise<void> {
  const found = await readEngine();
  assert.deepEqual(
    found.flows.map((flow) => flow.workflow),
    agents.toSorted(),
    'one flow per workflow',
  );
  assert.deepEqual(found.recorded, found.flows, 'each is on, and is the one that is recorded');
  const needed = clientIds.map((clientId) => externalConnectionId(partnerId, clientId, 'twilio'));
  assert.deepEqual(found.connections, needed.toSorted(), 'one connection per requirement');
}

/** One event for each agent. */
async function assertEventsRunOnce(): Promise<void> {
  const accepted: Accepted = await loadEvents(system, agents, agents.length);
  assert.equal(accepted.size, agents.length);
  await assertEachEndedOnce(system, accepted);
  const [ran] = await system.query(
    `select (select count(*)::int from engine.run r where r.input::json->'body'->>'executionId' = any($1)) as runs,
       (select count(*)::int from sandbox.call c where c.body like any(select '%To=%2B' || substr(n, 2) || '&%' from unnest($2::text[]) n)) as texts`,
    [[...accepted.keys()], [...accepted.values()]],
  );
  assert.deepEqual(ran, { runs: agents.length, texts: agents.length });
}

describe('a setup whose service is killed', () => {
  for (const [index, name] of PROVISION_STEPS.entries()) {
    for (const moment of ['before', 'after'] as const) {
      it(`${moment} the work of ${name} is ended at the restart, and the next one leaves everything once`, async () => {
        const order = index + 1;
        await killAt(order, moment);
        await letAttemptLapse();
        await system.restart();
        // The claim is committed with the end of its step: until then the instance is nobody's.
        const wasClaimed = order > PROVISION_STEPS.indexOf('claim_instance') + 1;
        // At once: what a dead process left does not wait for the clock.
        assert.deepEqual(await lookAtAttempt(order), {
          attempt: 'timed_out',
          step: moment === 'before' ? 'skipped' : 'failed',
          instance: wasClaimed ? 'failed' : 'unprovisioned',
        });

        const again = await provision();
        assert.deepEqual([again.status, again.instance.status], ['succeeded', 'ready'], again.instance.lastError ?? '');
        await assertInstalledOnce();
        await assertEventsRunOnce();

        await admin.deprovision({ params: { id: partnerId }, query: { confirm: SLUG } });
        assert.deepEqual(await readEngine(), { flows: [], recorded: [], connections: [] });
      });
    }
  }
});
