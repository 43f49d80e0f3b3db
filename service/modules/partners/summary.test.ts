import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadCatalog } from '@house/catalog/index.ts';
import { startTestService, type TestService } from '@house/tests/harness/service.ts';
import { addWorkflow } from '@house/tests/harness/world.ts';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { partners } from './index.ts';

const catalog = loadCatalog();
const hoursPerRun = catalog.find((template) => template.name === 'missed-call-text-back')?.hoursSavedPerRun ?? 0;
let service: TestService;
let failing: string;
before(async () => {
  service = await startTestService({ modules: (platform) => [partners({ ...platform, catalog })] });
  const { partnerId, clientId, otherClientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    // Midday of today in UTC is today in the agency's zone too.
    await sql`update partner set timezone = 'UTC' where id = ${partnerId}`.execute(tx);
    const healthy = await addWorkflow(tx, {
      partnerId,
      clientId,
      templateName: 'missed-call-text-back',
      name: 'Text back',
      lastRunAt: new Date(),
    });
    failing = await addWorkflow(tx, {
      partnerId,
      clientId: otherClientId,
      templateName: 'missed-call-text-back',
      name: 'Broken',
      consecutiveFailures: 4,
      lastRunAt: new Date(),
    });
    await addWorkflow(tx, {
      partnerId,
      clientId: otherClientId,
      templateName: 'lead-intake-cleaner',
      name: 'Quiet',
      lastRunAt: new Date(Date.now() - 9 * 86_400_000),
    });
    const hour = (daysAgo: number) => sql<Date>`date_trunc('day', now()) - make_interval(days => ${daysAgo})`;
    await sql`insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, failed, credits, contacted, helped) values
      (${partnerId}, ${healthy}, ${clientId}, ${hour(0)}, 5, 1, 10, 4, 5), (${partnerId}, ${healthy}, ${clientId}, ${hour(7)}, 3, 0, 6, 3, 3),
      (${partnerId}, ${failing}, ${otherClientId}, ${hour(0)}, 0, 4, 0, 0, 0)`.execute(tx);
    await sql`insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, due_at, error_code, error_message) values
      (${newId()}, ${partnerId}, ${otherClientId}, ${failing}, 'FAILED', 'ingest', 'Could not text', 1, 1, now(), 'step_failed', 'Twilio rejected the number'),
      (${newId()}, ${partnerId}, ${clientId}, ${healthy}, 'RUNNING', 'ingest', 'Texting', 1, 1, now() + interval '30 minutes', null, null)`.execute(
      tx,
    );
    await sql`update partner_quota set used = 8500 where partner_id = ${partnerId}`.execute(tx);
    await sql`insert into automation_instance (partner_id, provider, status, tenancy_mode, error_public, base_url, last_error) values
      (${partnerId}, 'engine', 'failed', 'shared', 'Could not activate', 'http://10.0.0.1', 'internal text')`.execute(tx);
    await sql`insert into credential (partner_id, client_id, provider, source_mode, sealed, last_check_ok, last_check_at, last_check_message) values
      (${partnerId}, ${clientId}, 'twilio', 'byok', ${Buffer.from('x')}, false, now(), 'Twilio did not accept the token')`.execute(tx);
    await sql`insert into agent_request (partner_id, client_id, kind, title, status, origin, failure_message) values
      (${partnerId}, ${clientId}, 'custom', 'Digest', 'suggested', 'client', null), (${partnerId}, ${clientId}, 'custom', 'Asked', 'submitted', 'partner', null),
      (${partnerId}, ${otherClientId}, 'custom', 'Reminder', 'provisioning_failed', 'partner', 'Could not activate: x')`.execute(tx);
  });
});
after(() => service.close());

