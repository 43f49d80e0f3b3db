import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

let service: ExecutionService;
let agentId: string;

before(async () => {
  service = await startExecutionService();
});
after(() => service.close());
beforeEach(async () => {
  await service.query('delete from workflow');
  agentId = await service.addAgent({ name: 'Text back' });
});

const ids = (reply: { body: { data: { id: string }[] } }): string[] => reply.body.data.map((row) => row.id);
const audits = async (action: string) =>
  service.query<{ changes: Record<string, unknown>; actor_type: string }>(
    'select changes, actor_type from audit_entry where action = $1 and target_id = $2 order by id',
    [action, agentId],
  );

describe('the list of agents', () => {
  it('shows each caller exactly its own agents, with what each lacks', async () => {
    const rival = await service.addAgent({ partnerId: service.world.rivalPartnerId, clientId: service.world.rivalClientId });
    for (const person of ['owner', 'moderator', 'clientUser'] as const)
      assert.deepEqual(ids(await service.call('GET', '/agents', { as: person })), [agentId], person);
    assert.deepEqual(ids(await service.call('GET', '/agents', { as: 'otherClientUser' })), []);
    assert.deepEqual(ids(await service.call('GET', '/agents', { as: 'staff' })), [rival, agentId]);
    const [agent] = (await service.call('GET', '/agents', { as: 'owner' })).body.data;
    assert.deepEqual(
      [agent.missingConnections, agent.clientName, agent.clientStatus, agent.installed, agent.health, agent.runs30d],
      [['twilio'], 'Oak Street Dental', 'active', true, 'ok', 0],
    );
    assert.equal((await service.call('GET', `/agents?clientId=${service.world.rivalClientId}`, { as: 'owner' })).status, 404);
    await service.assertRefused('GET', `/agents/${agentId}`, { rivalOwner: 'not_found', otherClientUser: 'not_found' });
    assert.equal((await service.call('GET', `/agents/${agentId}`, { as: 'clientUser' })).body.id, agentId);
  });

  it('says which agents need nothing from an event: those that report, not those that need one of several inputs; and which call a model', async () => {
    const needs: Record<string, boolean> = {};
    const calls: string[] = [];
    for (const templateName of [
      'daily-sql-report',
      'weekly-insight-digest',
      'lead-intake-cleaner',
      'missed-call-text-back',
      'lead-qualifier',
    ]) {
      const { body } = await service.call('POST', '/agents', {
        as: 'staff',
        body: { partnerId: service.world.rivalPartnerId, templateName },
      });
      needs[templateName] = body.runsWithoutInput;
      if (body.callsModel) calls.push(templateName);
    }
    assert.deepEqual(Object.values(needs), [true, true, false, false, false], JSON.stringify(needs));
    assert.deepEqual(calls, ['weekly-insight-digest', 'lead-qualifier']);
  });

  it('lists required settings that are empty after defaults and the business profile', async () => {
    const id = await service.addAgent({ templateName: 'ai-faq-reply' });
    const path = `/agents/${id}`;
    const missing = async (): Promise<string[]> => (await service.call('GET', path, { as: 'owner' })).body.missingSettings;
    assert.deepEqual(await missing(), ['faqText', 'handoffEmail', 'fromAddress']);
    const config = { handoffEmail: 'desk@oak.example', fromAddress: 'desk@oak.example' };
    const changed = await service.call('PATCH', path, { as: 'owner', body: { config } });
    assert.deepEqual([changed.status, changed.body.missingSettings], [200, ['faqText']]);
    const { clientId } = service.world;
    const setProfile = (businessProfile: string) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('client').set({ businessProfile }).where('id', '=', clientId).execute());
    await setProfile(JSON.stringify({ faqText: 'Open from nine to five.' }));
    assert.deepEqual(await missing(), []);
    await setProfile('{}');
    assert.equal((await service.call('DELETE', path, { as: 'owner' })).status, 204);
  });

  it('refuses to empty what runs fail without while the agent is on, and a placeholder that its texts do not know', async () => {
    const id = await service.addAgent({ templateName: 'missed-call-text-back', clientId: null });
    const save = (body: object) => service.call('PATCH', `/agents/${id}`, { as: 'owner', body });
    const problem = async (body: object) => {
      const reply = await save(body);
      assert.equal(reply.status, 422);
      return reply.body.errors[0];
    };
    const empty = await problem({ config: { message: ' ' } });
    assert.deepEqual([empty.field, empty.code], ['config.message', 'required']);
    const typo = await problem({ config: { message: 'Sorry from {busynessName}' } });
    assert.deepEqual([typo.field, typo.code], ['config.message', 'unknown_placeholder']);
    assert.match(typo.message, /“\{busynessName\}”.*\{businessName\}, \{bookingUrl\} or \{callerNumber\}/);
    assert.equal((await save({ config: { message: 'Sorry from {businessName}' } })).status, 200);
    // A value that was saved before this rule does not block other changes.
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('workflow')
        .set({ config: JSON.stringify({ message: 'Old {link}' }) })
        .where('id', '=', id)
        .execute(),
    );
    assert.equal((await save({ name: 'Renamed', config: { message: 'Old {link}' } })).status, 200);
    assert.equal((await problem({ config: { message: 'New {link}' } })).code, 'unknown_placeholder');
    assert.equal((await save({ config: { message: 'Sorry from {businessName}' } })).status, 200);
    // An agent that is off may be saved with gaps.
    assert.deepEqual((await save({ isActive: false, config: { message: '' } })).body.missingSettings, ['message']);
    assert.equal((await service.call('DELETE', `/agents/${id}`, { as: 'owner' })).status, 204);
  });

  for (const [templateName, key] of [
    ['quote-follow-up', 'delays'],
    ['appointment-reminder', 'leadHours'],
  ] as const)
    it(`refuses to empty the times of ${templateName} while it is on, and lets it be emptied while it is off`, async () => {
      const id = await service.addAgent({ templateName });
      const save = (body: object) => service.call('PATCH', `/agents/${id}`, { as: 'owner', body });
      const refused = await save({ config: { [key]: [] } });
      assert.deepEqual([refused.status, refused.body.errors[0].field, refused.body.errors[0].code], [422, `config.${key}`, 'required']);
      assert.equal((await save({ config: { [key]: [3] } })).status, 200);
      assert.deepEqual((await save({ isActive: false, config: { [key]: [] } })).body.missingSettings, [key]);
      assert.equal((await service.call('DELETE', `/agents/${id}`, { as: 'owner' })).status, 204);
    });

  it('shows the health of each and filters by it', async () => {
    const weekAgo = new Date(Date.now() - 8 * 86_400_000);
    const made = {
      failing: await service.addAgent({ templateName: 'review-request', consecutiveFailures: 3 }),
      silent: await service.addAgent({ templateName: 'quote-follow-up', lastRunAt: weekAgo }),
      paused: await service.addAgent({ templateName: 'ai-faq-reply', isActive: false }),
      not_installed: await service.addAgent({ templateName: 'lead-qualifier', providerFlowId: null }),
      ok: agentId,
    };
    for (const [health, id] of Object.entries(made))
      assert.deepEqual(ids(await service.call('GET', `/agents?health=${health}`, { as: 'owner' })), [id], health);
    assert.deepEqual(ids(await service.call('GET', '/agents?templateName=review-request', { as: 'owner' })), [made.failing]);
    assert.deepEqual(ids(await service.call('GET', '/agents?q=TEXT', { as: 'owner' })), [agentId]);
    // Each word is of the agent's name or of its client's; the names of other agencies' clients find nothing.
    assert.deepEqual(ids(await service.call('GET', '/agents?q=text%20Oak%20dental', { as: 'owner' })), [agentId]);
    assert.deepEqual(ids(await service.call('GET', '/agents?q=text%20elsewhere', { as: 'owner' })), []);
    assert.deepEqual(ids(await service.call('GET', '/agents?q=text%20oak', { as: 'rivalOwner' })), []);
    const first = await service.call('GET', '/agents?limit=3', { as: 'owner' });
    const second = await service.call('GET', `/agents?limit=3&cursor=${first.body.nextCursor}`, { as: 'owner' });
    assert.equal(new Set([...ids(first), ...ids(second)]).size, 5);
  });

  it('finds silent agents by the rules of each agency', async () => {
    const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
    const quiet = await service.addAgent({ templateName: 'review-request', lastRunAt: daysAgo(3) });
    const older = await service.addAgent({ templateName: 'quote-follow-up', lastRunAt: daysAgo(20) });
    // Another agency waits longer.
    await service.query('insert into alert_rules (partner_id, silent_days) values ($1, 30)', [service.world.rivalPartnerId]);
    const silent = async (as: 'owner' | 'staff') => ids(await service.call('GET', '/agents?health=silent', { as }));
    const setDays = (days: number) =>
      service.query(
        'insert into alert_rules (partner_id, silent_days) values ($1, $2) on conflict (partner_id) do update set silent_days = excluded.silent_days',
        [service.world.partnerId, days],
      );
    for (const as of ['owner', 'staff'] as const) {
      await setDays(2);
      assert.deepEqual(await silent(as), [older, quiet]);
      await setDays(10);
      assert.deepEqual(await silent(as), [older]);
      await setDays(30);
      assert.deepEqual(await silent(as), []);
    }
    await service.query('delete from alert_rules');
  });

  it('has no index of what each run of an agent changes, which would then be written too', async () => {
    const indexes = await service.query<{ definition: string }>(
      `select indexdef as definition from pg_indexes where tablename = 'workflow'`,
    );
    const held = (column: string) => indexes.filter(({ definition }) => new RegExp(`\\b${column}\\b`).test(definition)).length;
    assert.deepEqual(['last_run_at', 'consecutive_failures', 'updated_at'].map(held), [0, 0, 0]);
    assert.ok(held('last_run_day') > 0 && held('has_failures') > 0);
  });

  it('takes five statements at any length', async () => {
    for (const templateName of ['review-request', 'quote-follow-up', 'ai-faq-reply']) await service.addAgent({ templateName });
    assert.equal(await service.countStatements(() => service.call('GET', '/agents', { as: 'owner' })), 5);
  });
});

