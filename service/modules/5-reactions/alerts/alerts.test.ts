import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { startReactionService, type ReactionService } from '@partner-portal/tests/harness/reactions.ts';
import { sql } from 'kysely';
import { evaluateAlerts } from './evaluate-alerts.ts';

/** Executions end as they do in production; alerts and notifications follow. */

let runs: ExecutionService;
let watch: ReactionService;

before(async () => {
  runs = await startExecutionService();
  watch = await startReactionService(runs);
});
after(async () => {
  await watch.close();
  await runs.close();
});
beforeEach(async () => {
  await watch.query('delete from notification');
  await watch.query('delete from mail');
  await watch.query('delete from alert');
  await watch.query('delete from alert_recipient');
  await watch.query('delete from alert_rules');
  await watch.query('update workflow set is_active = false');
  await watch.query('update event set due_at = null');
  await watch.query(
    "update partner_quota set used = 0, in_flight = 0, highest_threshold = 0, thresholds = '{50,80,100}', monthly_credits = 10000, period_start = now() - interval '5 days', period_end = now() + interval '25 days'",
  );
});

async function end(workflowId: string, status: 'SUCCEEDED' | 'FAILED', output: object = {}): Promise<void> {
  const accepted = await runs.ingest(workflowId, CALL);
  assert.equal(accepted.status, 202, accepted.text);
  const { executionId } = accepted.body;
  while (!runs.engine.calls.some((call) => call.body.executionId === executionId)) await runs.executions.dispatcher.runOnce();
  const report = status === 'FAILED' ? { status, error: { message: 'Twilio said no.' } } : { status, output };
  assert.equal((await runs.report(executionId, report)).status, 200);
}
const failThrice = async (workflowId: string): Promise<void> => {
  for (let n = 0; n < 3; n += 1) await end(workflowId, 'FAILED');
};
const TEAM = ['owner', 'moderator'] as const;

