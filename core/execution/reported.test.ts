import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasTexted, isFreeStop, isUntriedStop, readReport } from './reported.ts';
import type { Template, TemplateMessage } from '../template/types.ts';

const texts: TemplateMessage = { step: 'send_text', channel: 'text', to: '{input.attendeePhone}', body: '' };
const mails: TemplateMessage = { step: 'send_mail', channel: 'mail', to: '{input.attendeeEmail}', body: '' };
const alerts: TemplateMessage = { step: 'send_alert', channel: 'text', to: '{config.ownerPhone}', body: '' };
const TEMPLATE = { messages: [mails, texts, alerts] };
const refused = (code: string, stepName = 'send_text') => ({
  status: 'FAILED' as const,
  error: { code, message: 'Twilio did not accept the request (400)', stepName },
  output: { contacted: '+13125550121', nextReminderAt: '2027-01-05T13:00:00.000Z' },
});
const step = (name: string, status: string, error?: string) => ({ name, status, ...(error === undefined ? {} : { error }) });
const MESSAGE = 'This number cannot receive texts';

describe('the report of a refused text', () => {
  it('stops the run when the person cannot be texted, and keeps what was planned next', () => {
    const steps = [step('check', 'succeeded'), step('send_text', 'failed', 'raw')];
    assert.deepEqual(readReport({ ...refused('twilio_400_21614'), steps }, TEMPLATE), {
      status: 'SUCCEEDED',
      output: { nextReminderAt: '2027-01-05T13:00:00.000Z', skipped: true, reason: 'not_mobile', message: MESSAGE },
      error: null,
      steps: [step('check', 'succeeded'), step('send_text', 'stopped', MESSAGE)],
      refusedFor: 'not_mobile',
    });
  });

  it('does the same for flows of earlier versions, which report a name and nothing else', () => {
    const { status, output, refusedFor } = readReport(
      { status: 'FAILED', error: { code: 'twilio_opted_out', message: 'x', stepName: 'send_text' } },
      TEMPLATE,
    );
    assert.deepEqual([status, refusedFor], ['SUCCEEDED', 'opted_out_at_provider']);
    assert.equal((output as { skipped: boolean }).skipped, true);
  });

  it('is a success when another message of the run went out, and says who was not texted', () => {
    const steps = [step('send_mail', 'succeeded'), step('send_text', 'failed', 'raw')];
    const run = readReport({ ...refused('twilio_400_21614'), steps }, TEMPLATE);
    assert.equal(run.status, 'SUCCEEDED');
    assert.deepEqual(run.output, {
      nextReminderAt: '2027-01-05T13:00:00.000Z',
      notTexted: { reason: 'not_mobile', message: MESSAGE },
    });
  });

  it('is found on its step when the mail failed first, which stays the error of the run', () => {
    const refusedTwice = (error: string) => {
      const steps = [step('send_mail', 'failed', 'Resend did not accept the request (403)'), step('send_text', 'failed', error)];
      return readReport({ ...refused('resend_403', 'send_mail'), steps }, TEMPLATE);
    };
    const run = refusedTwice('Twilio did not accept the request (400, 21610)');
    assert.deepEqual([run.status, run.error?.code, run.refusedFor], ['FAILED', 'resend_key_refused', 'opted_out_at_provider']);
    assert.equal(run.steps?.[1]?.status, 'stopped');
    for (const other of ['Twilio did not accept the request (400, 21606)', 'Twilio could not be reached'])
      assert.equal(refusedTwice(other).refusedFor, null, other);
  });

  it('has texted its person where the text went out, also when another call failed', () => {
    const texted = (...steps: ReturnType<typeof step>[]) => hasTexted({ steps }, TEMPLATE);
    assert.equal(texted(step('send_mail', 'failed', 'x'), step('send_text', 'succeeded')), true);
    assert.equal(texted(step('send_mail', 'succeeded'), step('send_text', 'failed', 'x'), step('send_alert', 'succeeded')), false);
    assert.equal(hasTexted({ steps: null }, TEMPLATE), false);
    assert.equal(hasTexted({ steps: [step('send_text', 'succeeded')] }, undefined), false);
  });

  it('is a failure of the settings when they name the number', () => {
    const run = readReport(refused('twilio_400_21610', 'send_alert'), TEMPLATE);
    assert.deepEqual([run.status, run.error?.code, run.refusedFor], ['FAILED', 'twilio_recipient_rejected', null]);
  });

  it('is a failure of the account, in the words of its cause, also on its step', () => {
    const run = readReport({ ...refused('twilio_400_21606'), steps: [step('send_text', 'failed', 'raw')] }, TEMPLATE);
    const message = 'Twilio does not accept the sender number';
    assert.deepEqual([run.status, run.error], ['FAILED', { code: 'twilio_sender_rejected', message, stepName: 'send_text' }]);
    assert.deepEqual(run.steps, [step('send_text', 'failed', message)]);
    assert.deepEqual(run.output, { nextReminderAt: '2027-01-05T13:00:00.000Z' }, 'no one was contacted');
  });

  it('of any other kind stays as it was reported', () => {
    const run = readReport({ status: 'FAILED', error: { code: 'message_missing', message: 'x', stepName: 'check' } }, TEMPLATE);
    assert.deepEqual([run.status, run.error?.code, run.output], ['FAILED', 'message_missing', null]);
    assert.equal(readReport({ status: 'FAILED' }, undefined).error?.code, 'step_failed');
    assert.deepEqual(readReport({ status: 'SUCCEEDED', output: { contacted: '+1' } }, TEMPLATE).output, { contacted: '+1' });
  });
});

