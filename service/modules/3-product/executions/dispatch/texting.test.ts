import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { newId } from '#platform/ids.ts';

/** Whom the agents of a client text. The client is in Chicago. */

let service: ExecutionService;
let calls: string;
let reminders: string;
before(async () => {
  service = await startExecutionService();
  calls = await service.addAgent({ templateVersion: 3 });
  reminders = await service.addAgent({ templateName: 'appointment-reminder', templateVersion: 4 });
});
after(() => service.close());
beforeEach(() => {
  service.engine.calls.length = 0;
  service.engine.directCalls.length = 0;
});

const accept = (workflowId: string, event: object): Promise<string> => service.accept(workflowId, event);
const handOver = (): Promise<number> => service.executions.dispatcher.runOnce();
const runOf = async (id: string) => (await service.call('GET', `/executions/${id}`, { as: 'owner' })).body;
const charged = async (ids: string[]) =>
  (
    await service.query<{ credits: number }>(
      'select coalesce(sum(credits), 0)::int as credits from usage_entry where execution_id = any($1)',
      [ids],
    )
  )[0]?.credits;
const heldCredits = async () =>
  (await service.query<{ in_flight: number }>('select in_flight from partner_quota where partner_id = $1', [service.world.partnerId]))[0]
    ?.in_flight;
const calledWith = (callerNumber: string) => ({ ...CALL, callerNumber });

describe('a person who may not be texted', () => {
  it('ends the run as stopped, with the reason, for nothing and without a failure: twenty premium-rate numbers', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push(await accept(calls, calledWith(`+1900555${String(2000 + n)}`)));
    while ((await handOver()) > 0);
    assert.equal(service.engine.calls.length, 0, 'the engine is given none of them');
    for (const id of ids) {
      const run = await runOf(id);
      assert.deepEqual(
        [run.status, run.error, run.creditsCharged, run.output],
        ['SUCCEEDED', null, 0, { skipped: true, reason: 'number_not_textable', message: 'Premium-rate numbers are never texted' }],
      );
      assert.match(run.summary, /^Did not text .*: Premium-rate numbers are never texted$/);
    }
    assert.deepEqual([await charged(ids), await heldCredits()], [0, 0]);
    const [agent] = await service.query('select consecutive_failures from workflow where id = $1', [calls]);
    assert.deepEqual(agent, { consecutive_failures: 0 });

    const id = await accept(calls, CALL);
    assert.deepEqual([await handOver(), service.engine.calls[0]?.body.executionId], [1, id], 'a person in the country is texted');
    await service.report(id, { status: 'SUCCEEDED', output: { contacted: CALL.callerNumber } });
    assert.equal(await charged([id]), -1);
  });

  it('is one outside the countries of the client, unless its agency allows them', async () => {
    const abroad = await accept(calls, calledWith('+442079460000'));
    await handOver();
    assert.deepEqual([(await runOf(abroad)).output.reason, service.engine.calls.length], ['country_not_allowed', 0]);
    await service.query(`update client set text_countries = '{GB,US}' where id = $1`, [service.world.clientId]);
    const allowed = await accept(calls, calledWith('+442079460000'));
    await handOver();
    assert.deepEqual(
      service.engine.calls.map(({ body }) => body.executionId),
      [allowed],
    );
    await service.query('update client set text_countries = null where id = $1', [service.world.clientId]);
  });

  it('still gets the mail of an agent that writes one, and no text', async () => {
    const visit = {
      attendeeName: 'Ada',
      startTime: '2099-01-01T10:00:00Z',
      attendeePhone: '+19005550199',
      attendeeEmail: 'ada@example.com',
    };
    const id = await accept(reminders, visit);
    await handOver();
    const facts = service.engine.calls[0]?.body.facts;
    assert.deepEqual(facts?.['noText'], { reason: 'number_not_textable', message: 'Premium-rate numbers are never texted' });
    await service.report(id, {
      status: 'SUCCEEDED',
      output: { skipped: true, reason: 'number_not_textable', message: 'Premium-rate numbers are never texted' },
    });
    assert.equal(await charged([id]), 0, 'what the flow stopped for this reason is free as well');

    const other = await accept(reminders, { ...visit, attendeePhone: '+13125550121' });
    await handOver();
    assert.equal(service.engine.calls[1]?.body.facts['noText'], null);
    await service.report(other, {
      status: 'SUCCEEDED',
      output: { skipped: true, reason: 'not_due', message: 'No reminder is due this hour' },
    });
    assert.equal(await charged([other]), -1);
  });

  it('is not left to a flow from before it was asked', async () => {
    await service.query('update workflow set template_version = 3 where id = $1', [reminders]);
    const visit = {
      attendeeName: 'Ada',
      startTime: '2099-01-01T10:00:00Z',
      attendeePhone: '+19005550199',
      attendeeEmail: 'ada@example.com',
    };
    const id = await accept(reminders, visit);
    await handOver();
    assert.deepEqual([service.engine.calls.length, (await runOf(id)).output.reason], [0, 'number_not_textable']);
  });

  it('is not texted for a chatbot either', async () => {
    const request = (callerNumber: string) => ({
      turnId: newId(),
      workflowId: calls,
      input: calledWith(callerNumber),
      scope: { partnerId: service.world.partnerId, clientId: service.world.clientId },
    });
    const stopped = await service.executions.runDirectly(request('+19005550199'));
    assert.deepEqual(
      [stopped.kind, stopped.output?.['reason'], service.engine.directCalls.length],
      ['succeeded', 'number_not_textable', 0],
    );
    service.engine.direct = async (_flow, body) => ({
      kind: 'answered',
      body: { workflowId: body['workflowId'], status: 'SUCCEEDED', output: { contacted: '+13125550121' } },
    });
    assert.equal((await service.executions.runDirectly(request('+13125550121'))).kind, 'succeeded');
    assert.deepEqual(
      service.engine.directCalls.map(({ body }) => (body['facts'] as { isForVisitor: boolean }).isForVisitor),
      [true],
      'so that the text names no missed call',
    );
  });
});

describe('a call', () => {
  it('that rings is given to no flow of any version and costs nothing; its end is no repeat, nor is its person texted already', async () => {
    const call = { ...CALL, callerNumber: '+13125550177', CallSid: 'CA1', Direction: 'inbound' };
    const rings = await accept(calls, { ...call, CallStatus: 'ringing' });
    const missed = await accept(calls, { ...call, CallStatus: 'no-answer' });
    await handOver();
    const { status, output, creditsCharged } = await runOf(rings);
    assert.deepEqual([status, output.reason, creditsCharged], ['SUCCEEDED', 'wrong_webhook', 0]);
    assert.match(output.message, /report missed calls, once they are over/);
    assert.deepEqual(
      service.engine.calls.map(({ body }) => [body.executionId, body.facts['lastContactAt']]),
      [[missed, null]],
    );
  });
});

describe('a number', () => {
  it('in a country that the client does not text takes no place of the first contacts', async () => {
    const countedOf = async (id: string) =>
      (await service.query<{ texts: boolean }>('select texts from dispatch where execution_id = $1', [id]))[0]?.texts;
    assert.equal(await countedOf(await accept(calls, calledWith('+442079460000'))), false);
    assert.equal(await countedOf(await accept(calls, calledWith('(312) 555-0198'))), true);
    while ((await handOver()) > 0);
  });
});