describe('adding an agent', () => {
  const input = () => ({
    partnerId: service.world.partnerId,
    clientId: service.world.otherClientId,
    templateName: 'missed-call-text-back',
    config: { repeatAfterHours: 6 },
  });

  it('is for staff: not installed yet, audited, once per client and template', async () => {
    const made = await service.call('POST', '/agents', { as: 'staff', body: input() });
    assert.equal(made.status, 201);
    assert.deepEqual(
      [made.body.health, made.body.name, made.body.config],
      ['not_installed', 'Missed-call text-back', { repeatAfterHours: 6 }],
    );
    assert.equal(
      (
        await service.query(`select 1 from audit_entry where action = 'agent.created' and target_id = $1 and actor_type = 'staff'`, [
          made.body.id,
        ])
      ).length,
      1,
    );
    const again = await service.call('POST', '/agents', { as: 'staff', body: input() });
    assert.deepEqual([again.status, again.body.code], [409, 'already_exists']);
    await service.assertRefused(
      'POST',
      '/agents',
      { moderator: 'role_forbidden', clientUser: 'role_forbidden', owner: 'role_forbidden' },
      input(),
    );
  });

  it('gives one of a German client the German texts of the catalog, and leaves those of present agents', async () => {
    const { partnerId, clientId } = service.world;
    const present = await service.addAgent({ templateName: 'review-request' });
    const setLocale = (locale: string) => service.query('update client set locale = $1 where id = $2', [locale, clientId]);
    await setLocale('de');
    const own = { smsText: 'Bis bald, {firstName}!' };
    const body = { partnerId, clientId, templateName: 'appointment-reminder', config: own };
    const { id } = (await service.call('POST', '/agents', { as: 'staff', body })).body;
    await setLocale('en');
    const { config } = (await service.call('GET', `/agents/${id}`, { as: 'owner' })).body;
    assert.equal(config.smsText, own.smsText);
    assert.match(config.mailText, /^Guten Tag \{firstName\}/);
    assert.equal(config.optOutLine, 'Antworten Sie STOP, um sich abzumelden.');
    assert.deepEqual((await service.call('GET', `/agents/${present}`, { as: 'owner' })).body.config, {});
    const agency = { partnerId, templateName: 'missed-call-text-back' };
    assert.deepEqual((await service.call('POST', '/agents', { as: 'staff', body: agency })).body.config, {});
  });

  it('refuses unknown templates, a client of another partner and invalid settings', async () => {
    const post = (change: object) => service.call('POST', '/agents', { as: 'staff', body: { ...input(), ...change } });
    assert.equal((await post({ templateName: 'nothing' })).body.errors[0].field, 'templateName');
    assert.equal((await post({ clientId: service.world.rivalClientId })).status, 404);
    assert.equal((await post({ partnerId: service.world.housePartnerId, clientId: null })).status, 404);
    assert.equal((await post({ config: { repeatAfterHours: 'soon' } })).body.errors[0].field, 'config.repeatAfterHours');
    assert.equal((await post({ partnerId: 'x' })).body.code, 'validation_failed');
  });
});

