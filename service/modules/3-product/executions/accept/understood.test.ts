import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

/** Normalized values of events, from the ingest URL to the engine's input and the pages. The client is in Chicago. */

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
});

const VISIT = { attendeeName: 'Ada Byron', startTime: '2027-07-05 09:30', attendeePhone: '(312) 555-0121' };
const accept = (workflowId: string, event: object): Promise<string> => service.accept(workflowId, event);
/** Returns the engine's input for an event. */
const handedOver = async (workflowId: string, event: object) => {
  const id = await accept(workflowId, event);
  while ((await service.executions.dispatcher.runOnce()) > 0);
  const call = service.engine.calls.find(({ body }) => body.executionId === id);
  return { id, input: call?.body['input'] as Record<string, unknown> | undefined };
};
const runOf = async (id: string, as: 'owner' | 'clientUser' = 'owner') => (await service.call('GET', `/executions/${id}`, { as })).body;
const newestInbound = async (workflowId: string) =>
  (await service.call('GET', `/workflows/${workflowId}/inbound-events`, { as: 'owner' })).body.data[0];

describe('an event', () => {
  it('reaches its flow with canonical values, and stays stored as it came', async () => {
    const { id, input } = await handedOver(reminders, { ...VISIT, attendeeEmail: '', note: ' as it came ' });
    assert.deepEqual(input, {
      attendeeName: 'Ada Byron',
      startTime: '2027-07-05T09:30:00-05:00',
      attendeePhone: '+13125550121',
      note: ' as it came ',
    });
    const run = await runOf(id);
    assert.deepEqual(run.input, { ...VISIT, attendeeEmail: '', note: ' as it came ' });
    assert.deepEqual(
      run.understood.map((one: Record<string, unknown>) => [one['key'], one['came'], one['value'], one['text'], one['remark']]),
      [
        ['startTime', '2027-07-05 09:30', '2027-07-05T09:30:00-05:00', 'Mon 5 Jul 2027, 9:30 in Chicago', null],
        ['attendeePhone', '(312) 555-0121', '+13125550121', '+1 312 555 0121', null],
      ],
    );
  });

  it('that is canonical is stored once', async () => {
    const { id, input } = await handedOver(calls, CALL);
    assert.deepEqual(input, CALL);
    assert.deepEqual((await runOf(id)).understood, []);
    const [row] = await service.query('select understood, remarks from execution_payload where id = $1', [id]);
    assert.deepEqual(row, { understood: null, remarks: null });
  });

  it('shows a client, and the inbound log, no number of a person', async () => {
    const id = await accept(reminders, { ...VISIT, attendeeEmail: 'Ada <ada@Example.com>', attendeePhone: '+1 312 555 0121' });
    const shown = JSON.stringify([(await runOf(id, 'clientUser')).understood, await newestInbound(reminders)]);
    for (const secret of ['3125550121', '312 555 0121', 'ada@']) assert.ok(!shown.includes(secret), `${secret} in ${shown}`);
    for (const masked of ['+1 312 ··· 0121', 'a···@example.com']) assert.ok(shown.includes(masked), shown);
    assert.match(JSON.stringify((await runOf(id)).understood), /\+13125550121/, 'its agency sees it');
  });

  it('with a required value that cannot be understood is refused with an example, and the inbound log says why', async () => {
    const { status, body } = await service.ingest(reminders, { ...VISIT, startTime: '05.01.2027 um 15' });
    assert.deepEqual([status, body.code], [422, 'invalid_input']);
    assert.deepEqual(
      [body.invalid.length, body.invalid[0].key, body.invalid[0].came, body.errors[0].field],
      [1, 'startTime', '05.01.2027 um 15', 'startTime'],
    );
    assert.ok(body.invalid[0].example);
    const logged = await newestInbound(reminders);
    assert.deepEqual([logged.outcome, logged.reason, logged.status], ['refused', 'invalid_input', 422]);
    assert.match(logged.remarks[0], /is not a date with a time: 05\.01\.2027 um 15/);
  });

  it('with an optional value that cannot be understood runs without it, and says so', async () => {
    const { id, input } = await handedOver(reminders, { ...VISIT, attendeeEmail: 'ada at example' });
    assert.equal(input !== undefined && 'attendeeEmail' in input, false);
    const [, , mail] = (await runOf(id)).understood;
    assert.deepEqual([mail.key, mail.came, mail.value], ['attendeeEmail', 'ada at example', null]);
    assert.match(mail.remark, /left out/);
  });
});

