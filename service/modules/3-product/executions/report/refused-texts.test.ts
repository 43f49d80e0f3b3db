import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

/** Consequences when the phone provider refuses a text: because of its person, or because of the account. */

let service: ExecutionService;
let calls: string;
let reminders: string;
before(async () => {
  service = await startExecutionService();
  calls = await service.addAgent();
  reminders = await service.addAgent({ templateName: 'appointment-reminder', templateVersion: 6 });
});
after(() => service.close());
beforeEach(async () => {
  await service.query('delete from opt_out');
  await service.query('update workflow set consecutive_failures = 0');
});

const FROM = CALL.callerNumber;
const started = async (workflowId = calls, event: object = CALL): Promise<string> => {
  const { status, body } = await service.ingest(workflowId, event);
  assert.equal(status, 202, JSON.stringify(body));
  await service.executions.dispatcher.runOnce();
  return body.executionId;
};
/** As a flow reports a refusal today; earlier ones report a name and no output. */
const refusedWith = (code: string, more: object = {}) => ({
  status: 'FAILED',
  error: { code, message: 'Twilio did not accept the request (400)', stepName: 'send_text' },
  output: { contacted: FROM },
  ...more,
});
type Run = {
  status: string;
  summary: string;
  credits: number;
  code: string | null;
  message: string | null;
  output: { [key: string]: unknown; notTexted?: { reason: string } } | null;
};
const runOf = async (id: string): Promise<Run> => {
  const text = `select e.status, e.summary, e.credits_charged as credits, e.error_code as code, e.error_message as message, p.output
    from execution e join execution_payload p on p.partner_id = e.partner_id and p.id = e.id where e.id = $1`;
  const [row] = await service.query<Run>(text, [id]);
  assert.ok(row);
  return row;
};
const listed = async () =>
  (await service.query('select contact, reason, execution_id as run from opt_out order by contact')).map((row) => ({ ...row }));
const failuresInARow = async (id: string) =>
  (await service.query<{ n: number }>('select consecutive_failures as n from workflow where id = $1', [id]))[0]?.n;
const lastContact = async () => (await service.query('select contact from workflow_contact where contact = $1', [FROM])).length;

describe('a text that the phone provider refuses', () => {
  for (const code of ['twilio_400_21614', 'twilio_not_mobile'])
    it(`because of its person (${code}) stops the run: it costs nothing, is no failure and contacted no one`, async () => {
      const id = await started();
      await service.report(id, refusedWith(code));
      const run = await runOf(id);
      assert.deepEqual([run.status, run.credits, run.code], ['SUCCEEDED', 0, null]);
      assert.deepEqual(run.output, { skipped: true, reason: 'not_mobile', message: 'This number cannot receive texts' });
      assert.match(run.summary, /^Did not text .*: This number cannot receive texts$/);
      assert.deepEqual([await failuresInARow(calls), await lastContact(), await listed()], [0, 0, []]);
    });

  it('because the person opted out there puts the number on the stop list of the client, with the run', async () => {
    const id = await started();
    await service.report(id, refusedWith('twilio_400_21610'));
    assert.deepEqual(await listed(), [{ contact: FROM, reason: 'provider', run: id }]);
    assert.equal((await runOf(id)).output?.['reason'], 'opted_out_at_provider');
    // A flow of an earlier version reports no number: it is that of the event.
    await service.query('delete from opt_out');
    const earlier = await started();
    await service.report(earlier, refusedWith('twilio_opted_out', { output: undefined }));
    assert.deepEqual(await listed(), [{ contact: FROM, reason: 'provider', run: earlier }]);
    // The mail of the run failed first, which is its error.
    await service.query('delete from opt_out');
    const mailed = await started();
    const steps = [
      { name: 'send_mail', status: 'failed', error: 'Resend did not accept the request (403, validation_error)' },
      { name: 'send_text', status: 'failed', error: 'Twilio did not accept the request (400, 21610)' },
    ];
    const error = { code: 'resend_403_validation_error', message: 'Resend did not accept the request', stepName: 'send_mail' };
    await service.report(mailed, refusedWith('', { error, steps }));
    assert.equal((await runOf(mailed)).status, 'FAILED');
    assert.deepEqual(await listed(), [{ contact: FROM, reason: 'provider', run: mailed }]);
  });

  it('because of the account is a failure, which counts, with its cause and how to repair it', async () => {
    const id = await started();
    await service.report(id, refusedWith('twilio_400_30034'));
    const run = await runOf(id);
    assert.deepEqual([run.status, run.code], ['FAILED', 'twilio_sender_unregistered']);
    assert.equal(run.message, 'The sender number is not registered for texts by businesses');
    assert.deepEqual([await failuresInARow(calls), await listed()], [1, []]);
  });

  it('after a mail of the same run went out leaves the run a success, which costs as any', async () => {
    const visit = { attendeeName: 'Ada', startTime: '2099-01-01T10:00:00Z', attendeePhone: FROM, attendeeEmail: 'ada@example.com' };
    const id = await started(reminders, visit);
    const steps = [
      { name: 'send_mail', status: 'succeeded' },
      { name: 'send_text', status: 'failed', error: 'x' },
    ];
    await service.report(id, refusedWith('twilio_400_21614', { steps, output: { contacted: FROM, mailId: 'm1' } }));
    const run = await runOf(id);
    assert.deepEqual([run.status, run.credits], ['SUCCEEDED', 1]);
    assert.deepEqual([run.output?.['mailId'], run.output?.notTexted?.reason], ['m1', 'not_mobile']);
    assert.equal(await lastContact(), 1, 'the reminder counts as sent');
  });

  it('is not needed for a text to count: one that went out after a refused mail is the last contact of a failed run', async () => {
    const visit = { attendeeName: 'Ada', startTime: '2099-01-01T10:00:00Z', attendeePhone: FROM, attendeeEmail: 'ada@example.com' };
    const refusedMail = {
      code: 'resend_429_daily_quota_exceeded',
      message: 'Resend did not accept the request (429)',
      stepName: 'send_mail',
    };
    for (const [status, contacts] of [
      ['failed', 0],
      ['succeeded', 1],
    ] as const) {
      await service.query('delete from workflow_contact');
      const id = await started(reminders, visit);
      const steps = [
        { name: 'send_mail', status: 'failed', error: 'x' },
        { name: 'send_text', status },
      ];
      await service.report(id, { status: 'FAILED', error: refusedMail, steps, output: { contacted: FROM, messageId: 'SM1' } });
      const run = await runOf(id);
      assert.deepEqual([run.status, run.code, run.credits], ['FAILED', 'resend_daily_limit', 0]);
      assert.equal(await lastContact(), contacts, status);
    }
  });

  it('costs nothing either when its person is on the stop list; quiet hours cost as any run', async () => {
    const [one, other] = [await started(), await started()];
    await service.report(one, { status: 'SUCCEEDED', output: { skipped: true, reason: 'on_stop_list', message: 'x' } });
    await service.report(other, { status: 'SUCCEEDED', output: { skipped: true, reason: 'quiet_hours', message: 'x' } });
    assert.deepEqual([(await runOf(one)).credits, (await runOf(other)).credits], [0, 1]);
  });
});