describe('changing an agent', () => {
  it('leaves settings that are not sent, is audited with before and after, and changes updatedAt', async () => {
    await service.call('PATCH', `/agents/${agentId}`, { as: 'owner', body: { config: { repeatAfterHours: 6 } } });
    const reply = await service.call('PATCH', `/agents/${agentId}`, {
      as: 'owner',
      body: { name: 'New name', config: { quietHours: '' } },
    });
    assert.deepEqual([reply.status, reply.body.name, reply.body.config], [200, 'New name', { repeatAfterHours: 6, quietHours: '' }]);
    const lines = await audits('agent.changed');
    assert.deepEqual(lines.at(-1)?.changes['name'], ['Text back', 'New name']);
    assert.equal((await service.call('GET', `/agents/${agentId}`, { as: 'owner' })).body.updatedAt, reply.body.updatedAt);
  });

  it('stores no default that is sent back as it is shown, and audits what changed alone', async () => {
    const path = `/agents/${agentId}`;
    const { configSchema } = (await service.call('GET', path, { as: 'owner' })).body;
    const defaults = Object.fromEntries(configSchema.map((setting: { key: string; default: unknown }) => [setting.key, setting.default]));
    assert.ok(Object.keys(defaults).length > 3);
    const renamed = await service.call('PATCH', path, { as: 'owner', body: { name: 'New name', config: defaults } });
    assert.deepEqual([renamed.status, renamed.body.config], [200, {}]);
    const changed = await service.call('PATCH', path, { as: 'owner', body: { config: { ...defaults, repeatAfterHours: 6 } } });
    assert.deepEqual(changed.body.config, { repeatAfterHours: 6 });
    const back = await service.call('PATCH', path, { as: 'owner', body: { config: defaults } });
    assert.deepEqual(back.body.config, { repeatAfterHours: defaults['repeatAfterHours'] });
    assert.deepEqual((await audits('agent.changed'))[0]?.changes, { name: ['Text back', 'New name'] });
  });

  it('refuses invalid settings, a stale form, moderators, clients and other partners', async () => {
    const path = `/agents/${agentId}`;
    const bad = await service.call('PATCH', path, { as: 'owner', body: { config: { quietHours: 'always', colour: 'red' } } });
    assert.deepEqual(bad.body.errors.map((one: { field: string }) => one.field).toSorted(), ['config.colour', 'config.quietHours']);
    const before = (await service.call('GET', path, { as: 'owner' })).body.updatedAt;
    const headers = { 'if-match': `"${before}"` };
    assert.equal((await service.call('PATCH', path, { as: 'owner', body: { name: 'One' }, headers })).status, 200);
    const stale = await service.call('PATCH', path, { as: 'owner', body: { name: 'Two' }, headers });
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale_record']);
    await service.assertRefused(
      'PATCH',
      path,
      { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', rivalOwner: 'not_found' },
      { name: 'X' },
    );
    assert.equal((await service.call('PATCH', path, { as: 'staff', body: { clientCanPause: true } })).body.clientCanPause, true);
  });
});

describe('where the events of an agent have their id', () => {
  const save = (eventIdFrom: unknown, as: 'owner' | 'moderator' | 'clientUser' = 'owner') =>
    service.call('PATCH', `/agents/${agentId}`, { as, body: { eventIdFrom } });

  it('is a header or a value of the event, decides about the next event, and is cleared with null', async () => {
    const first = await service.ingest(agentId, { ...CALL, callId: 'c1' });
    assert.equal((await service.call('GET', `/agents/${agentId}`, { as: 'owner' })).body.eventIdFrom, null);
    const saved = await save({ input: ' callId ' });
    assert.deepEqual([saved.status, saved.body.eventIdFrom], [200, { input: 'callId' }]);
    const second = await service.ingest(agentId, { ...CALL, callId: 'c1' });
    assert.notEqual(second.body.executionId, first.body.executionId);
    assert.deepEqual((await service.ingest(agentId, { ...CALL, callId: 'c1', again: true })).body, second.body);
    assert.deepEqual((await save({ header: 'X-Call-Id' })).body.eventIdFrom, { header: 'x-call-id' });
    const headers = { 'x-call-id': 'c1' };
    const third = await service.ingest(agentId, CALL, { headers });
    assert.deepEqual((await service.ingest(agentId, CALL, { headers })).body, third.body);
    assert.equal(
      (await service.call('PATCH', `/agents/${agentId}`, { as: 'owner', body: { name: 'Renamed' } })).body.eventIdFrom.header,
      'x-call-id',
    );
    assert.equal((await save(null)).body.eventIdFrom, null);
    assert.deepEqual(
      (await audits('agent.changed')).map(({ changes }) => changes['eventIdFrom'] ?? null),
      [[null, { input: 'callId' }], [{ input: 'callId' }, { header: 'x-call-id' }], null, [{ header: 'x-call-id' }, null]],
    );
  });

  it('is refused when it is neither, both, or a header of the connection, and for who may not change agents', async () => {
    for (const wrong of [
      {},
      { header: 'a', input: 'b' },
      { header: 'Authorization' },
      { header: 'two words' },
      { input: '' },
      { input: 'x'.repeat(121) },
      'x',
    ])
      assert.deepEqual([(await save(wrong)).status, JSON.stringify(wrong)], [422, JSON.stringify(wrong)]);
    assert.equal((await save({ header: 'webhook-id' }, 'moderator')).body.code, 'partner_role_forbidden');
    assert.equal((await save({ header: 'webhook-id' }, 'clientUser')).body.code, 'role_forbidden');
    assert.equal((await save({ header: 'webhook-id' })).status, 200);
  });
});

describe('the switch', () => {
  it('stops events at once and accepts them again', async () => {
    const off = await service.call('POST', `/agents/${agentId}/pause`, { as: 'owner' });
    assert.deepEqual([off.status, off.body.isActive, off.body.health], [200, false, 'paused']);
    assert.equal((await service.ingest(agentId, CALL)).body.code, 'workflow_inactive');
    await service.call('POST', `/agents/${agentId}/resume`, { as: 'owner' });
    assert.equal((await service.ingest(agentId, CALL)).status, 202);
    assert.deepEqual([(await audits('agent.paused')).length, (await audits('agent.resumed')).length], [1, 1]);
  });

  it('is available to the client only if the partner allows it', async () => {
    const path = `/agents/${agentId}/pause`;
    assert.deepEqual((await service.call('POST', path, { as: 'clientUser' })).body.code, 'role_forbidden');
    await service.call('PATCH', `/agents/${agentId}`, { as: 'owner', body: { clientCanPause: true } });
    assert.equal((await service.call('POST', path, { as: 'clientUser' })).body.isActive, false);
    await service.assertRefused('POST', path, {
      moderator: 'partner_role_forbidden',
      staff: 'role_forbidden',
      otherClientUser: 'not_found',
      rivalOwner: 'not_found',
    });
  });
});

describe('the preview', () => {
  it('renders each text with sample data; nothing is sent or stored', async () => {
    const reply = await service.call('POST', `/agents/${agentId}/test`, {
      as: 'owner',
      body: { config: { message: 'Hello from {businessName}' } },
    });
    assert.equal(reply.status, 200);
    const text = reply.body.steps.find((step: { name: string }) => step.name === 'send_text').rendered;
    assert.match(text.body, /^Hello from Oak Street Dental/);
    assert.deepEqual(
      reply.body.steps.map((step: { name: string }) => step.name),
      ['check_hours', 'send_text'],
    );
    assert.equal((await service.query('select 1 from execution where workflow_id = $1', [agentId])).length, 0);
    assert.equal((await audits('agent.previewed')).length, 0, 'opening the page renders the sample by itself');
  });

  it('shows dates and subjects in the language of the client, and notes in that of the agency', async () => {
    const { partnerId, clientId } = service.world;
    const rendered = async (
      templateName: string,
      config = {},
    ): Promise<{ subject: string | null; body: string; note: string | null }[]> => {
      const [row] = await service.query<{ id: string }>('select id from workflow where client_id = $1 and template_name = $2', [
        clientId,
        templateName,
      ]);
      const id = row?.id ?? (await service.addAgent({ partnerId, clientId, templateName }));
      const reply = await service.call('POST', `/agents/${id}/test`, { as: 'owner', body: { config } });
      return reply.body.steps
        .map((step: { rendered: unknown }) => step.rendered)
        .filter((one: { channel?: string } | null) => one?.channel === 'mail');
    };
    await service.query("update client set locale = 'de' where id = $1", [clientId]);
    const [reminder] = await rendered('appointment-reminder', { mailText: 'Guten Tag, Ihr Termin ist am {startTime}.' });
    const [unchanged] = await rendered('appointment-reminder');
    const [digest] = await rendered('weekly-insight-digest');
    const [lead] = await rendered('lead-qualifier');
    await service.query("update client set locale = 'en' where id = $1", [clientId]);
    assert.equal(reminder?.subject, 'Ihr Termin bei Oak Street Dental');
    assert.equal(unchanged?.subject, 'Your visit at Oak Street Dental', 'with the English texts of the catalog');
    assert.match(reminder?.body ?? '', /(?:tag|woch), \d{1,2}\. \p{Lu}\p{Ll}+ um \d\d:\d\d/u);
    assert.deepEqual(
      [digest?.subject, digest?.note],
      ['Ihre Woche in fünf Sätzen', 'A language model explains the numbers when the mail is sent.'],
    );
    assert.match(lead?.subject ?? '', /^Anfrage: /, 'a mail to the owner, while customers read English');
    assert.equal((await rendered('appointment-reminder'))[0]?.subject, 'Your visit at Oak Street Dental');
  });

  it('says why a run of now is certain to text no one: a country that the client does not text, and its quiet hours', async () => {
    const { clientId } = service.world;
    const reasons = async (quietHours: string) => {
      const { body } = await service.call('POST', `/agents/${agentId}/test`, { as: 'owner', body: { config: { quietHours } } });
      return body.notTexted.map(({ reason }: { reason: string }) => reason);
    };
    // All but a minute of the day, and one that is not now: half a day away.
    const at = (hours: number) => `${String((new Date().getUTCHours() + hours) % 24).padStart(2, '0')}:00`;
    const [before] = await service.query('select timezone, text_countries from client where id = $1', [clientId]);
    await service.query("update client set timezone = 'UTC', text_countries = '{DE}' where id = $1", [clientId]);
    assert.deepEqual(await reasons(`${at(12)}-${at(13)}`), ['country_not_allowed']);
    assert.deepEqual(await reasons(`${at(13)}-${at(12)}`), ['country_not_allowed', 'quiet_hours']);
    await service.query("update client set text_countries = '{US}' where id = $1", [clientId]);
    assert.deepEqual(await reasons(`${at(12)}-${at(13)}`), []);
    const { timezone, text_countries: countries } = before ?? assert.fail();
    await service.query('update client set timezone = $2, text_countries = $3 where id = $1', [clientId, timezone, countries]);
  });

  it('is in the audit log when it was asked for with data', async () => {
    const body = { input: { callerNumber: '+13125550121', businessNumber: '+13125550100' } };
    assert.equal((await service.call('POST', `/agents/${agentId}/test`, { as: 'owner', body })).status, 200);
    assert.equal((await audits('agent.previewed')).length, 1);
  });

  it('takes a body of 64 KiB, not a byte more', async () => {
    const bodyOf = (bytes: number) => {
      const frame = { input: { callerNumber: '+13125550121', businessNumber: '+13125550100', note: '' } };
      const filler = 'n'.repeat(bytes - JSON.stringify(frame).length);
      return { input: { ...frame.input, note: filler } };
    };
    const path = `/agents/${agentId}/test`;
    assert.equal((await service.call('POST', path, { as: 'owner', body: bodyOf(65_536) })).status, 200);
    const refused = await service.call('POST', path, { as: 'owner', body: bodyOf(65_537) });
    assert.deepEqual([refused.status, refused.body.code], [413, 'too_large']);
    assert.match(refused.body.detail, /64 KiB/);
  });

  it('names missing input and invalid settings, and is for partner admins', async () => {
    const path = `/agents/${agentId}/test`;
    assert.equal(
      (await service.call('POST', path, { as: 'owner', body: { input: { callerNumber: '+1' } } })).body.missing[0].key,
      'businessNumber',
    );
    assert.equal((await service.call('POST', path, { as: 'owner', body: { config: { quietHours: 7 } } })).body.code, 'validation_failed');
    await service.assertRefused(
      'POST',
      path,
      { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', rivalOwner: 'not_found' },
      {},
    );
  });
});