describe('the dashboard in one call', () => {
  it('counts today from the hourly counters, with last week beside it', async () => {
    const { status, body } = await service.call('GET', '/partners/me/summary', { as: 'moderator' });
    assert.equal(status, 200);
    assert.deepEqual(body.counts, { clients: 2, agents: 3, agentsOn: 3, agentsFailing: 1 });
    const { byHour, ...today } = body.today;
    assert.deepEqual(
      [today.runs, today.succeeded, today.failed, today.running, today.lastWeekByNow, today.textsSent, today.failureCauses],
      [11, 5, 5, 1, 3, 4, 1],
    );
    assert.equal(today.hoursSaved, Math.round(5 * hoursPerRun * 10) / 10);
    assert.equal(byHour.length, 24);
    assert.deepEqual(byHour[0], { hour: 0, runs: 10, failed: 5, lastWeek: 3 });
    assert.deepEqual([body.quota.used, body.quota.percent], [8500, 85]);
    assert.deepEqual(body.topClients[0].name, 'Oak Street Dental');
    assert.equal(body.latestRuns.length, 2);
    assert.equal(body.latestRuns[0].agentName, 'Text back');
  });

  it('names who used credits in the very hour in which the period began', async () => {
    const { partnerId, clientId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      const { id } = await tx.selectFrom('workflow').select('id').where('clientId', '=', clientId).limit(1).executeTakeFirstOrThrow();
      await sql`update partner_quota set period_start = now() where partner_id = ${partnerId}`.execute(tx);
      await sql`insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, credits) values (${partnerId}, ${id}, ${clientId}, date_trunc('hour', now()), 1, 3)
        on conflict (partner_id, workflow_id, hour) do update set credits = workflow_hour.credits + 3`.execute(tx);
    });
    const { body } = await service.call('GET', '/partners/me/summary', { as: 'owner' });
    assert.ok(body.topClients.some((one: { name: string; credits: number }) => one.name === 'Oak Street Dental' && one.credits >= 3));
  });

  it('says what needs attention, most urgent first, and nothing internal', async () => {
    const { body, text } = await service.call('GET', '/partners/me/summary', { as: 'owner' });
    assert.deepEqual(
      body.attention.map((item: { kind: string }) => item.kind),
      ['quota', 'setup_failed', 'agent_failing', 'key_failing', 'missing_key', 'request_waiting', 'request_waiting', 'agent_silent'],
    );
    const [, setup, agent, , missing, stopped, suggested, silent] = body.attention;
    assert.deepEqual(
      [setup.detail, agent.detail, agent.href],
      ['Could not activate', 'Twilio rejected the number', `/dashboard/agents/${failing}`],
    );
    assert.deepEqual(
      [stopped.title, stopped.detail, suggested.title, suggested.detail, suggested.subject],
      [
        'Reminder is not installed yet',
        'Could not activate: x',
        'Digest was suggested',
        'Oak Street Dental would like to have it.',
        'Oak Street Dental',
      ],
    );
    assert.match(stopped.href, /^\/dashboard\/requests\?request=[0-9a-f-]{36}$/);
    assert.deepEqual([missing.subject, silent.detail], ['Elm Road Physio', 'No run for 9 days.']);
    assert.equal(text.includes('10.0.0.1') || text.includes('internal text'), false);
    assert.deepEqual(
      body.setup.stages.map((stage: { key: string }) => stage.key),
      ['preparing', 'connecting', 'configuring_access', 'installing_workflows'],
    );
    assert.equal(body.checklist.find((step: { key: string }) => step.key === 'team').done, true);
  });

  it('can be narrowed to one client, and to none of another agency', async () => {
    const { body } = await service.call('GET', `/partners/me/summary?clientId=${service.world.clientId}`, { as: 'owner' });
    assert.deepEqual([body.counts.agents, body.today.failed, body.latestRuns.length], [1, 1, 1]);
    assert.equal((await service.call('GET', `/partners/me/summary?clientId=${service.world.rivalClientId}`, { as: 'owner' })).status, 404);
    const rival = await service.call('GET', '/partners/me/summary', { as: 'rivalOwner' });
    assert.deepEqual([rival.body.counts.agents, rival.body.today.runs, rival.body.attention.length, rival.body.setup], [0, 0, 0, null]);
    await service.assertRefused('GET', '/partners/me/summary', { staff: 'role_forbidden', clientUser: 'role_forbidden' });
  });

  it('costs a fixed number of statements, whatever there is to show', async () => {
    const count = () => service.countStatements(() => service.call('GET', '/partners/me/summary', { as: 'owner' }));
    assert.equal(await count(), 16);
  });
});
