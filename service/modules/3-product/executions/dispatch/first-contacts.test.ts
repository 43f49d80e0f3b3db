import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { newId } from '#platform/ids.ts';
import { releaseFirstContacts } from './store-first-contacts.ts';

/** A client may text three people for the first time in an hour. */

let service: ExecutionService;
let calls: string;
before(async () => {
  service = await startExecutionService({ firstContactsPerHour: 3 });
  calls = await service.addAgent({ templateVersion: 3 });
});
after(() => service.close());
beforeEach(async () => {
  service.engine.calls.length = 0;
  service.engine.directCalls.length = 0;
  for (const table of ['dispatch', 'under_way', 'first_contact', 'workflow_contact']) await service.query(`delete from ${table}`);
});

let people = 0;
const someone = (): string => `+1312555${String(3000 + (people += 1))}`;
const accept = (number = someone(), workflowId = calls, event: object = CALL): Promise<string> =>
  service.accept(workflowId, { ...event, callerNumber: number, attendeePhone: number, customerPhone: number });
const acceptAll = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await accept());
  return ids;
};
const handOver = (): Promise<number> => service.executions.dispatcher.runOnce();
const sent = (): string[] => service.engine.calls.map(({ body }) => body.executionId);
const runOf = async (id: string) => (await service.call('GET', `/executions/${id}`, { as: 'owner' })).body;
/** Moves the counted and the held contacts back an hour: the next hour begins. */
const nextHour = async (): Promise<void> => {
  await service.query("update first_contact set at = at - interval '1 hour'");
  await service.query(
    "update dispatch set due_at = due_at - interval '1 hour', held_until = held_until - interval '1 hour' where held_until is not null",
  );
};

const addClient = async (): Promise<string> => {
  const id = newId();
  await service.query("insert into client (id, partner_id, name) values ($1, $2, 'Cedar')", [id, service.world.partnerId]);
  return id;
};

/** A run that a visitor's turn starts. */
const directRun = (callerNumber: string) => ({
  turnId: newId(),
  workflowId: calls,
  input: { ...CALL, callerNumber },
  scope: { partnerId: service.world.partnerId, clientId: service.world.clientId },
});

