import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { newId } from '#platform/ids.ts';

/** A person who asks for no more texts gets none from any agent of the client. */

let service: ExecutionService;
let calls: string;
let answers: string;
let reminders: string;
let quotes: string;
before(async () => {
  service = await startExecutionService();
  calls = await service.addAgent();
  answers = await service.addAgent({ templateName: 'ai-faq-reply', templateVersion: 4 });
  reminders = await service.addAgent({ templateName: 'appointment-reminder', templateVersion: 4 });
  quotes = await service.addAgent({ templateName: 'quote-follow-up', templateVersion: 4 });
});
after(() => service.close());
beforeEach(async () => {
  service.engine.calls.length = 0;
  service.engine.directCalls.length = 0;
  await service.query('delete from opt_out');
});

const FROM = CALL.callerNumber;
const textOf = (body: string, more: object = {}) => ({ from: FROM, to: CALL.businessNumber, body, ...more });
const form = (fields: Record<string, string>) => ({
  rawBody: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const accept = async (workflowId: string, event: object, options: object = {}): Promise<string> => {
  const { status, body } = await service.ingest(workflowId, event, options);
  assert.equal(status, 202, JSON.stringify(body));
  return body.executionId;
};
const handOver = async () => {
  while ((await service.executions.dispatcher.runOnce()) > 0);
};
const runOf = async (id: string) => (await service.call('GET', `/executions/${id}`, { as: 'owner' })).body;
const listed = async () =>
  (
    await service.query<{ contact: string; reason: string }>('select contact, reason, execution_id as run from opt_out order by contact')
  ).map((row) => ({ ...row }));
/** Returns the facts about their person that the called flows got. */
const onStopList = () => service.engine.calls.map(({ body }) => body.facts['onStopList']);
const outcome = async (id: string) => {
  const { status, creditsCharged, output } = await runOf(id);
  return { status, creditsCharged, reason: output?.reason };
};

describe('a text that asks for no more texts', () => {
  it('is listed by an agent of quotes too, when it names no quote', async () => {
    const nudges = await service.addAgencyAgent({ templateName: 'quote-follow-up', templateVersion: 9 });
    const id = await accept(nudges, textOf('STOP', { answered: true }));
    assert.deepEqual(await listed(), [{ contact: FROM, reason: 'word', run: id }]);
  });

  it('ends its run as stopped, for nothing and without the engine, and is listed when it is accepted', async () => {
    const id = await accept(answers, textOf('Please stop. Thank you!'));
    assert.deepEqual(await listed(), [{ contact: FROM, reason: 'word', run: id }], 'before its run began');
    await handOver();
    assert.deepEqual(await outcome(id), { status: 'SUCCEEDED', creditsCharged: 0, reason: 'opted_out' });
    assert.equal(service.engine.calls.length, 0);
    const [agent] = await service.query('select consecutive_failures from workflow where id = $1', [answers]);
    assert.deepEqual(agent, { consecutive_failures: 0 });
    const [quota] = await service.query('select in_flight from partner_quota where partner_id = $1', [service.world.partnerId]);
    assert.deepEqual(quota, { in_flight: 0 });

    const question = await accept(answers, textOf('Can I cancel my appointment on Friday?', { from: '+13125550122' }));
    await handOver();
    assert.deepEqual(
      service.engine.calls.map(({ body }) => body.executionId),
      [question],
      'a sentence with such a word is a question',
    );
  });

  it('is obeyed by every agent that texts, for whichever it arrived at', async () => {
    const twilio = { From: FROM, To: CALL.businessNumber, Body: 'ABMELDEN', MessageSid: 'SM1' };
    for (const arrivedAt of [calls, answers, reminders]) {
      await service.query('delete from opt_out');
      await accept(arrivedAt, {}, form(twilio));
      await handOver();
      assert.deepEqual(service.engine.calls, [], 'no one is texted about a text');
      await accept(calls, CALL);
      await accept(reminders, { attendeeName: 'Ada', startTime: '2099-01-01T10:00:00Z', attendeePhone: '+1 312 555 0121' });
      await handOver();
      assert.deepEqual(onStopList(), [true, true]);
      service.engine.calls.length = 0;
    }
  });

  it('is obeyed by an agent whose contact is an address: the number it texts is looked up too', async () => {
    await accept(answers, textOf('STOP'));
    const quote = { customerName: 'Ada', quoteUrl: 'https://oak.example/q', customerEmail: 'none', customerPhone: FROM };
    await accept(quotes, quote);
    await accept(quotes, { ...quote, customerPhone: '+13125550177' });
    await handOver();
    assert.deepEqual(onStopList(), [true, false]);
  });

  it('is looked up for the address that would be mailed, which may not be the contact, in any case of its letters', async () => {
    await service.query('update workflow set template_version = 6 where id = any($1)', [[reminders, quotes]]);
    await service.query(`insert into opt_out (partner_id, client_id, contact, reason) values ($1, $2, 'ada@example.com', 'agency')`, [
      service.world.partnerId,
      service.world.clientId,
    ]);
    const quote = { customerName: 'Ada', quoteUrl: 'https://oak.example/q', customerEmail: 'Ada Byron <Ada@Example.com>' };
    const visit = { attendeeName: 'Ada', startTime: '2099-01-01T10:00:00Z', attendeePhone: FROM, attendeeEmail: 'ADA@example.com' };
    await accept(quotes, quote);
    await accept(reminders, visit);
    await accept(reminders, { ...visit, attendeePhone: '' });
    await accept(reminders, { ...visit, attendeeEmail: 'bo@example.com', note: 'ada@example.com' });
    await handOver();
    assert.deepEqual(
      service.engine.calls.map(({ body }) => [body.facts['onStopList'], (body.facts['noMail'] as { reason: string } | null)?.reason]),
      [
        [true, 'on_stop_list'],
        [false, 'on_stop_list'],
        [true, 'on_stop_list'],
        [false, undefined],
      ],
    );
    await service.query('update workflow set template_version = 5 where id = $1', [reminders]);
    const before = await accept(reminders, visit);
    const other = await accept(reminders, { ...visit, attendeeEmail: 'bo@example.com' });
    service.engine.calls.length = 0;
    await handOver();
    assert.deepEqual(
      await outcome(before),
      { status: 'SUCCEEDED', creditsCharged: 0, reason: 'on_stop_list' },
      'not left to an older flow',
    );
    assert.deepEqual(
      service.engine.calls.map(({ body }) => body.executionId),
      [other],
    );
    await service.query('update workflow set template_version = 4 where id = any($1)', [[reminders, quotes]]);

    const asVisitor = async (customerEmail: string) => {
      await service.executions.runDirectly({
        turnId: newId(),
        workflowId: quotes,
        input: { ...quote, customerEmail },
        scope: { partnerId: service.world.partnerId, clientId: service.world.clientId },
      });
    };
    await service.query('update workflow set template_version = 6 where id = $1', [quotes]);
    service.engine.direct = async (_flow, body) => ({
      kind: 'answered',
      body: { turnId: body['turnId'], workflowId: body['workflowId'], status: 'SUCCEEDED', output: {} },
    });
    await asVisitor('ADA@example.com');
    await asVisitor('bo@example.com');
    assert.deepEqual(
      service.engine.directCalls.map(({ body }) => (body['facts'] as { noMail: { reason: string } | null }).noMail?.reason),
      ['on_stop_list', undefined],
    );
  });

  it('is obeyed for recipients that the settings name: an owner who answered STOP to an alert gets no more', async () => {
    // As 0.2.0 stored it.
    const typed = FROM.replace(/^\+1(\d{3})(\d{3})/, '+1 ($1) $2-');
    const config = {
      ownerPhone: typed,
      ownerEmail: 'Owner@oak.example',
      fromNumber: CALL.businessNumber,
      fromAddress: 'hello@oak.example',
    };
    const leads = await service.addAgent({ templateName: 'lead-qualifier', templateVersion: 9, config });
    const reports = await service.addAgent({
      templateName: 'daily-sql-report',
      config: { recipients: ['Owner <owner@oak.example>', 'desk@oak.example'], query: 'select 1' },
    });
    const lead = { leadName: 'Ada', message: 'A new roof, please.', leadPhone: '+13125550122' };
    const settings = async () => {
      service.engine.calls.length = 0;
      await accept(leads, lead);
      await accept(reports, { runDate: '2027-01-05' });
      await handOver();
      return service.engine.calls.map(({ body }) => [body.config['ownerPhone'], body.config['ownerEmail'], body.config['recipients']]);
    };
    const all = ['owner@oak.example', 'desk@oak.example'];
    assert.deepEqual(await settings(), [
      [FROM, 'Owner@oak.example', undefined],
      [undefined, undefined, all],
    ]);
    await accept(answers, textOf('STOP'));
    await handOver();
    assert.deepEqual(await settings(), [
      ['', 'Owner@oak.example', undefined],
      [undefined, undefined, all],
    ]);
    await service.query(`insert into opt_out (partner_id, client_id, contact, reason) values ($1, $2, 'owner@oak.example', 'agency')`, [
      service.world.partnerId,
      service.world.clientId,
    ]);
    assert.deepEqual(await settings(), [
      ['', '', undefined],
      [undefined, undefined, ['desk@oak.example']],
    ]);
    service.engine.direct = async (_flow, body) => ({
      kind: 'answered',
      body: { turnId: body['turnId'], workflowId: body['workflowId'], status: 'SUCCEEDED', output: {} },
    });
    const scope = { partnerId: service.world.partnerId, clientId: service.world.clientId };
    await service.executions.runDirectly({ turnId: newId(), workflowId: leads, input: lead, scope });
    const [phone] = service.engine.directCalls.map(({ body }) => (body['config'] as { ownerPhone: string }).ownerPhone);
    assert.equal(phone, '', 'also for a visitor');
  });

  it('counts when the provider says so in its field, and help that it has answered is answered no more', async () => {
    const id = await accept(answers, textOf('no me gusta', { OptOutType: 'STOP' }));
    assert.deepEqual(await listed(), [{ contact: FROM, reason: 'provider', run: id }]);
    const help = await accept(answers, textOf('HELP', { from: '+13125550122', OptOutType: 'HELP' }));
    await handOver();
    assert.deepEqual(await outcome(help), { status: 'SUCCEEDED', creditsCharged: 0, reason: 'answered_by_provider' });
    assert.equal(service.engine.calls.length, 0);
  });

  it('counts also when its event is refused: no credits, an agent that is off', async () => {
    await service.query('update workflow set is_active = false where id = $1', [answers]);
    assert.equal((await service.ingest(answers, textOf('stop'))).status, 409);
    assert.deepEqual(
      (await listed()).map(({ contact }) => contact),
      [FROM],
    );
    await service.query('update workflow set is_active = true where id = $1', [answers]);
    await service.query('update partner_quota set monthly_credits = 0 where partner_id = $1', [service.world.partnerId]);
    assert.equal((await service.ingest(answers, textOf('stop', { from: '+13125550122' }))).status, 402);
    assert.equal((await listed()).length, 2);
    await service.query('update partner_quota set monthly_credits = 100000 where partner_id = $1', [service.world.partnerId]);
    assert.equal((await service.ingest(answers, textOf('stop', { from: '+13125550123' }), { token: 'wrong' })).status, 401);
    assert.equal((await listed()).length, 2, 'not without proof');
  });

  it('holds for its client only', async () => {
    await accept(answers, textOf('stop'));
    const [entry] = await service.query('select partner_id, client_id from opt_out');
    assert.deepEqual(entry, { partner_id: service.world.partnerId, client_id: service.world.clientId });
  });

  it('that is repeated with its key, or run again by hand, changes nothing more', async () => {
    const key = { headers: { 'idempotency-key': newId() } };
    const id = await accept(answers, textOf('stop'), key);
    await accept(answers, textOf('start'));
    assert.equal(await accept(answers, textOf('stop'), key), id);
    assert.deepEqual(await listed(), []);
    await handOver();
    const again = await service.call('POST', `/executions/${id}/rerun`, { as: 'owner' });
    assert.equal(again.status, 202, JSON.stringify(again.body));
    await handOver();
    assert.deepEqual([await listed(), service.engine.calls.length], [[], 0]);
  });

  it('is obeyed when a visitor types it to a chatbot', async () => {
    const run = await service.executions.runDirectly({
      turnId: newId(),
      workflowId: answers,
      input: textOf('stop'),
      scope: { partnerId: service.world.partnerId, clientId: service.world.clientId },
    });
    assert.deepEqual([run.output?.['reason'], service.engine.directCalls.length], ['opted_out', 0]);
    assert.equal((await listed()).length, 1);
  });
});

describe('a text that asks for texts again', () => {
  for (const word of ['START', 'Unstop', 'yes'])
    it(`lifts the opt-out: ${word}`, async () => {
      await accept(answers, textOf('stop'));
      const id = await accept(answers, textOf(word));
      assert.deepEqual(await listed(), []);
      await handOver();
      assert.deepEqual(await outcome(id), { status: 'SUCCEEDED', creditsCharged: 0, reason: 'opted_in' });
      const call = await accept(calls, CALL);
      await handOver();
      assert.deepEqual(
        service.engine.calls.map(({ body }) => body.executionId),
        [call],
      );
    });

  it('is an answer like any other when it is yes and no one had opted out', async () => {
    const id = await accept(answers, textOf('Yes'));
    await handOver();
    assert.deepEqual(
      service.engine.calls.map(({ body }) => body.executionId),
      [id],
    );
  });

  it('counts in the order in which texts arrived, also within one batch', async () => {
    const texts = (words: string[], from: string) => words.map((word) => service.ingest(answers, textOf(word, { from })));
    await Promise.all([
      ...texts(['stop', 'yes'], '+13125550131'),
      ...texts(['stop', 'start', 'STOP'], '+13125550132'),
      ...texts(['yes', 'stop'], '+13125550133'),
    ]);
    assert.deepEqual(
      (await listed()).map(({ contact }) => contact),
      ['+13125550132', '+13125550133'],
    );
  });

  it('is no one else to ask: neither a run by hand nor a visitor lifts an opt-out', async () => {
    await accept(answers, textOf('stop'));
    const byHand = await service.call('POST', `/workflows/${answers}/trigger`, { as: 'owner', body: { input: textOf('START') } });
    assert.equal(byHand.status, 202, JSON.stringify(byHand.body));
    await service.executions.runDirectly({
      turnId: newId(),
      workflowId: answers,
      input: textOf('START'),
      scope: { partnerId: service.world.partnerId, clientId: service.world.clientId },
    });
    assert.equal((await listed()).length, 1);
  });
});
