import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { findBundle } from '@partner-portal/catalog/index.ts';
import { DELIVERY_DAYS, KEPT_DAYS } from '@partner-portal/core/trust/retention.ts';
import { recordAudit, recordListLook, recordLook } from '#modules/1-ledger/audit/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { ACCESS_LOG_KINDS } from '@partner-portal/contract/vocabulary.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { trust } from './index.ts';

let service: TestService;

before(async () => {
  service = await startTestService({
    modules: (platform) => [
      trust({
        ...platform,
        templateOf: (name) => findBundle(name)?.template,
        platformProviders: ['openai'],
        deletionDays: 30,
      }),
    ],
  });
});
after(() => service.close());
beforeEach(() =>
  query(
    'delete from audit_entry; delete from client_look; delete from agency_look; delete from execution; delete from credential_use; delete from credential; delete from workflow;',
  ),
);

const query = (text: string, values?: unknown[]) => service.database.query(text, values);
const read = async (path: string, as: Person = 'clientUser') => {
  const reply = await service.call('GET', `/clients/me/${path}`, { as });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
};
const record = (
  person: Person,
  action: AuditAction,
  target: { type: string; label: string },
  clientId: string | null = service.world.clientId,
) =>
  service.db.asSystem('seed', (tx) =>
    recordAudit(tx, {
      partnerId: service.world.partnerId,
      clientId,
      actor: service.actor(person),
      action,
      target: { id: newId(), ...target },
      origin: { ip: '203.0.113.9', userAgent: 'Secret browser', requestId: 'r' },
    }),
  );
const look = (person: Person, kind: 'runs' | 'conversations' | 'exports', clientId = service.world.clientId) => {
  const { partnerId } = service.world;
  const actor = service.actor(person);
  return actor.role === 'ADMIN'
    ? service.db.asStaff(actor, (tx) => recordLook(tx, actor, kind, { partnerId, clientId }))
    : service.db.asTenant(actor, (tx) => recordLook(tx, actor, kind, { partnerId, clientId }));
};
const addThird = async (): Promise<string> =>
  (await query(`insert into client (partner_id, name, timezone) values ($1, 'Third', 'UTC') returning id`, [service.world.partnerId]))[0]
    ?.id;
async function addRun(clientId: string | null): Promise<string> {
  const { partnerId } = service.world;
  const [row] = await query(
    `insert into execution (id, partner_id, client_id, workflow_id, source, summary, template_version, credits_held, due_at)
     values (uuidv7(), $1, $2, uuidv7(), 'test', '', 1, 1, now()) returning id`,
    [partnerId, clientId],
  );
  return row?.id;
}
type Entry = { id: string; kind: string; by: { side: string; name: string | null }; subject: string | null; uses: number | null };
const short = (entries: Entry[]) => entries.map(({ kind, by, subject }) => [kind, by.side, by.name, subject]);

describe('what is done with a client’s data', () => {
  it('names for each agent the data and the services with whose key, and for each kind of data how long it is kept', async () => {
    const { partnerId, clientId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      for (const templateName of ['missed-call-text-back', 'lead-qualifier']) await addWorkflow(tx, { partnerId, clientId, templateName });
    });
    await query(
      `insert into credential (partner_id, client_id, provider, source_mode, sealed) values ($1, null, 'twilio', 'byok', '\\x01'), ($1, $2, 'resend', 'byok', '\\x01'), ($1, null, 'openai', 'platform', null)`,
      [partnerId, clientId],
    );
    const body = await read('trust');
    const agents = new Map(body.agents.map((agent: { name: string; data: string[]; services: unknown }) => [agent.name, agent]));
    assert.deepEqual((agents.get('missed-call-text-back') as { data: string[] }).data, ['phone_number', 'calls']);
    assert.deepEqual((agents.get('lead-qualifier') as { services: unknown }).services, [
      { provider: 'openai', key: 'platform' },
      { provider: 'twilio', key: 'agency' },
      { provider: 'resend', key: 'own' },
    ]);
    assert.deepEqual(body.chatbot, null);
    const days = Object.fromEntries(body.retention.map((row: { what: string; days: number | null }) => [row.what, row.days]));
    assert.deepEqual([days.run_contents, days.run_list, days.conversations, days.deleted_account], [90, null, 365, 30]);
    const kept = await query('select name::text, keep_days from partitioned_table');
    const of = (name: string): number | null => kept.find((row) => row.name === name)?.keep_days ?? null;
    assert.deepEqual(
      [of('execution_payload'), of('execution'), of('inbound_event'), of('credential_use'), of('delivery'), of('delivery_attempt')],
      [KEPT_DAYS.run_contents, KEPT_DAYS.run_list, KEPT_DAYS.incoming_calls, KEPT_DAYS.key_uses, DELIVERY_DAYS, DELIVERY_DAYS],
    );
    await service.assertRefused('GET', '/clients/me/trust', { owner: 'role_forbidden', staff: 'role_forbidden' });
  });
});