describe('first contacts of a client', () => {
  it('above the cap of the hour wait, say so, and are sent in the next hours in their order', async () => {
    const ids = await acceptAll(8);
    assert.deepEqual([await handOver(), await handOver()], [3, 0]);
    assert.deepEqual(sent(), ids.slice(0, 3));
    const waiting = await runOf(ids[3] ?? '');
    await service.query("update dispatch set created_at = created_at - interval '11 seconds'");
    assert.deepEqual([waiting.status, (await runOf(ids[3] ?? '')).waitsFor], ['RUNNING', 'first_contacts']);

    const late = await accept();
    await nextHour();
    assert.equal((await runOf(ids[3] ?? '')).waitsFor, 'capacity');
    await handOver();
    assert.deepEqual(sent().slice(3), ids.slice(3, 6));
    await nextHour();
    await handOver();
    assert.deepEqual(sent().slice(6), [...ids.slice(6), late]);
    assert.equal(service.engine.calls.at(-1)?.body.facts.acceptedAt, (await runOf(late)).startedAt, 'a reminder is due by this time');
    assert.deepEqual(await service.query('select 1 from dispatch'), [], 'nothing is lost');
  });

  it('are counted as people: an earlier contact, and a second event of one, pass', async () => {
    const ids = await acceptAll(3);
    await handOver();
    const known = someone();
    await service.query('insert into workflow_contact (partner_id, workflow_id, contact, last_at) values ($1, $2, $3, now())', [
      service.world.partnerId,
      calls,
      known,
    ]);
    const again = service.engine.calls[0]?.body.input['callerNumber'];
    const passing = [await accept(known), await accept(String(again))];
    const held = await accept();
    await handOver();
    assert.deepEqual(sent(), [...ids, ...passing]);
    assert.deepEqual(await service.query('select execution_id as id from dispatch'), [{ id: held }]);
  });

  it('are not whom a run would text whose visit was cancelled before its turn', async () => {
    const clientId = await addClient();
    await service.query('update client set first_contacts_per_hour = 1 where id = $1', [clientId]);
    const agent = await service.addAgent({
      clientId,
      templateName: 'appointment-reminder',
      config: { fromNumber: '+13125550100', smsText: 'Hi {firstName}' },
    });
    const startTime = new Date(Date.now() + 23.5 * 3_600_000).toISOString();
    const visit = (bookingUid: string, attendeePhone: string) => ({ attendeeName: 'Ada', startTime, attendeePhone, bookingUid });
    const cancelled = visit('v-1', someone());
    for (const event of [cancelled, { ...cancelled, cancelled: true }]) assert.equal((await service.ingest(agent, event)).status, 202);
    const other = await service.ingest(agent, visit('v-2', someone()));
    await handOver();
    assert.ok(sent().includes(other.body.executionId));
  });

  it('are not whom an agent has texted that was removed since: one that is installed again knows them', async () => {
    const clientId = await addClient();
    const removed = await service.addAgent({ clientId, templateVersion: 3 });
    const regulars = [someone(), someone()];
    await service.query(
      "insert into workflow_contact (partner_id, workflow_id, contact, last_at) select $1, $2, unnest($3::text[]), now() - interval '9 days'",
      [service.world.partnerId, removed, regulars],
    );
    assert.equal((await service.call('DELETE', `/agents/${removed}`, { as: 'owner' })).status, 204);
    const agent = await service.addAgent({ clientId, templateVersion: 3 });
    await service.query('select forget_first_contacts(1000)');
    for (let n = 0; n < 3; n += 1) await accept(someone(), agent);
    await handOver();
    const known = [];
    for (const regular of regulars) known.push(await accept(regular, agent));
    const held = await accept(someone(), agent);
    await handOver();
    assert.deepEqual(sent().slice(3), known);
    assert.deepEqual(await service.query('select execution_id as id from dispatch'), [{ id: held }]);
  });

  it('of the hour count on when their agent is removed, and are known when the hour is over', async () => {
    const clientId = await addClient();
    const removed = await service.addAgent({ clientId, templateVersion: 3 });
    const [texted, failed] = [someone(), someone()];
    for (const person of [texted, failed]) await accept(person, removed);
    await handOver();
    await service.query('insert into workflow_contact (partner_id, workflow_id, contact, last_at) values ($1, $2, $3, now())', [
      service.world.partnerId,
      removed,
      texted,
    ]);
    assert.equal((await service.call('DELETE', `/agents/${removed}`, { as: 'owner' })).status, 204);
    const agent = await service.addAgent({ clientId, templateVersion: 3 });
    const fresh = await accept(someone(), agent);
    const waits = await accept(someone(), agent);
    await handOver();
    assert.deepEqual(sent().slice(2), [fresh]);
    await service.query("update first_contact set at = at - interval '61 minutes' where at > '-infinity'");
    const isFirst = async (person: string) =>
      (
        await service.query<{ first: boolean }>('select is_first_contact($1, $2, $3) as first', [service.world.partnerId, clientId, person])
      )[0]?.first;
    assert.deepEqual([await isFirst(texted), await isFirst(failed)], [false, true]);
    await service.query('select forget_first_contacts(1000)');
    assert.deepEqual([await isFirst(texted), await isFirst(failed)], [false, true]);
    assert.deepEqual(await service.query('select contact from first_contact'), [{ contact: texted }], 'the others are forgotten');
    assert.deepEqual(await service.query('select execution_id as id from dispatch'), [{ id: waits }]);
  });

  it('are those of one client: another one, and an agent that texts no one, are not held', async () => {
    await acceptAll(4);
    const other = await service.addAgent({ clientId: service.world.otherClientId, templateVersion: 3 });
    const leads = await service.addAgent({ templateName: 'lead-intake-cleaner' });
    const theirs = await accept(someone(), other);
    const { body } = await service.ingest(leads, { phone: someone() });
    assert.equal(await handOver(), 5);
    assert.ok(sent().includes(theirs) && sent().includes(body.executionId));
  });

  for (const [what, config, ends] of [
    ['texts who left both are counted', { fromNumber: '+13125550100' }, 3],
    [
      'mails who left both are not, but whom it texts because they ended mails',
      { fromNumber: '+13125550100', fromAddress: 'hello@oak.example' },
      4,
    ],
  ] as const)
    it(`of an agent that ${what}`, async () => {
      const clientId = await addClient();
      const quotes = await service.addAgent({ templateName: 'quote-follow-up', templateVersion: 8, clientId });
      await service.query('update workflow set config = $2 where id = $1', [quotes, JSON.stringify(config)]);
      const quote = async (customerEmail: string) => {
        const sentAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
        const event = { customerName: 'Ada', quoteUrl: 'https://oak.example/q/1', customerEmail, customerPhone: someone(), sentAt };
        const { body } = await service.ingest(quotes, event);
        return body.executionId as string;
      };
      for (let n = 0; n < 4; n += 1) await quote(`ada${n}@example.com`);
      assert.equal(await handOver(), ends);
      if (ends === 3) return;
      await service.query('insert into opt_out (partner_id, client_id, contact, reason) select $1, $2, unnest($3::text[]), $4', [
        service.world.partnerId,
        clientId,
        [0, 1, 2, 3].map((n) => `ended${n}@example.com`),
        'agency',
      ]);
      for (let n = 0; n < 4; n += 1) await quote(`ended${n}@example.com`);
      assert.equal(await handOver(), 3);
      const facts = service.engine.calls.at(-1)?.body.facts;
      assert.deepEqual([facts?.['onStopList'], facts?.['numberOnStopList']], [true, false]);
    });

  it('that wait go before those that come later, also when there is room again', async () => {
    const ids = await acceptAll(4);
    await handOver();
    await service.query("update first_contact set at = at - interval '1 hour'");
    const late = await accept();
    assert.equal(await handOver(), 0);
    await service.query(
      "update dispatch set due_at = now() - interval '2 seconds', held_until = now() - interval '2 seconds' where execution_id = $1",
      [ids[3]],
    );
    await service.query(
      "update dispatch set due_at = now() - interval '1 second', held_until = now() - interval '1 second' where execution_id = $1",
      [late],
    );
    await handOver();
    assert.deepEqual(sent(), [...ids, late]);
  });

  it('numbers that no one texts use up nothing', async () => {
    for (let n = 0; n < 4; n += 1) await accept(`+1900555${String(3000 + n)}`);
    await handOver();
    const ids = await acceptAll(3);
    assert.equal(await handOver(), 3);
    assert.deepEqual(sent(), ids);
  });

  it('are not those of visits and quotes whose first reminder or nudge comes later, by the settings of the moment', async () => {
    const clientId = await addClient();
    const visits = await service.addAgent({ clientId, templateName: 'appointment-reminder', templateVersion: 9 });
    const quotes = await service.addAgent({ clientId, templateName: 'quote-follow-up', templateVersion: 9 });
    const call = await service.addAgent({ clientId, templateVersion: 3 });
    const startTime = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const visit = () => accept(someone(), visits, { attendeeName: 'Ada', startTime });
    for (let n = 0; n < 3; n += 1) {
      await visit();
      await accept(someone(), quotes, { customerName: 'Ada', quoteUrl: `https://oak.example/q/${n}` });
    }
    assert.equal(await handOver(), 6);
    assert.deepEqual(await service.query('select 1 from first_contact'), []);
    await accept(someone(), call);
    assert.equal(await handOver(), 1);

    await service.query(`update workflow set config = '{"leadHours": [96]}' where id = $1`, [visits]);
    for (let n = 0; n < 3; n += 1) await visit();
    assert.equal(await handOver(), 2, 'the call has taken a place');
    assert.equal((await service.query('select 1 from first_contact')).length, 3);
  });

  it('go on at once when the cap of the client is raised', async () => {
    const ids = await acceptAll(5);
    await handOver();
    await service.query('update client set first_contacts_per_hour = 4 where id = $1', [service.world.clientId]);
    assert.equal(await service.db.asSystem('sweep', (tx) => releaseFirstContacts(tx, service.world.clientId)), 2);
    assert.equal(await handOver(), 1);
    assert.deepEqual(sent(), ids.slice(0, 4));
    await service.query('update client set first_contacts_per_hour = null where id = $1', [service.world.clientId]);
  });

  it('are counted once by two processes at a time', async () => {
    const ids = await acceptAll(12);
    await Promise.all([handOver(), handOver(), handOver()]);
    assert.equal(sent().length, 3);
    assert.equal((await service.query('select from dispatch where held_until > now()')).length, ids.length - 3);
  });

  it('that wait are not overdue, and are not sent because the engine is back', async () => {
    const ids = await acceptAll(4);
    await handOver();
    const held = ids[3] ?? '';
    await service.query(
      "update execution set started_at = now() - interval '3 hours', due_at = now() - interval '1 minute' where id = $1",
      [held],
    );
    assert.equal(await service.executions.endOverdue(), 0);
    assert.equal((await runOf(held)).status, 'RUNNING');
    await service.query('select release_delayed_dispatches(1000)');
    assert.equal(await handOver(), 0);

    await nextHour();
    service.engine.answer = () => 'unreachable';
    assert.equal(await handOver(), 1);
    await service.query("update execution set due_at = now() - interval '1 minute' where id = $1", [held]);
    assert.equal(await service.executions.endOverdue(), 0, 'its wait for the engine began with its hour');
    service.engine.answer = () => 'accepted';
    await service.executions.dispatcher.recoverExpired();
    await handOver();
    assert.equal(sent().at(-1), held);
  });

  it('that wait are not sent once their agent is off, and end free with that reason; other agents keep their places', async () => {
    const clientId = await addClient();
    const agent = await service.addAgent({ clientId, templateVersion: 3 });
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await accept(someone(), agent));
    await handOver();
    await service.query('update workflow set is_active = false where id = $1', [agent]);
    await nextHour();
    const other = await service.addAgent({ clientId, templateName: 'review-request' });
    const { body } = await service.ingest(other, { customerName: 'Leo', customerPhone: someone(), rating: 5, service: 'Repair' });
    await handOver();
    assert.deepEqual(sent(), [...ids.slice(0, 3), body.executionId]);
    for (const id of ids.slice(3)) {
      const { status, stopped, output, creditsCharged } = await runOf(id);
      assert.deepEqual([status, stopped, output.reason, creditsCharged], ['SUCCEEDED', true, 'workflow_inactive', 0]);
    }
    assert.deepEqual(await service.query("select contact from first_contact where at > now() - interval '1 hour'"), [
      { contact: service.engine.calls.at(-1)?.body.input['customerPhone'] },
    ]);
  });

  it('that wait are not sent once their visit was cancelled or their quote answered, which itself waits for no one', async () => {
    const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    const visit = { attendeeName: 'Bob', attendeePhone: someone(), startTime: at(23.5), bookingUid: 'v-1' };
    const quote = { customerName: 'Bob', customerPhone: someone(), quoteUrl: 'https://oak.example/q/1', sentAt: at(-50) };
    const cases = [
      ['appointment-reminder', visit, { cancelled: 'cancelled' }, 'booking_cancelled'],
      ['quote-follow-up', quote, { answered: 'accepted' }, 'answered'],
    ] as const;
    await acceptAll(3);
    await handOver();
    const waiting: { event: string; again: string; reason: string }[] = [];
    for (const [templateName, event, ending, reason] of cases) {
      const agent = await service.addAgent({ templateName, templateVersion: 9 });
      const run = { event: await service.accept(agent, event), again: '', reason };
      await handOver();
      const end = await service.accept(agent, { ...event, ...ending });
      assert.equal(await handOver(), 1);
      assert.equal(sent().at(-1), end, 'it texts no one');
      waiting.push({ ...run, again: await service.accept(agent, event) });
    }
    await handOver();
    service.engine.calls.length = 0;
    await nextHour();
    await handOver();
    assert.deepEqual(
      sent(),
      waiting.map((one) => one.again),
      'those of events that came after it go out',
    );
    for (const { event, reason } of waiting) {
      const { status, creditsCharged, output } = await runOf(event);
      assert.deepEqual([status, creditsCharged, output.reason], ['SUCCEEDED', 0, reason]);
    }
  });

  it('that wait are not sent while their account does not run agents, and go on when it does again', async () => {
    const clientId = await addClient();
    const { partnerId } = service.world;
    const lapsed: [string, string, string][] = [
      ['client', 'suspended', clientId],
      ['client', 'archived', clientId],
      ['partner', 'suspended', partnerId],
    ];
    const agent = await service.addAgent({ clientId, templateVersion: 3 });
    for (const [table, status, id] of lapsed) {
      const held = await accept(someone(), agent);
      await service.query(`update ${table} set status = $2 where id = $1`, [id, status]);
      await handOver();
      await service.query(`update ${table} set status = 'active' where id = $1`, [id]);
      const { stopped, output } = await runOf(held);
      assert.deepEqual([stopped, output.reason], [true, 'account_suspended'], `${table} ${status}`);
    }
    assert.deepEqual(sent(), []);
    const later = await accept(someone(), agent);
    await handOver();
    assert.deepEqual(sent(), [later]);
  });

  it('of chatbots leave half of the hour to events', async () => {
    service.engine.direct = async (_flow, body) => ({
      kind: 'answered',
      body: { workflowId: body['workflowId'], status: 'SUCCEEDED', output: {} },
    });
    const kinds: string[] = [];
    for (let n = 0; n < 3; n += 1) kinds.push((await service.executions.runDirectly(directRun(someone()))).kind);
    assert.deepEqual(kinds, ['succeeded', 'succeeded', 'refused']);
    const called = await accept();
    await handOver();
    assert.deepEqual(sent(), [called]);
  });

  it('of a chatbot are left to a person', async () => {
    await acceptAll(3);
    await handOver();
    const refused = await service.executions.runDirectly(directRun(someone()));
    assert.deepEqual([refused.kind, refused.error?.code, service.engine.directCalls.length], ['refused', 'first_contacts_used', 0]);
    service.engine.direct = async (_flow, body) => ({
      kind: 'answered',
      body: { workflowId: body['workflowId'], status: 'SUCCEEDED', output: {} },
    });
    const known = String(service.engine.calls[0]?.body.input['callerNumber']);
    assert.equal((await service.executions.runDirectly(directRun(known))).kind, 'succeeded');
  });
});