describe('a run that ended early', () => {
  const stopped = (reason: unknown) => ({ status: 'SUCCEEDED' as const, output: { skipped: true, reason } });

  it('costs nothing because of its person, and costs as any other for other reasons', () => {
    for (const reason of [
      'on_stop_list',
      'number_not_textable',
      'country_not_allowed',
      'not_mobile',
      'opted_out_at_provider',
      'own_number',
    ])
      assert.equal(isFreeStop(stopped(reason)), true, reason);
    for (const reason of ['quiet_hours', 'recently_contacted', 'not_due', 'toString', '', null, undefined])
      assert.equal(isFreeStop(stopped(reason)), false);
  });

  it('is one that succeeded and stopped: a failed run, and one that did its work, are none', () => {
    const { output } = stopped('on_stop_list');
    assert.equal(isFreeStop({ status: 'FAILED', output }), false);
    for (const other of [{ ...output, skipped: false }, { reason: output.reason }, [output], null])
      assert.equal(isFreeStop({ status: 'SUCCEEDED', output: other }), false);
  });
});

describe('a run that ended early', () => {
  const template = {
    steps: [
      { name: 'read', kind: 'http' },
      { name: 'check', kind: 'code' },
      { name: 'send', kind: 'http' },
    ],
  } as Pick<Template, 'steps'>;
  const stopped = { status: 'SUCCEEDED', output: { skipped: true } } as const;
  it('says nothing about its agent before a provider did a step for it', () => {
    assert.equal(isUntriedStop({ ...stopped, steps: null }, template), true);
    assert.equal(isUntriedStop({ ...stopped, steps: [step('read', 'skipped'), step('check', 'succeeded')] }, template), true);
    assert.equal(isUntriedStop({ ...stopped, steps: [step('check', 'succeeded'), step('send', 'stopped')] }, template), true);
    assert.equal(isUntriedStop({ ...stopped, steps: [step('read', 'succeeded'), step('check', 'stopped')] }, template), false);
    assert.equal(isUntriedStop({ status: 'SUCCEEDED', output: {}, steps: null }, template), false);
    assert.equal(isUntriedStop({ status: 'FAILED', output: null, steps: null }, template), false);
  });
});