describe('a caller without a number', () => {
  for (const [callerNumber, reason] of [
    ['anonymous', 'caller_withheld'],
    ['', 'caller_withheld'],
    ['+266696687', 'caller_withheld'],
    ['12345', 'number_not_textable'],
  ] as const)
    it(`${JSON.stringify(callerNumber)} ends the run before its flow, for nothing and without a failure: ${reason}`, async () => {
      const { id, input } = await handedOver(calls, { ...CALL, callerNumber });
      assert.equal(input, undefined, 'the engine gets nothing');
      const run = await runOf(id);
      assert.deepEqual([run.status, run.error, run.creditsCharged, run.output.reason], ['SUCCEEDED', null, 0, reason]);
      const [agent] = await service.query('select consecutive_failures from workflow where id = $1', [calls]);
      assert.deepEqual(agent, { consecutive_failures: 0 });
    });

  it('goes on where the agent has other work, and its flow texts no one', async () => {
    const { id, input } = await handedOver(reminders, { ...VISIT, attendeePhone: 'anonymous', attendeeEmail: 'ada@example.com' });
    assert.deepEqual([input?.['attendeePhone'], input?.['attendeeEmail']], [undefined, 'ada@example.com']);
    const call = service.engine.calls.find(({ body }) => body.executionId === id);
    const facts = call?.body['facts'] as { noText: { reason: string } } | undefined;
    assert.equal(facts?.noText.reason, 'no_phone_number');
  });
});

describe('the client of an event', () => {
  it('counts as it is when the event comes, also after a change', async () => {
    const startOf = async () => (await handedOver(reminders, VISIT)).input?.['startTime'];
    assert.equal(await startOf(), '2027-07-05T09:30:00-05:00');
    await service.query("update client set timezone = 'Europe/Berlin' where id = $1", [service.world.clientId]);
    try {
      // A number of the United States is none in Germany.
      const { input } = await handedOver(reminders, { ...VISIT, attendeePhone: '+13125550121' });
      assert.equal(input?.['startTime'], '2027-07-05T09:30:00+02:00');
      const german = await handedOver(reminders, { ...VISIT, attendeePhone: '0151 12345678' });
      assert.equal(german.input?.['attendeePhone'], '+4915112345678');
    } finally {
      await service.query("update client set timezone = 'America/Chicago' where id = $1", [service.world.clientId]);
    }
    assert.equal(await startOf(), '2027-07-05T09:30:00-05:00');
  });

  it('is overruled by the order of dates that its agent names, from the next event on', async () => {
    const startOf = async () => (await handedOver(reminders, { ...VISIT, startTime: '05/07/2027 09:30' })).input?.['startTime'];
    const order = (dateOrder: string | null) => service.call('PATCH', `/agents/${reminders}`, { as: 'owner', body: { dateOrder } });
    assert.equal(await startOf(), '2027-05-07T09:30:00-05:00');
    const saved = await order('day_first');
    assert.deepEqual([saved.status, saved.body.dateOrder], [200, 'day_first']);
    try {
      assert.equal(await startOf(), '2027-07-05T09:30:00-05:00');
      const body = { input: { ...VISIT, startTime: '05/07/2027 09:30' } };
      const preview = await service.call('POST', `/agents/${reminders}/test`, { as: 'owner', body });
      assert.equal(preview.body.input.startTime, '2027-07-05T09:30:00-05:00');
      assert.equal((await order('year_first')).body.code, 'validation_failed');
    } finally {
      await order(null);
    }
    assert.equal(await startOf(), '2027-05-07T09:30:00-05:00');
  });

  it('holds credits once when an event is read again', async () => {
    const held = async () =>
      (
        await service.query<{ in_flight: number }>('select in_flight from partner_quota where partner_id = $1', [service.world.partnerId])
      )[0]?.in_flight ?? 0;
    const before = await held();
    await accept(calls, CALL);
    const cost = (await held()) - before;
    await service.query("update client set locale = 'es' where id = $1", [service.world.clientId]);
    await accept(calls, CALL);
    await service.query("update client set locale = 'en' where id = $1", [service.world.clientId]);
    assert.equal((await held()) - before, 2 * cost);
  });
});

describe('an opt-out', () => {
  for (const From of ['(312) 555-0177', 'whatsapp:+13125550178', ' 13125550179'])
    it(`is heard from ${JSON.stringify(From)}`, async () => {
      await service.ingest(calls, { ...CALL, From, Body: 'STOP' });
      const digits = From.replace(/\D/g, '');
      const number = `+${digits.length === 10 ? '1' : ''}${digits}`;
      const rows = await service.query('select contact from opt_out where partner_id = $1 and contact = $2', [
        service.world.partnerId,
        number,
      ]);
      assert.deepEqual(rows, [{ contact: number }]);
    });
});