describe('the access log of a client', () => {
  it('says who did what in names of the agency, and nothing of staff, addresses, browsers or e-mails', async () => {
    await record('owner', 'agent.changed', { type: 'agent', label: 'Text back' });
    await record('staff', 'view_as.started', { type: 'client', label: 'Oak Street Dental' });
    await record('clientUser', 'client.changed', { type: 'client', label: 'Oak Street Dental' });
    await record('owner', 'credential.saved', { type: 'credential', label: 'twilio' });
    const { data } = await read('access-log');
    assert.deepEqual(short(data), [
      ['credential.saved', 'agency', 'Owner Tester', 'Twilio'],
      ['client.changed', 'you', 'ClientUser Tester', null],
      ['view_as.started', 'platform', null, null],
      ['agent.changed', 'agency', 'Owner Tester', 'Text back'],
    ]);
    assert.ok(!/@|203\.0|Secret|Staff Tester/.test(JSON.stringify(data)));
    const { text } = await service.call('GET', '/clients/me/access-log/export.csv', { as: 'clientUser' });
    assert.deepEqual(
      text
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
      data.map(({ id }: Entry) => id),
    );
    assert.ok(!/@|203\.0|Secret|Staff Tester/.test(text));
  });

  it('reads in the client’s language as CSV: headings, and the sentence that the page shows', async () => {
    const speak = (tag: string) => query('update app_user set locale = $2 where id = $1', [service.world.people.clientUser.userId, tag]);
    const csv = async () => (await service.call('GET', '/clients/me/access-log/export.csv', { as: 'clientUser' })).text;
    await record('owner', 'agent.changed', { type: 'agent', label: 'Text back' });
    await speak('de');
    assert.match(
      await csv(),
      /^\uFEFF?Eintrag;Zeitpunkt;Seite;Wer;Was;In Worten;Betrifft;Nutzungen;Für\r\n[^\n]*Owner Tester von Acme Agency hat Text back [^\n]*\./,
    );
    await speak('en-US');
    assert.match(
      await csv(),
      /^\uFEFF?Entry,When,Side,Who,What,In words,About,Uses,For\r\n[^\n]*Owner Tester of Acme Agency changed Text back\./,
    );
  });

  it('names an agent that has the title of its template by that title in the client’s language', async () => {
    const { partnerId, clientId, people } = service.world;
    const workflow = await service.db.asSystem('seed', (tx) =>
      addWorkflow(tx, { partnerId, clientId, templateName: 'review-request', name: 'Review request' }),
    );
    await query(
      `insert into credential_use (partner_id, client_id, credential_id, provider, purpose, actor_type, served_client_id, workflow_id)
       values ($1, null, uuidv7(), 'twilio', 'bind_connection', 'system', $2, $3)`,
      [partnerId, clientId, workflow],
    );
    await record('owner', 'agent.created', { type: 'agent', label: 'Review request' });
    await record('staff', 'agent_request.fulfilled', { type: 'agent_request', label: 'Review request' });
    await record('owner', 'agent.changed', { type: 'agent', label: 'Our own words' });
    const named = async () =>
      (await read('access-log')).data.map(({ subject, agent }: Entry & { agent: string | null }) => agent ?? subject);
    assert.deepEqual((await named()).toSorted(), ['Our own words', 'Review request', 'Review request', 'Review request']);
    await query("update app_user set locale = 'es' where id = $1", [people.clientUser.userId]);
    try {
      assert.deepEqual((await named()).toSorted(), ['Our own words', 'Solicitud de reseña', 'Solicitud de reseña', 'Solicitud de reseña']);
    } finally {
      await query("update app_user set locale = 'en-US' where id = $1", [people.clientUser.userId]);
    }
  });

  it('has how a conversation ended, the agent of a fulfilled request, and the removal of the agency’s sample data', async () => {
    const { partnerId, clientId } = service.world;
    await record('owner', 'conversation.given_back', { type: 'conversation', label: 'Visitor 1695' });
    await record('owner', 'conversation.closed', { type: 'conversation', label: 'Visitor 1695' });
    await service.db.asSystem('seed', (tx) =>
      recordAudit(tx, {
        partnerId,
        clientId,
        actor: { kind: 'system' },
        action: 'agent_request.fulfilled',
        target: { type: 'agent_request', id: newId(), label: 'Review request' },
      }),
    );
    await record('owner', 'sample_data.removed', { type: 'partner', label: 'the sample data' }, null);
    assert.deepEqual(short((await read('access-log')).data), [
      ['sample_data.removed', 'agency', 'Owner Tester', null],
      ['agent_request.fulfilled', 'service', null, 'Review request'],
      ['conversation.closed', 'agency', 'Owner Tester', 'Visitor 1695'],
      ['conversation.given_back', 'agency', 'Owner Tester', 'Visitor 1695'],
    ]);
  });

  it('lists every kind it names, and no other action', async () => {
    const actions = ACCESS_LOG_KINDS.filter((kind): kind is Extract<typeof kind, AuditAction> => !/^look\.|key_used$/.test(kind));
    for (const action of actions)
      await record('owner', action, { type: 'agent', label: 'Text back' }, action === 'sample_data.removed' ? null : undefined);
    for (const action of ['session.signed_in', 'alert.resolved', 'client.suspended'] as const)
      await record('owner', action, { type: 'agent', label: 'Text back' });
    await query("update audit_entry set result = 'refused' where action = 'agent.paused'");
    assert.deepEqual(
      (await read('access-log?limit=100')).data.map(({ kind }: Entry) => kind).toSorted(),
      actions.filter((action) => action !== 'agent.paused').toSorted(),
    );
  });

  it('has agents that were switched together as paused or resumed, each by itself', async () => {
    const { partnerId, clientId } = service.world;
    for (const isActive of [false, true])
      await service.db.asSystem('seed', (tx) =>
        recordAudit(tx, {
          partnerId,
          clientId,
          actor: service.actor('owner'),
          action: 'agent.switched',
          target: { type: 'agent', id: newId(), label: 'Text back' },
          changes: { isActive: [!isActive, isActive] },
        }),
      );
    assert.deepEqual(short((await read('access-log')).data), [
      ['agent.resumed', 'agency', 'Owner Tester', 'Text back'],
      ['agent.paused', 'agency', 'Owner Tester', 'Text back'],
    ]);
  });

  it('has what was opened once per person, part and day', async () => {
    for (let n = 0; n < 3; n += 1) await look('owner', 'runs');
    await look('moderator', 'runs');
    await look('staff', 'conversations');
    await look('clientUser', 'runs');
    assert.deepEqual(short((await read('access-log')).data), [
      ['look.conversations', 'platform', null, null],
      ['look.runs', 'agency', 'Moderator Tester', null],
      ['look.runs', 'agency', 'Owner Tester', null],
    ]);
    await query("update client_look set day = day - 1, at = at - interval '1 day'");
    await look('owner', 'runs');
    assert.equal((await read('access-log')).data.length, 4);
    assert.deepEqual((await read('access-log', 'otherClientUser')).data, []);
  });

  it('has lists over all clients that reach over its own runs, by one entry of the agency however many clients there are', async () => {
    const { partnerId, clientId, otherClientId } = service.world;
    const [third, agencyWide] = [await addThird(), null];
    const runs: { id: string; clientId: string | null }[] = [];
    for (const owner of [clientId, otherClientId, clientId, agencyWide, third]) runs.push({ id: await addRun(owner), clientId: owner });
    const list = (person: Person, shown: typeof runs, ofAgency: 'runs' | 'run_exports' = 'runs') => {
      const actor = service.actor(person);
      const kinds = { ofClient: ofAgency === 'runs' ? 'runs' : 'exports', ofAgency } as const;
      const work = (tx: Tx) => recordListLook(tx, actor, kinds, { partnerId, clientId: null, shown });
      return actor.role === 'ADMIN' ? service.db.asStaff(actor, work) : service.db.asTenant(actor, work);
    };
    const logs = async () => ({
      one: short((await read('access-log')).data).map(([kind, , name]) => [kind, name]),
      other: short((await read('access-log', 'otherClientUser')).data).map(([kind, , name]) => [kind, name]),
    });
    await list('owner', runs.slice(1, 3));
    assert.deepEqual(await logs(), { one: [['look.all_runs', 'Owner Tester']], other: [['look.all_runs', 'Owner Tester']] });
    // Rows of one client are a look at that client.
    await list(
      'moderator',
      [runs[0], runs[2], runs[3]].flatMap((run) => run ?? []),
    );
    assert.deepEqual((await logs()).one[0], ['look.runs', 'Moderator Tester']);
    assert.equal((await logs()).other.length, 1);
    await list('moderator', runs.slice(3, 4));
    await list('clientUser', runs);
    assert.equal((await logs()).one.length, 2, 'the agency’s own runs and the client’s own list are no look');
    await list('staff', runs.slice(2, 5), 'run_exports');
    assert.deepEqual(
      [(await logs()).one[0], (await logs()).other.length],
      [['look.exports', null], 1],
      'it reaches over the one client only',
    );
    await list('staff', runs.slice(0, 2), 'run_exports');
    assert.deepEqual((await logs()).other[0], ['look.exports', null], 'the second reached further');
    assert.equal((await query('select 1 from agency_look')).length, 2);
    assert.deepEqual((await read('access-log', 'rivalClientUser')).data, []);
    const bulk = await service.countStatements(() => list('owner', runs));
    await query(`insert into client (partner_id, name, timezone) select $1, 'c' || n, 'UTC' from generate_series(1, 2000) n`, [partnerId]);
    assert.equal(await service.countStatements(() => list('owner', runs)), bulk);
    assert.equal((await query('select 1 from agency_look')).length, 2);
    await query(`delete from client where name ~ '^c[0-9]+$'`);
  });

  it('has a list of conversations of all clients for those that had one by then', async () => {
    const { partnerId, clientId, otherClientId } = service.world;
    const [bot] = await query(
      `insert into chatbot (partner_id, client_id, name, provider, model, greeting) values ($1, $2, 'Bot', 'openai', 'm', 'Hi') returning id`,
      [partnerId, clientId],
    );
    await query(
      `insert into conversation (id, partner_id, client_id, chatbot_id, visitor_label) values (gen_random_uuid(), $1, $2, $3, 'Visitor')`,
      [partnerId, clientId, bot?.id],
    );
    await service.db.asTenant(service.actor('owner'), (tx) =>
      recordListLook(
        tx,
        service.actor('owner'),
        { ofClient: 'conversations', ofAgency: 'conversations' },
        { partnerId, clientId: null, shown: [clientId, otherClientId].map((id) => ({ id: newId(), clientId: id })) },
      ),
    );
    assert.deepEqual(
      [short((await read('access-log')).data), (await read('access-log', 'otherClientUser')).data],
      [[['look.all_conversations', 'agency', 'Owner Tester', null]], []],
    );
  });

  it('has exports of the whole agency, which hold the data of each client that there was', async () => {
    const { otherClientId, people } = service.world;
    const target = { type: 'account_export', label: 'Acme Agency' };
    for (const [person, action] of [
      ['owner', 'account_export.requested'],
      ['staff', 'account_export.downloaded'],
      ['owner', 'partner.changed'],
    ] as const)
      await record(person, action, target, null);
    const log = [
      ['account_export.downloaded', 'platform', null, null],
      ['account_export.requested', 'agency', 'Owner Tester', null],
    ];
    for (const as of ['clientUser', 'otherClientUser'] as const) assert.deepEqual(short((await read('access-log', as)).data), log, as);
    const [first, ...more] = (await read('access-log?limit=1')).data;
    assert.deepEqual([short([first]), more], [log.slice(0, 1), []]);
    assert.deepEqual((await read('access-log', 'rivalClientUser')).data, []);
    await query(`update client set created_at = now() + interval '1 day' where id = $1`, [otherClientId]);
    assert.deepEqual((await read('access-log', 'otherClientUser')).data, [], 'it did not exist yet');
    await query('update client set created_at = now() where id = $1', [otherClientId]);
    await record('owner', 'account_export.requested', target, people.otherClientUser.clientId);
    assert.equal((await read('access-log')).data.length, 2);
  });

  it('counts the uses of the agency’s keys for it by key, agent and day, and shows nothing of other clients', async () => {
    const { partnerId, clientId, otherClientId } = service.world;
    const workflows = await service.db.asSystem('seed', async (tx) => [
      await addWorkflow(tx, { partnerId, clientId, templateName: 'daily-sql-report', name: 'Morning figures' }),
      await addWorkflow(tx, { partnerId, clientId: otherClientId, templateName: 'daily-sql-report', name: 'Secret figures' }),
    ]);
    for (const [client, workflow, provider, uses] of [
      [clientId, workflows[0], 'postgres', 3],
      [clientId, null, 'openai', 2],
      [otherClientId, workflows[1], 'postgres', 5],
      // An agent that belongs to another client by now.
      [clientId, workflows[1], 'calcom', 1],
      [null, null, 'twilio', 7],
    ] as const)
      await query(
        `insert into credential_use (partner_id, client_id, credential_id, provider, purpose, actor_type, served_client_id, workflow_id)
         select $1, null, uuidv7(), $2, 'run_query', 'system', $3, $4 from generate_series(1, $5::int)`,
        [partnerId, provider, client, workflow, uses],
      );
    const { data } = await read('access-log');
    assert.deepEqual(
      data.map(({ kind, subject, agent, uses }: Entry & { agent: string | null }) => [kind, subject, agent, uses]),
      [
        ['agency_key_used', 'Cal.com', null, 1],
        ['agency_key_used', 'OpenAI', null, 2],
        ['agency_key_used', 'SQL database', 'Morning figures', 3],
      ],
    );
    const other = await read('access-log', 'otherClientUser');
    assert.deepEqual(
      other.data.map(({ agent, uses }: { agent: string; uses: number }) => [agent, uses]),
      [['Secret figures', 5]],
    );
    assert.deepEqual((await read('access-log', 'rivalClientUser')).data, []);
  });

  it('counts every use of a day, however many there are, and loses none before them', async () => {
    const { partnerId, clientId } = service.world;
    for (const [provider, uses] of [
      ['openai', 2],
      ['twilio', 6_000],
    ] as const)
      await query(
        `insert into credential_use (partner_id, client_id, credential_id, provider, purpose, actor_type) select $1, $2, uuidv7(), $3, 'ai_call', 'system' from generate_series(1, $4::int)`,
        [partnerId, clientId, provider, uses],
      );
    const { data } = await read('access-log');
    assert.deepEqual(
      data.map(({ subject, uses }: Entry) => [subject, uses]),
      [
        ['Twilio', 6_000],
        ['OpenAI', 2],
      ],
    );
  });

  it('counts the uses of an own key by day, on whichever page the day is', async () => {
    const { partnerId, clientId, otherClientId } = service.world;
    for (const [client, provider, uses] of [
      [clientId, 'twilio', 3],
      [clientId, 'openai', 2],
      [otherClientId, 'twilio', 5],
      [null, 'twilio', 7],
    ] as const)
      await query(
        `insert into credential_use (partner_id, client_id, credential_id, provider, purpose, actor_type) select $1, $2, uuidv7(), $3, 'ai_call', 'system' from generate_series(1, $4::int)`,
        [partnerId, client, provider, uses],
      );
    await record('owner', 'agent.changed', { type: 'agent', label: 'Text back' });
    const all: Entry[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await read(`access-log?limit=1${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      all.push(...page.data);
      cursor = page.nextCursor;
    }
    assert.deepEqual(
      all.map(({ kind, subject, uses }) => [kind, subject, uses]).toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
      [
        ['agent.changed', 'Text back', null],
        ['key_used', 'OpenAI', 2],
        ['key_used', 'Twilio', 3],
      ],
    );
  });

  it('is each client’s own, with a cursor for no one else', async () => {
    await record('owner', 'agent.changed', { type: 'agent', label: 'Text back' });
    await record('owner', 'agent.paused', { type: 'agent', label: 'Text back' });
    await record('owner', 'agent.changed', { type: 'agent', label: 'Other' }, service.world.otherClientId);
    const { data, nextCursor } = await read('access-log?limit=1');
    assert.equal(data.length, 1);
    const foreign = await service.call('GET', `/clients/me/access-log?limit=1&cursor=${encodeURIComponent(nextCursor)}`, {
      as: 'otherClientUser',
    });
    assert.equal(foreign.body.code, 'invalid_cursor');
    assert.deepEqual(short((await read('access-log', 'otherClientUser')).data), [['agent.changed', 'agency', 'Owner Tester', 'Other']]);
    await service.assertRefused('GET', '/clients/me/access-log', {
      owner: 'role_forbidden',
      moderator: 'role_forbidden',
      staff: 'role_forbidden',
    });
  });
});

describe('the people of a client', () => {
  it('are its own users and those it waits for, next to the admins of its agency by name', async () => {
    const { partnerId, clientId, otherClientId } = service.world;
    for (const [client, email] of [
      [clientId, 'new@oak.test'],
      [otherClientId, 'new@elm.test'],
    ] as const)
      await query(
        `insert into invitation (partner_id, client_id, kind, email, token_hash, expires_at) values ($1, $2, 'client_user', $3, $4, now() + interval '7 days')`,
        [partnerId, client, email, Buffer.from(email)],
      );
    const body = await read('people');
    assert.deepEqual(
      body.people.map(({ email, isYou }: { email: string; isYou: boolean }) => [email, isYou]),
      [['clientuser@portal.test', true]],
    );
    assert.deepEqual(
      body.invitations.map(({ email }: { email: string }) => email),
      ['new@oak.test'],
    );
    assert.deepEqual([body.agency.name, body.agency.admins], ['Acme Agency', ['Owner Tester']]);
    const add = (role: string, partnerRole: string | null, client: string | null, name: string) =>
      query(
        `insert into app_user (partner_id, client_id, role, partner_role, email, full_name, password_hash)
          select $1, $2, $3, $4, md5($5) || '@oak.test', $5, password_hash from app_user where id = $6`,
        [partnerId, client, role, partnerRole, name, service.world.people.owner.userId],
      );
    for (const name of ['Zoe', 'Özlem', 'anna', 'Ágata']) {
      await add('CLIENT', null, clientId, name);
      await add('PARTNER', 'admin', null, `${name} Lee`);
    }
    const { people, agency } = await read('people');
    const names = people.map(({ fullName }: { fullName: string }) => fullName);
    assert.deepEqual(names, ['Ágata', 'anna', 'ClientUser Tester', 'Özlem', 'Zoe']);
    assert.deepEqual(agency.admins, ['Ágata Lee', 'anna Lee', 'Owner Tester', 'Özlem Lee', 'Zoe Lee']);
    await query(`delete from app_user where email like '%@oak.test'`, []);
    await service.assertRefused('GET', '/clients/me/people', { owner: 'role_forbidden', staff: 'role_forbidden' });
  });
});
