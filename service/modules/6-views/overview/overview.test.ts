import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow, type NewWorkflow, noonZone, type Person } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { overview } from './index.ts';

const catalog = loadCatalog();
const hoursPerRun = catalog.find((template) => template.name === 'missed-call-text-back')?.hoursSavedPerRun ?? 0;
let service: TestService;
let failing: string;
before(async () => {
  service = await startTestService({ modules: (platform) => [overview({ ...platform, catalog, platformProviders: [] })] });
  const { partnerId, clientId, otherClientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    const zone = noonZone();
    await sql`update partner set timezone = ${zone} where id = ${partnerId}`.execute(tx);
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
    const hour = (daysAgo: number) => sql<Date>`date_trunc('day', now(), ${zone}) - make_interval(days => ${daysAgo})`;
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

describe('the partner overview', () => {
  it('counts today from the hourly counters, next to last week', async () => {
    const { status, body } = await service.call('GET', '/partners/me/summary', { as: 'moderator' });
    assert.equal(status, 200);
    assert.deepEqual(body.counts, { clients: 2, agents: 3, agentsOn: 3, agentsFailing: 1 });
    assert.equal(body.hasMoreAttention, false);
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

  it('leaves out agents and keys of archived clients, and counts agents of suspended ones as off', async () => {
    const { clientId, otherClientId } = service.world;
    const move = (id: string, status: string) =>
      service.db.asSystem('seed', (tx) => sql`update client set status = ${status} where id = ${id}`.execute(tx));
    const read = async (of: string | null) => {
      const { body } = await service.call('GET', `/partners/me/summary${of === null ? '' : `?clientId=${of}`}`, { as: 'owner' });
      return [body.counts.agents, body.counts.agentsOn, body.counts.agentsFailing, body.attention.filter(isOfAgentOrKey).length];
    };
    const isOfAgentOrKey = ({ kind }: { kind: string }) => ['key_failing', 'agent_failing', 'agent_silent'].includes(kind);
    assert.deepEqual(
      [await read(null), await read(clientId), await read(otherClientId)],
      [
        [3, 3, 1, 3],
        [1, 1, 0, 1],
        [2, 2, 1, 2],
      ],
    );
    await move(clientId, 'suspended');
    await move(otherClientId, 'archived');
    assert.deepEqual(
      [await read(null), await read(clientId), await read(otherClientId)],
      [
        [1, 0, 0, 0],
        [1, 0, 0, 0],
        [0, 0, 0, 0],
      ],
    );
    await move(clientId, 'active');
    await move(otherClientId, 'active');
    await service.db.asSystem('seed', (tx) => sql`update workflow set on_since = null`.execute(tx));
    assert.deepEqual(await read(null), [3, 3, 1, 3]);
  });

  it('shows thirty days by client, those with most runs or most failures first, and nothing of a rival', async () => {
    const read = async (sort: string, as: 'moderator' | 'rivalOwner' = 'moderator') => {
      const { status, body } = await service.call('GET', `/partners/me/clients-activity?sort=${sort}`, { as });
      assert.equal(status, 200);
      return body;
    };
    const [most, failed] = [await read('runs'), await read('failed')];
    const figures = (body: typeof most) => body.clients.map((one: Record<string, unknown>) => [one.name, one.runs, one.failed]);
    assert.deepEqual(figures(most), [
      ['Oak Street Dental', 9, 1],
      ['Elm Road Physio', 4, 4],
    ]);
    assert.deepEqual(figures(failed), figures(most).toReversed());
    assert.deepEqual(
      [most.total, most.days.length, most.days.at(-1)],
      [2, 30, new Date().toLocaleDateString('en-CA', { timeZone: most.timezone })],
    );
    assert.deepEqual(
      [most.clients[0].byDay.at(-1), most.clients[0].byDay.at(-8)],
      [
        { runs: 6, failed: 1 },
        { runs: 3, failed: 0 },
      ],
    );
    assert.deepEqual(figures(await read('runs', 'rivalOwner')), []);
    assert.equal((await service.call('GET', '/partners/me/clients-activity', { as: 'clientUser' })).status, 403);
    assert.equal((await service.call('GET', '/partners/me/clients-activity?sort=name', { as: 'owner' })).status, 400);
  });

  it('shows thirty days of the chosen clients or agents, and leaves out those of a rival', async () => {
    const { clientId, otherClientId, rivalClientId } = service.world;
    const read = (of: string, ids: readonly string[], as: Person = 'moderator') =>
      service.call('GET', `/partners/me/activity?of=${of}&ids=${ids.join(',')}`, { as });
    const { status, body } = await read('clients', [clientId, otherClientId, rivalClientId]);
    assert.equal(status, 200);
    const sums = (rows: { id: string; byDay: { runs: number; failed: number }[] }[]) =>
      Object.fromEntries(
        rows.map(({ id, byDay }) => [id, [byDay.reduce((sum, day) => sum + day.runs, 0), byDay.reduce((sum, day) => sum + day.failed, 0)]]),
      );
    assert.deepEqual(sums(body.rows), { [clientId]: [9, 1], [otherClientId]: [4, 4] });
    assert.equal(body.days.length, 30);
    const agents = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('workflow').select('id').where('clientId', '=', clientId).execute(),
    );
    const ofAgents = await read(
      'agents',
      agents.map(({ id }) => id),
    );
    assert.equal(
      Object.values(sums(ofAgents.body.rows)).reduce((total, [runs = 0]) => total + runs, 0),
      9,
    );
    assert.deepEqual((await read('clients', [clientId], 'rivalOwner')).body.rows, []);
    assert.equal((await read('clients', [clientId], 'clientUser')).body.code, 'role_forbidden');
    assert.equal((await read('clients', ['no-id'])).body.code, 'invalid_query');
  });

  it('follows the setup that holds the instance, not the newest', async () => {
    const { partnerId } = service.world;
    const attempt = async (number: number, error: string): Promise<string> => {
      const id = newId();
      await service.db.asSystem('seed', (tx) =>
        sql`insert into provisioning_attempt (id, partner_id, number, mode, status, error_public, finished_at) values
          (${id}, ${partnerId}, ${number}, 'provision', 'failed', ${error}, now())`.execute(tx),
      );
      return id;
    };
    const [holds, lost] = [await attempt(1, 'Could not activate'), await attempt(2, 'Another setup is running.')];
    const hold = (id: string | null) =>
      service.db.asSystem('seed', (tx) =>
        sql`update automation_instance set current_attempt_id = ${id} where partner_id = ${partnerId}`.execute(tx),
      );
    const shown = async (): Promise<string> => (await service.call('GET', '/partners/me/summary', { as: 'owner' })).body.setup.attempt.id;
    await hold(holds);
    assert.equal(await shown(), holds);
    await hold(null);
    assert.equal(await shown(), lost);
    // That of a client who was removed since.
    await hold(newId());
    assert.equal(await shown(), lost);
    await service.db.asSystem('seed', (tx) => sql`delete from provisioning_attempt where partner_id = ${partnerId}`.execute(tx));
  });

  it('counts clients, agents and open requests for the navigation, of the own agency only', async () => {
    const read = async (as: 'moderator' | 'rivalOwner') => (await service.call('GET', '/partners/me/counts', { as })).body;
    assert.deepEqual(await read('moderator'), { clients: 2, agents: 3, requests: 3 });
    assert.deepEqual(await read('rivalOwner'), { clients: 1, agents: 0, requests: 0 });
    await service.assertRefused('GET', '/partners/me/counts', { clientUser: 'role_forbidden' });
  });

  it('counts credits used in the hour in which the period began', async () => {
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

  it('lists requests about clients until the agency has decided them', async () => {
    const { partnerId, clientId, rivalPartnerId, rivalClientId } = service.world;
    const listed = async () =>
      (await service.call('GET', '/partners/me/summary', { as: 'owner' })).body.attention.filter(
        ({ kind }: { kind: string }) => kind === 'account_request',
      );
    await service.db.asSystem('seed', async (tx) => {
      await sql`insert into deletion_request (partner_id, client_id, scope, account_name, reason, requester_role) values
        (${partnerId}, ${clientId}, 'client', 'x', 'It closes', 'CLIENT'), (${partnerId}, null, 'partner', 'x', 'Of the agency', 'PARTNER'),
        (${rivalPartnerId}, ${rivalClientId}, 'client', 'x', 'Of a rival', 'CLIENT')`.execute(tx);
      await sql`insert into reactivation_request (partner_id, client_id, scope, message, requester_role) values (${partnerId}, ${clientId}, 'client', 'Please', 'CLIENT')`.execute(
        tx,
      );
    });
    const shown = (await listed()).map(({ title, subject, detail, href }: Record<string, string>) => [title, subject, detail, href]);
    const href = `/dashboard/clients/${clientId}?tab=settings`;
    assert.deepEqual(shown, [
      ['A deletion is requested', 'Oak Street Dental', 'It closes', href],
      ['A reactivation is requested', 'Oak Street Dental', 'Please', href],
    ]);
    await service.db.asSystem('seed', async (tx) => {
      await tx.deleteFrom('deletionRequest').execute();
      await tx.updateTable('reactivationRequest').set({ status: 'rejected' }).execute();
    });
    assert.deepEqual(await listed(), []);
  });

  it('lists what needs attention, most urgent first, without internal details', async () => {
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

  it('lists as failing or silent the agents that agent_health says are, by the rules of the agency and without any', async () => {
    const { partnerId } = service.world;
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const cases: (Omit<NewWorkflow, 'partnerId' | 'clientId' | 'templateName' | 'name'> & { name: string })[] = [
      { name: 'below the streak', consecutiveFailures: 2, lastRunAt: daysAgo(1) },
      { name: 'at the streak', consecutiveFailures: 3, lastRunAt: daysAgo(1) },
      { name: 'off', isActive: false, consecutiveFailures: 3, lastRunAt: daysAgo(9) },
      { name: 'not installed', providerFlowId: null, consecutiveFailures: 3, lastRunAt: daysAgo(9) },
      { name: 'not silent yet', lastRunAt: daysAgo(6) },
      { name: 'silent', lastRunAt: daysAgo(8) },
      { name: 'silent, and on again', lastRunAt: daysAgo(8), onSince: daysAgo(1) },
      { name: 'failing and silent', consecutiveFailures: 3, lastRunAt: daysAgo(8) },
      { name: 'never ran' },
    ];
    const free = catalog.filter(({ name }) => name !== 'missed-call-text-back' && name !== 'lead-intake-cleaner');
    const named = await service.db.asSystem('seed', async (tx) => {
      const ids = new Map<string, string>();
      for (const [index, { name, ...facts }] of cases.entries())
        ids.set(await addWorkflow(tx, { partnerId, clientId: null, templateName: free[index]?.name ?? '', name, ...facts }), name);
      return ids;
    });
    const compared = async (): Promise<string[]> => {
      const { body } = await service.call('GET', '/partners/me/summary', { as: 'owner' });
      const listed: string[] = body.attention
        .filter(({ kind }: { kind: string }) => kind === 'agent_failing' || kind === 'agent_silent')
        .map(({ href }: { href: string }) => href.split('/').at(-1));
      const { rows } = await service.db.asSystem('seed', (tx) =>
        sql<{ id: string }>`select w.id from workflow w left join alert_rules r on r.partner_id = w.partner_id
          where w.partner_id = ${partnerId} and agent_health(w.provider_flow_id, w.is_active, w.consecutive_failures, w.last_run_at,
            r.failure_streak, r.silent_days, awaited_from(w.id, w.partner_id, w.on_since, w.last_run_at)) in ('failing', 'silent')`.execute(
          tx,
        ),
      );
      assert.deepEqual(listed.toSorted(), rows.map(({ id }) => id).toSorted());
      return listed.flatMap((id) => named.get(id) ?? []).toSorted();
    };
    assert.deepEqual(await compared(), ['at the streak', 'failing and silent', 'silent']);
    await service.db.asSystem('seed', (tx) =>
      sql`insert into alert_rules (partner_id, failure_streak, silent_days) values (${partnerId}, 2, 5)`.execute(tx),
    );
    assert.deepEqual(await compared(), ['at the streak', 'below the streak', 'failing and silent', 'not silent yet', 'silent']);
    await service.db.asSystem('seed', async (tx) => {
      await tx.deleteFrom('alertRules').where('partnerId', '=', partnerId).execute();
      await tx
        .deleteFrom('workflow')
        .where('id', 'in', [...named.keys()])
        .execute();
    });
  });

  it('ticks the webhook step while the partner has an endpoint, not for a removed one or another partner’s', async () => {
    const { partnerId, rivalPartnerId } = service.world;
    const isTicked = async (): Promise<boolean> => {
      const { body } = await service.call('GET', '/partners/me/summary', { as: 'owner' });
      return body.checklist.find((step: { key: string }) => step.key === 'webhook').done;
    };
    const add = (of: string) =>
      service.db.asSystem('seed', (tx) =>
        sql`insert into webhook_endpoint (partner_id, url, secret_sealed, secret_key_id) values (${of}, 'https://hooks.acme.example', 'x', 'k')`.execute(
          tx,
        ),
      );
    await add(rivalPartnerId);
    assert.equal(await isTicked(), false);
    await add(partnerId);
    assert.equal(await isTicked(), true);
    await service.db.asSystem('seed', (tx) =>
      sql`update webhook_endpoint set deleted_at = now(), secret_sealed = null where partner_id = ${partnerId}`.execute(tx),
    );
    assert.equal(await isTicked(), false);
  });

  it('links items to their open alert, and lists a failing endpoint by its alert only', async () => {
    const { partnerId } = service.world;
    const alert = (rule: string, type: string, id: string, status: string) =>
      service.db.asSystem('seed', (tx) =>
        sql`insert into alert (partner_id, rule, severity, status, subject_type, subject_id, subject_label, message, resolved_at, cleared_at)
          values (${partnerId}, ${rule}, 'critical', ${status}, ${type}, ${id}, 'hooks.acme.example', 'Twenty in a row.', ${status === 'resolved' ? new Date() : null}, ${status === 'resolved' ? new Date() : null})`.execute(
          tx,
        ),
      );
    await alert('failure_streak', 'agent', failing, 'acknowledged');
    await alert('webhook_failing', 'webhook_endpoint', 'an endpoint', 'open');
    await alert('sso_certificate', 'sso_connection', 'a connection', 'resolved');
    const { body } = await service.call('GET', '/partners/me/summary', { as: 'owner' });
    const of = (kind: string) => body.attention.find((item: { kind: string }) => item.kind === kind);
    assert.equal(body.openAlerts, 2);
    assert.deepEqual([of('agent_failing').alert.status, of('key_failing').alert, of('sso_certificate')], ['acknowledged', null, undefined]);
    assert.deepEqual(
      [of('webhook_failing').title, of('webhook_failing').detail, of('webhook_failing').action],
      ['Webhooks to hooks.acme.example keep failing', 'Twenty in a row.', 'Open webhook'],
    );
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('alert').execute());
  });

  it('can be narrowed to one client, but not to another partner’s', async () => {
    const { body } = await service.call('GET', `/partners/me/summary?clientId=${service.world.clientId}`, { as: 'owner' });
    assert.deepEqual([body.counts.agents, body.today.failed, body.latestRuns.length], [1, 1, 1]);
    assert.equal((await service.call('GET', `/partners/me/summary?clientId=${service.world.rivalClientId}`, { as: 'owner' })).status, 404);
    const rival = await service.call('GET', '/partners/me/summary', { as: 'rivalOwner' });
    assert.deepEqual([rival.body.counts.agents, rival.body.today.runs, rival.body.attention.length, rival.body.setup], [0, 0, 0, null]);
    await service.assertRefused('GET', '/partners/me/summary', { staff: 'role_forbidden', clientUser: 'role_forbidden' });
  });

  it('reads the last failure of an agent for its own tenant only', async () => {
    const { partnerId, clientId, otherClientId, rivalPartnerId } = service.world;
    const read = async (reader: { partnerId: string; clientId: string | null }) => {
      const { rows } = await service.db.asTenant({ kind: 'tenant', ...reader }, (tx) =>
        sql<{ message: string | null }>`select last_failure_of(${failing}::uuid) as message`.execute(tx),
      );
      return rows[0]?.message;
    };
    assert.equal(await read({ partnerId, clientId: null }), 'Twilio rejected the number');
    assert.equal(await read({ partnerId, clientId: otherClientId }), 'Twilio rejected the number');
    assert.equal(await read({ partnerId, clientId }), null);
    assert.equal(await read({ partnerId: rivalPartnerId, clientId: null }), null);
  });

  it('takes a fixed number of statements, regardless of the data', async () => {
    const count = () => service.countStatements(() => service.call('GET', '/partners/me/summary', { as: 'owner' }));
    assert.equal(await count(), 20);
  });
});