describe('an agent that fails', () => {
  it('opens one alert at its third failed execution in a row and resolves it at the next success; each notifies once', async () => {
    const agent = await runs.addAgent({ name: 'Text back', clientId: (await addClient()).id });
    await end(agent, 'FAILED');
    await end(agent, 'FAILED');
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    await end(agent, 'FAILED');
    await Promise.all([watch.alerts.sweep(), watch.alerts.sweep(), watch.alerts.evaluate(watch.world.partnerId)]);
    const [alert, ...more] = await watch.open();
    assert.deepEqual(more, []);
    assert.deepEqual(
      [alert?.rule, alert?.label, alert?.severity, alert?.message],
      ['failure_streak', 'Text back', 'critical', 'The last 3 runs of Text back failed.'],
    );
    await end(agent, 'FAILED');
    await watch.alerts.sweep();
    assert.equal((await watch.open()).length, 1);
    await end(agent, 'SUCCEEDED');
    await Promise.all([watch.alerts.sweep(), watch.alerts.sweep()]);
    assert.deepEqual(await watch.open(), []);
    for (const person of TEAM)
      assert.deepEqual(
        (await watch.bell(person)).map((title) => title.replace(/ \(.*/, '')),
        ['Resolved: Text back is failing', 'Text back is failing'],
      );
    assert.deepEqual(
      (await watch.mails()).map(({ to, kind }) => `${to} ${kind}`),
      ['owner@portal.test alert_opened', 'owner@portal.test alert_resolved'],
    );
  });

  it('keeps its alert while its runs end early, as in quiet hours: none of them shows that it works again', async () => {
    const agent = await runs.addAgent({ name: 'At night', clientId: (await addClient()).id });
    await failThrice(agent);
    await watch.alerts.sweep();
    await end(agent, 'SUCCEEDED', { skipped: true, reason: 'quiet_hours', message: 'It is quiet hours for the business' });
    await watch.alerts.sweep();
    assert.equal((await watch.open()).length, 1);
    assert.deepEqual(
      (await watch.mails()).map(({ kind }) => kind),
      ['alert_opened'],
    );
    await end(agent, 'SUCCEEDED');
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
  });

  it('opens another alert after a success in between; none for paused agents, clients and agencies', async () => {
    const agent = await runs.addAgent({ name: 'Again', clientId: (await addClient()).id });
    await failThrice(agent);
    await watch.alerts.sweep();
    await end(agent, 'SUCCEEDED');
    await watch.alerts.sweep();
    await failThrice(agent);
    await watch.alerts.sweep();
    assert.deepEqual(await watch.query('select status from alert order by id'), [{ status: 'resolved' }, { status: 'open' }]);
    await watch.query('update workflow set is_active = false where id = $1', [agent]);
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    await watch.query('update workflow set is_active = true where id = $1', [agent]);
    await watch.query("update partner set status = 'suspended' where id = $1", [watch.world.partnerId]);
    await watch.alerts.sweep();
    await watch.query("update partner set status = 'active' where id = $1", [watch.world.partnerId]);
    assert.deepEqual(await watch.open(), []);
    await watch.alerts.sweep();
    assert.equal((await watch.open()).length, 1);
  });

  it('stays open while its client is suspended, and is said once', async () => {
    const client = await addClient();
    const agent = await runs.addAgent({ name: 'Kept', clientId: client.id });
    await failThrice(agent);
    await watch.alerts.sweep();
    for (const status of ['suspended', 'active']) {
      await watch.query('update client set status = $2 where id = $1', [client.id, status]);
      await watch.alerts.sweep();
      assert.equal((await watch.open()).length, 1, status);
    }
    assert.deepEqual(
      (await watch.mails()).map(({ kind }) => kind),
      ['alert_opened'],
    );
  });

  it('is resolved with the archive of its client, and says so', async () => {
    const client = await addClient();
    const agent = await runs.addAgent({ name: 'Ended', clientId: client.id });
    await failThrice(agent);
    await watch.alerts.sweep();
    await watch.query("update client set status = 'archived' where id = $1", [client.id]);
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    const { body } = await watch.call('GET', '/notifications?limit=1', { as: 'owner' });
    assert.equal(body.data[0].body, 'Its client was archived.');
  });

  it('is resolved when it is deleted or taken down, and says so instead of that it runs again', async () => {
    const lastNotice = async () => (await watch.call('GET', '/notifications?limit=1', { as: 'owner' })).body.data[0];
    const deleted = await runs.addAgent({ name: 'Deleted', clientId: (await addClient()).id });
    const takenDown = await runs.addAgent({ name: 'Taken down', clientId: (await addClient()).id });
    await failThrice(deleted);
    await watch.alerts.sweep();
    assert.equal((await runs.call('DELETE', `/agents/${deleted}`, { as: 'owner' })).status, 204);
    await watch.alerts.sweep();
    const { body, href } = await lastNotice();
    assert.deepEqual([body, href], ['The agent was deleted.', '/dashboard/agents']);
    await failThrice(takenDown);
    await watch.alerts.sweep();
    await watch.query('update workflow set provider_flow_id = null, template_version = null where id = $1', [takenDown]);
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    assert.equal((await lastNotice()).body, 'It was removed from the automation platform.');
  });

  it('is opened for each agency in turn while more wait than one round opens', async () => {
    const { partnerId, rivalPartnerId } = watch.world;
    const fail = (of: string, count: number) =>
      watch.query(
        `with c as (insert into client (partner_id, name) select $1, 'Failing ' || n from generate_series(1, $2::int) n returning id, partner_id)
         insert into workflow (partner_id, client_id, template_name, template_version, name, provider_flow_id, consecutive_failures)
           select partner_id, id, 'missed-call-text-back', 1, 'Failing', 'flow-' || id, 3 from c`,
        [of, count],
      );
    await fail(partnerId, 400);
    await fail(rivalPartnerId, 1);
    await watch.db.asSystem('sweep', (tx) => evaluateAlerts(tx, null));
    assert.deepEqual(
      await watch.query('select partner_id = $1 as is_rival, count(*)::int as alerts from alert group by 1 order by 1', [rivalPartnerId]),
      [
        { is_rival: false, alerts: 199 },
        { is_rival: true, alerts: 1 },
      ],
    );
    // Each sweep opens a round at least, and leaves the rest to the next one after a second.
    await watch.alerts.sweep();
    await watch.alerts.sweep();
    assert.equal((await watch.query<{ n: number }>('select count(*)::int as n from alert'))[0]?.n, 401);
  });

  it('uses the number of failures the agency chose, as its health does', async () => {
    const agent = await runs.addAgent({ name: 'Patient', clientId: (await addClient()).id });
    await putRules({ failureStreak: 4 });
    await failThrice(agent);
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    const health = async (): Promise<string> =>
      (await runs.call('GET', '/agents?limit=100', { as: 'owner' })).body.data.find((row: { id: string }) => row.id === agent)?.health;
    assert.equal(await health(), 'ok');
    await end(agent, 'FAILED');
    await watch.alerts.sweep();
    assert.equal((await watch.open())[0]?.message, 'The last 4 runs of Patient failed.');
    assert.equal(await health(), 'failing');
  });
});

describe('an agent that used to run', () => {
  it('and could not, because it was off or its account suspended, is silent only once the days have passed since it may run again', async () => {
    const silent = async () => {
      await watch.alerts.sweep();
      return (await watch.open()).map(({ message }) => message);
    };
    const clientId = (await addClient()).id;
    const agent = await runs.addAgent({ name: 'Back', clientId, lastRunAt: daysAgo(10) });
    const change = async (isActive: boolean) =>
      assert.equal((await runs.call('PATCH', `/agents/${agent}`, { as: 'owner', body: { isActive } })).status, 200);
    const health = async (): Promise<string> => (await runs.call('GET', `/agents/${agent}`, { as: 'owner' })).body.health;
    const returns: [table: 'workflow' | 'client' | 'partner', back: () => Promise<unknown>][] = [
      ['workflow', () => change(false).then(() => change(true))],
      ['client', () => suspend('client', clientId)],
      ['partner', () => suspend('partner', watch.world.partnerId)],
    ];
    async function suspend(table: string, id: string): Promise<void> {
      for (const status of ['suspended', 'active']) await watch.query(`update ${table} set status = $2 where id = $1`, [id, status]);
    }
    for (const [what, back] of returns) {
      await back();
      assert.deepEqual(await silent(), [], what);
      assert.equal(await health(), 'ok', what);
      await watch.query("update workflow set on_since = now() - interval '9 days' where id = $1", [agent]);
      assert.deepEqual(await silent(), ['Back has gone quiet: no run for 10 days.'], what);
      assert.equal(await health(), 'silent', what);
    }
  });

  it('on its schedule is silent only when a due time has passed without a run', async () => {
    const agent = await runs.addAgent({ name: 'Monday', clientId: (await addClient()).id, lastRunAt: daysAgo(7.1) });
    await watch.query(
      `insert into workflow_schedule (workflow_id, partner_id, every, at, weekdays, timezone, due_at, last_outcome)
       values ($1, $2, 'week', '07:00', '{1}', 'America/New_York', now() + interval '1 hour', 'started')`,
      [agent, watch.world.partnerId],
    );
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    await watch.query("update workflow_schedule set last_outcome = 'skipped' where workflow_id = $1", [agent]);
    await watch.alerts.sweep();
    assert.equal((await watch.open()).length, 1, 'its last due time was skipped');
  });

  it('in sample data only is not silent', async () => {
    await runs.addAgent({ name: 'Sample', clientId: (await addClient()).id, lastRunAt: daysAgo(9) });
    await watch.query(
      `insert into sample_data (partner_id, begins_at, ends_at)
       values ($1, date_trunc('hour', now(), 'UTC') - interval '98 days', date_trunc('hour', now(), 'UTC') - interval '8 days')`,
      [watch.world.partnerId],
    );
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    await watch.query('delete from sample_data');
    await watch.alerts.sweep();
    assert.equal((await watch.open()).length, 1);
  });

  it('is silent after the days the agency chose, until it runs again', async () => {
    const agent = await runs.addAgent({ name: 'Quiet', clientId: (await addClient()).id, lastRunAt: daysAgo(8) });
    await runs.addAgent({ name: 'New', clientId: (await addClient()).id, lastRunAt: null });
    await putRules({ silentDays: 9 });
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    await putRules({ silentDays: 7 });
    await watch.alerts.sweep();
    assert.deepEqual(
      (await watch.open()).map(({ rule, message }) => [rule, message]),
      [['agent_silent', 'Quiet has gone quiet: no run for 8 days.']],
    );
    await end(agent, 'SUCCEEDED');
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
  });
});

describe('a usage threshold', () => {
  const creditsLeft = (used: number) =>
    watch.query('update partner_quota set used = $1 where partner_id = $2', [used, watch.world.partnerId]);
  const crossings = async () => (await watch.eventsOf('usage.threshold_crossed')).map(({ data }) => data['thresholdPercent']);
  const forget = () => watch.query("delete from event where type = 'usage.threshold_crossed'");
  const alerted = async () =>
    (await watch.query<{ id: string }>("select subject_id as id from alert where rule = 'usage_threshold' order by id")).map(
      ({ id }) => id,
    );

  it('opens once per period, despite sweeps, replays and bought credits; a higher one replaces it', async () => {
    await forget();
    const agent = await runs.addAgent({ name: 'Spender', clientId: (await addClient()).id });
    await creditsLeft(4_999);
    await end(agent, 'SUCCEEDED');
    await watch.settle();
    assert.deepEqual([await crossings(), (await watch.open()).map(({ label }) => label)], [[50], ['50 % of the credits']]);
    // More credits: usage is below the threshold. Crossing it again in the same period opens nothing.
    await watch.query('update partner_quota set monthly_credits = 20000');
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    await creditsLeft(12_000);
    await end(agent, 'SUCCEEDED');
    await watch.settle();
    await watch.alerts.sweep();
    assert.deepEqual([await crossings(), await watch.open()], [[50], []]);
    await creditsLeft(15_999);
    await end(agent, 'SUCCEEDED');
    await watch.settle();
    const crossed = await watch.eventsOf('usage.threshold_crossed');
    for (const event of crossed) await watch.db.asSystem('events', (tx) => watch.alerts.reaction.run(tx, [event]));
    await Promise.all([watch.alerts.sweep(), watch.alerts.sweep()]);
    assert.deepEqual(
      [await crossings(), (await watch.open()).map(({ label }) => label), await alerted()],
      [[50, 80], ['80 % of the credits'], ['50', '80']],
    );
    assert.deepEqual(await watch.bell('moderator'), [
      '80 % of the credits are used',
      'Resolved: 50 % of the credits are used',
      '50 % of the credits are used',
    ]);
  });

  it('crossed together with another opens as the highest; the next period starts again', async () => {
    await forget();
    const agent = await runs.addAgent({ name: 'Jumper', clientId: (await addClient()).id });
    await creditsLeft(9_999);
    await end(agent, 'SUCCEEDED');
    await watch.settle();
    assert.deepEqual([await crossings(), await alerted()], [[50, 80, 100], ['100']]);
    assert.equal((await watch.open())[0]?.severity, 'critical');
    await watch.query("update partner_quota set period_start = now() - interval '40 days', period_end = now() - interval '10 days'");
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    await creditsLeft(0);
    await runs.ingest(agent, CALL);
    await creditsLeft(4_999);
    await end(agent, 'SUCCEEDED');
    await watch.settle();
    assert.deepEqual(
      [await crossings(), await alerted()],
      [
        [50, 80, 100, 50],
        ['100', '50'],
      ],
    );
  });

  it('that is removed resolves without claiming that fewer credits were used', async () => {
    const agent = await runs.addAgent({ name: 'Kept', clientId: (await addClient()).id });
    await creditsLeft(4_999);
    await end(agent, 'SUCCEEDED');
    await watch.settle();
    await putRules({ usageThresholds: [80, 100] });
    await watch.alerts.sweep();
    const [notification] = (await watch.call('GET', '/notifications', { as: 'owner' })).body.data;
    assert.deepEqual(
      [notification.title, notification.body],
      ['Resolved: 50 % of the credits are used', 'The credits are below it again, or the threshold was moved.'],
    );
  });

  it('that the agency moves opens when it is crossed, unless it or a higher one was announced in this period', async () => {
    await forget();
    const agent = await runs.addAgent({ name: 'Mover', clientId: (await addClient()).id });
    await creditsLeft(5_499);
    await end(agent, 'SUCCEEDED');
    await putRules({ usageThresholds: [40, 50, 55, 60] });
    await end(agent, 'SUCCEEDED');
    await watch.settle();
    assert.deepEqual([await crossings(), (await watch.open()).map(({ label }) => label)], [[50, 55], ['55 % of the credits']]);
    // Concurrently: reports that cross 60 and rule changes, in any order.
    await creditsLeft(5_998);
    await Promise.all([
      ...Array.from({ length: 6 }, () => end(agent, 'SUCCEEDED')),
      putRules({ usageThresholds: [50, 60, 90] }),
      putRules({ usageThresholds: [60, 95] }),
    ]);
    await watch.settle();
    await watch.alerts.sweep();
    assert.deepEqual([await crossings(), (await watch.open()).map(({ label }) => label)], [[50, 55, 60], ['60 % of the credits']]);
  });
});

describe('a person’s move', () => {
  it('acknowledges an open alert until it resolves; both are audited', async () => {
    const agent = await runs.addAgent({ name: 'Looked after', clientId: (await addClient()).id });
    await failThrice(agent);
    await watch.alerts.sweep();
    const [alert] = await watch.open();
    assert.ok(alert);
    const taken = await watch.call('POST', `/alerts/${alert.id}/acknowledge`, { as: 'owner', body: { note: 'Wrong number.' } });
    assert.deepEqual(
      [taken.status, taken.body.status, taken.body.acknowledgedByName, taken.body.note],
      [200, 'acknowledged', 'Owner Tester', 'Wrong number.'],
    );
    await watch.alerts.sweep();
    assert.equal((await watch.open())[0]?.status, 'acknowledged');
    assert.equal((await watch.call('POST', `/alerts/${alert.id}/acknowledge`, { as: 'owner' })).body.code, 'invalid_state');
    const [line] = await watch.query(
      "select action, changes from audit_entry where action like 'alert.%' and result = 'ok' and target_id = $1",
      [alert.id],
    );
    assert.deepEqual(line, { action: 'alert.acknowledged', changes: { status: ['open', 'acknowledged'], note: [null, 'Wrong number.'] } });
    await end(agent, 'SUCCEEDED');
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
  });

  it('mutes it: the same condition opens nothing until it cleared in between, and all are notified when it did', async () => {
    const agent = await runs.addAgent({ name: 'Closed', clientId: (await addClient()).id });
    await failThrice(agent);
    await watch.alerts.sweep();
    const [alert] = await watch.open();
    assert.ok(alert);
    const closed = await watch.call('POST', `/alerts/${alert.id}/resolve`, { as: 'owner' });
    assert.deepEqual([closed.body.status, closed.body.resolvedByName, closed.body.muted], ['resolved', 'Owner Tester', true]);
    await end(agent, 'FAILED');
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    const listed = async (query: string): Promise<string[]> =>
      (await watch.call('GET', `/alerts?open=false&${query}`, { as: 'owner' })).body.data.map(({ id }: { id: string }) => id);
    assert.deepEqual([(await listed('muted=true')).includes(alert.id), (await listed('muted=false')).includes(alert.id)], [true, false]);
    await end(agent, 'SUCCEEDED');
    await watch.alerts.sweep();
    assert.deepEqual([(await listed('muted=true')).includes(alert.id), (await listed('muted=false')).includes(alert.id)], [false, true]);
    await failThrice(agent);
    await watch.alerts.sweep();
    assert.equal((await watch.open()).length, 1);
    const titles = async (as: 'owner' | 'moderator') => (await watch.bell(as)).map((title) => title.split(' ')[0]);
    assert.deepEqual(
      [await titles('moderator'), await titles('owner')],
      [
        ['Closed', 'Resolved:', 'Muted:', 'Closed'],
        ['Closed', 'Resolved:', 'Closed'],
      ],
    );
    assert.equal((await watch.call('POST', `/alerts/${alert.id}/resolve`, { as: 'owner' })).body.code, 'invalid_state');
  });

  it('is for admins and staff; a client and another agency find nothing', async () => {
    const agent = await runs.addAgent({ name: 'Guarded', clientId: (await addClient()).id });
    await failThrice(agent);
    await watch.alerts.sweep();
    const [alert] = await watch.open();
    assert.ok(alert);
    const refused = { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', rivalOwner: 'not_found' } as const;
    for (const move of ['acknowledge', 'resolve']) await watch.assertRefused('POST', `/alerts/${alert.id}/${move}`, refused);
    await watch.assertRefused('GET', '/alerts', { clientUser: 'role_forbidden', rivalClientUser: 'role_forbidden' });
    await watch.assertRefused('GET', '/alerts/export.csv', { clientUser: 'role_forbidden' });
    assert.deepEqual(await watch.open('rivalOwner'), []);
    assert.equal((await watch.open('moderator')).length, 1);
    assert.deepEqual(await watch.bell('clientUser'), []);
    assert.deepEqual(await watch.bell('rivalOwner'), []);
    const bySomebody = await watch.call('POST', `/alerts/${alert.id}/resolve`, { as: 'staff' });
    assert.equal(bySomebody.status, 200);
    assert.equal((await watch.bell('owner'))[0]?.startsWith('Muted: Guarded is failing'), true);
  });

  it('by staff is shown to the agency as platform staff', async () => {
    await runs.addAgent({ name: 'Looked after', clientId: (await addClient()).id, consecutiveFailures: 3 });
    await watch.alerts.sweep();
    const [alert] = await watch.open();
    assert.ok(alert);
    for (const move of ['acknowledge', 'resolve'])
      assert.equal((await watch.call('POST', `/alerts/${alert.id}/${move}`, { as: 'staff' })).status, 200);
    const [read] = (await watch.call('GET', '/alerts?open=false', { as: 'owner' })).body.data;
    assert.deepEqual([read.acknowledgedByName, read.resolvedByName], ['Platform staff', 'Platform staff']);
  });
});

describe('the certificate of the identity provider', () => {
  const ends = (inDays: number) =>
    watch.query(
      `insert into sso_connection (partner_id, protocol, email_domains, metadata_url, certificate_expires_at)
       values ($1, 'saml', '{acme.example}', 'https://idp.example/metadata', now() + make_interval(days => $2, hours => 1))
       on conflict (partner_id) do update set certificate_expires_at = excluded.certificate_expires_at`,
      [watch.world.partnerId, inDays],
    );

  it('opens an alert thirty days before it ends, until there is a newer one', async () => {
    await ends(31);
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    await ends(29);
    await watch.alerts.sweep();
    const [alert] = await watch.open();
    assert.deepEqual([alert?.rule, alert?.severity], ['sso_certificate', 'warning']);
    assert.match(alert?.message ?? '', /expires in 29 days/);
    await ends(400);
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    await watch.query('delete from sso_connection');
  });
});

describe('first contacts above the cap of their client', () => {
  it('open one alert for all of them, which resolves when nothing waits', async () => {
    const client = await addClient();
    const agents = [
      await runs.addAgent({ clientId: client.id }),
      await runs.addAgent({ clientId: client.id, templateName: 'review-request' }),
    ];
    await watch.query(
      `insert into dispatch (execution_id, partner_id, workflow_id, texts, due_at, held_until)
       select uuidv7(), w.partner_id, w.id, true, now() + interval '1 hour', now() + interval '1 hour' from workflow w cross join generate_series(1, 5) where w.id = any($1)`,
      [agents],
    );
    await watch.alerts.sweep();
    await watch.alerts.sweep();
    const open = await watch.open();
    assert.deepEqual(
      open.map((one) => [one.rule, one.severity]),
      [['first_contacts', 'warning']],
    );
    assert.match(open[0]?.message ?? '', /wait: .* in their order as the hours allow/);
    await watch.query('delete from dispatch');
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    // What waited may have failed or ended without its text.
    const [resolved] = await watch.query<{ body: string }>(
      "select body from notification where title like 'Resolved: %' order by id desc limit 1",
    );
    assert.match(resolved?.body ?? '', /No run waits for it any more\. Runs says what became of each\./);
  });
});

describe('the list', () => {
  it('filters, pages and exports as CSV; a foreign client is not found', async () => {
    const client = await addClient();
    for (const name of ['One', 'Two', 'Three'])
      await runs.addAgent({ name, clientId: client.id, templateName: `template-${name}`, consecutiveFailures: 3 });
    await runs.addAgent({ name: 'Elsewhere', clientId: (await addClient()).id, lastRunAt: daysAgo(20) });
    await watch.alerts.sweep();
    const list = async (query: string) => (await watch.call('GET', `/alerts?${query}`, { as: 'owner' })).body;
    assert.equal((await list(`clientId=${client.id}`)).data.length, 3);
    assert.deepEqual(
      (await list('rule=agent_silent')).data.map((row: { subject: { label: string } }) => row.subject.label),
      ['Elsewhere'],
    );
    assert.equal((await list('severity=critical&status=open')).data.length, 3);
    assert.equal((await list('open=false')).data.length, 0);
    const first = await list('limit=2');
    const rest = await list(`limit=2&cursor=${first.nextCursor}`);
    assert.equal(new Set([...first.data, ...rest.data].map((row: { id: string }) => row.id)).size, 4);
    const file = await watch.call('GET', '/alerts/export.csv?rule=failure_streak', { as: 'owner' });
    assert.equal(file.text.trim().split('\r\n').length, 4);
    assert.equal((await watch.call('GET', `/alerts?clientId=${watch.world.rivalClientId}`, { as: 'owner' })).status, 404);
    const staff = await watch.call('GET', `/alerts?partnerId=${watch.world.partnerId}&limit=100`, { as: 'staff' });
    assert.equal(staff.body.data.length, 4);
    assert.equal((await watch.call('GET', `/alerts?partnerId=${watch.world.rivalPartnerId}`, { as: 'staff' })).body.data.length, 0);
  });

  it('costs one statement, however long it is', async () => {
    await runs.addAgent({ name: 'Listed', clientId: (await addClient()).id, consecutiveFailures: 3 });
    await watch.alerts.sweep();
    const one = await watch.countStatements(() => watch.call('GET', '/alerts', { as: 'owner' }));
    assert.equal(one, 4, 'begin, scope, list, commit');
  });
});

describe('the rules', () => {
  it('start with the defaults; a change is validated, stored and audited with before and after', async () => {
    const { body } = await watch.call('GET', '/alerts/rules', { as: 'moderator' });
    assert.deepEqual([body.usageThresholds, body.failureStreak, body.silentDays, body.recipients], [[50, 80, 100], 3, 7, []]);
    assert.deepEqual(
      body.team.map(({ email }: { email: string }) => email),
      ['moderator@portal.test', 'owner@portal.test'],
    );
    const changed = await putRules({ usageThresholds: [90, 60, 60], recipients: ['Moderator@portal.test'] });
    assert.deepEqual([changed.body.usageThresholds, changed.body.recipients], [[60, 90], ['moderator@portal.test']]);
    assert.deepEqual((await watch.call('GET', '/alerts/rules', { as: 'owner' })).body, changed.body);
    const [line] = await watch.query(
      "select changes from audit_entry where action = 'alert_rules.changed' and result = 'ok' order by id desc limit 1",
    );
    assert.deepEqual(line, {
      changes: {
        usageThresholds: [
          [50, 80, 100],
          [60, 90],
        ],
        recipients: [[], ['moderator@portal.test']],
      },
    });
    for (const bad of [
      { usageThresholds: [] },
      { usageThresholds: [0] },
      { usageThresholds: [101] },
      { failureStreak: 0 },
      { silentDays: 91 },
      { recipients: ['rivalowner@portal.test'] },
      { recipients: ['clientuser@portal.test'] },
    ])
      assert.equal((await putRules(bad)).body.code, 'validation_failed', JSON.stringify(bad));
    const rules = { usageThresholds: [50], failureStreak: 3, silentDays: 7 };
    await watch.assertRefused(
      'PUT',
      '/alerts/rules',
      { moderator: 'partner_role_forbidden', staff: 'role_forbidden', clientUser: 'role_forbidden' },
      rules,
    );
    await watch.assertRefused('GET', '/alerts/rules', { staff: 'role_forbidden', clientUser: 'role_forbidden' });
    assert.deepEqual((await watch.call('GET', '/alerts/rules', { as: 'rivalOwner' })).body.usageThresholds, [50, 80, 100]);
  });

  it('choose who is mailed; without recipients every admin is', async () => {
    await putRules({ recipients: ['moderator@portal.test'] });
    const agent = await runs.addAgent({ name: 'Mailed', clientId: (await addClient()).id });
    await failThrice(agent);
    await watch.alerts.sweep();
    assert.deepEqual(
      (await watch.mails()).map(({ to }) => to),
      ['moderator@portal.test'],
    );
    assert.equal((await watch.bell('owner')).length, 1);
  });

  it('that become milder resolve what they had opened, and the notification says why', async () => {
    await runs.addAgent({ name: 'Judged', clientId: (await addClient()).id, consecutiveFailures: 3 });
    await watch.alerts.sweep();
    await putRules({ failureStreak: 10 });
    await watch.alerts.sweep();
    const [notification] = (await watch.call('GET', '/notifications', { as: 'owner' })).body.data;
    assert.match(notification.title, /^Resolved: Judged is failing/);
    assert.equal(notification.body, 'It runs again, was switched off, or the rule was changed.');
  });

  it('drop a recipient who may not sign in any more: the rules read can be saved, and every admin is mailed again', async () => {
    await putRules({ recipients: ['moderator@portal.test'] });
    const setStatus = (status: string) =>
      watch.query('update app_user set status = $1 where email = $2', [status, 'moderator@portal.test']);
    await setStatus('disabled');
    try {
      const { body } = await watch.call('GET', '/alerts/rules', { as: 'owner' });
      assert.deepEqual(body.recipients, []);
      await runs.addAgent({ name: 'Still mailed', clientId: (await addClient()).id, consecutiveFailures: 3 });
      await watch.alerts.sweep();
      assert.deepEqual(
        (await watch.mails()).map(({ to }) => to),
        ['owner@portal.test'],
      );
      assert.equal((await putRules(body)).status, 200);
    } finally {
      await setStatus('active');
    }
  });
});

describe('a service without a worker', () => {
  const seen = (seconds: number) =>
    watch.query(
      'insert into worker_heartbeat values (true, now() - make_interval(secs => $1)) on conflict (id) do update set seen_at = excluded.seen_at',
      [seconds],
    );
  const listed = async () =>
    (await watch.call('GET', '/alerts?rule=no_worker&limit=100', { as: 'staff' })).body.data.map(
      ({ status, severity, subject }: { status: string; severity: string; subject: { type: string } }) => [status, severity, subject.type],
    );

  it('has one alert for staff, which resolves by itself; no agency sees it, and mail says only that it is over', async () => {
    await seen(61);
    await Promise.all([watch.alerts.evaluateService(), watch.alerts.evaluateService(), watch.alerts.sweep()]);
    assert.deepEqual(await listed(), [['open', 'critical', 'service']]);
    assert.deepEqual([(await watch.open()).length, await watch.bell('owner'), await watch.mails()], [0, [], []]);
    assert.deepEqual(await watch.bell('staff'), ['No worker is running']);
    await seen(0);
    await watch.alerts.evaluateService();
    assert.deepEqual(await listed(), [['resolved', 'critical', 'service']]);
    assert.deepEqual(await watch.bell('staff'), ['Resolved: No worker is running', 'No worker is running']);
    assert.deepEqual(
      (await watch.mails()).map(({ to, kind }) => [to, kind]),
      [['staff@portal.test', 'alert_resolved']],
    );
  });

  it('has none before a process has started, and none while a worker was seen within the minute', async () => {
    await watch.query('delete from worker_heartbeat');
    await watch.alerts.evaluateService();
    await seen(50);
    await watch.alerts.evaluateService();
    assert.deepEqual(await listed(), []);
  });
});

describe('the sweep', () => {
  it('costs as many statements for many agencies as for one', async () => {
    const cost = () => watch.countStatements(() => watch.alerts.sweep());
    await watch.alerts.sweep();
    assert.equal(await cost(), 5, 'begin, scope, find, clear, commit');
    await watch.db.asSystem('seed', async (tx) => {
      await sql`insert into partner (name, slug) select 'Many ' || n, 'many-' || n from generate_series(1, 30) n`.execute(tx);
      await sql`insert into workflow (partner_id, template_name, name, provider_flow_id, consecutive_failures)
        select id, 't', 'Failing', 'f', 5 from partner where slug like 'many-%'`.execute(tx);
    });
    assert.equal(await cost(), 7, 'the same, one that opens them all, and one that notifies (their teams are empty)');
    assert.equal(await cost(), 5);
    const [{ count } = { count: 0 }] = await watch.query<{ count: number }>(
      "select count(*)::int as count from alert where status = 'open' and subject_label = 'Failing'",
    );
    assert.equal(count, 30);
  });
});

let clients = 0;
async function addClient(): Promise<{ id: string }> {
  clients += 1;
  const [row] = await watch.query<{ id: string }>('insert into client (partner_id, name) values ($1, $2) returning id', [
    watch.world.partnerId,
    `Client ${clients}`,
  ]);
  if (!row) throw new Error('No client was added.');
  return row;
}

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

function putRules(change: Record<string, unknown>) {
  return watch.call('PUT', '/alerts/rules', {
    as: 'owner',
    body: { usageThresholds: [50, 80, 100], failureStreak: 3, silentDays: 7, recipients: [], ...change },
  });
}
