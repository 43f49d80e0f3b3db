import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateInput } from '@partner-portal/contract/records/template.ts';
import { button, close, dialog, holds, open, press, reads, screen, see } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

const ID = idOf(41);
const TRACE = ID.replaceAll('-', '');
const openRun = (trace: { id: string; url: string | null } | null) =>
  open('owner', `/dashboard/runs/${ID}`, { getExecution: reply('getExecution', { id: ID, trace }) });

test('a run whose trace is shown links to it where an address is configured', async () => {
  await openRun({ id: TRACE, url: `https://traces.example.com/trace/${TRACE}` });
  await see('Trace');
  const link = screen.getByTitle(TRACE);
  assert.equal(link.getAttribute('href'), `https://traces.example.com/trace/${TRACE}`);
  assert.equal(link.getAttribute('rel'), 'noreferrer');
  assert.ok(screen.getByRole('button', { name: 'Copy the trace ID' }));
});

test('a run whose trace has no address shows its ID alone', async () => {
  await openRun({ id: TRACE, url: null });
  assert.equal(screen.getByTitle(TRACE).tagName, 'CODE');
});

test('a run without a trace says nothing of traces', async () => {
  await openRun(null);
  await see('Run ID');
  assert.equal(screen.queryByText('Trace'), null);
});

const ERROR = { code: 'engine_limit', message: 'x', stepName: null };
const failedRun = (lastRerun: { id: string; status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' } | null, { count = 3, notRerun = 3 } = {}) =>
  open('owner', `/dashboard/runs/${ID}`, {
    getExecution: reply('getExecution', { id: ID, workflowId: idOf(5), status: 'FAILED', error: ERROR, lastRerun }),
    listFailureCauses: [row('listFailureCauses', { code: ERROR.code, workflowId: idOf(5), count, notRerun, byDay: [count] })],
  });

test('a run that was run again names that run, and asks before it contacts people once more', async () => {
  const { calls } = await failedRun({ id: idOf(42), status: 'SUCCEEDED' });
  await see('Run again');
  await press('Rerun');
  const asked = await dialog('Rerun it once more?');
  await see(/This run was run again, and that run succeeded\./, asked);
  await see(/costs credits again; AI tokens on platform keys are charged in any case\.$/, asked);
  assert.equal(
    calls.some(({ name }) => name === 'rerunExecution'),
    false,
  );
});

test('a run whose rerun failed starts again without a question', async () => {
  const { calls } = await failedRun({ id: idOf(42), status: 'FAILED' });
  await press('Rerun');
  await holds(() => assert.ok(calls.some(({ name }) => name === 'rerunExecution')));
});

test('failures of the same cause are offered for a rerun as far as they were not run again', async () => {
  await failedRun(null);
  await button('Rerun all 3');
  await close();
  await failedRun(null, { notRerun: 1 });
  await press('Rerun 1 that was not run again');
  await dialog('Rerun 1 failed run?');
  await close();
  await failedRun(null, { notRerun: 0 });
  await see('All of them were run again.');
});

test('a refused sender number that came with the event is changed there, one of the settings in the settings', async () => {
  const send = {
    name: 'send_text',
    label: 'Send text',
    status: 'failed',
    startedAt: null,
    durationMs: null,
    input: { body: { From: '+13125550100' } },
    output: { status: 400, code: 21606 },
    error: 'Twilio does not accept the sender number',
    sentence: null,
  } as const;
  const openRefused = (businessNumber: string) =>
    open('owner', `/dashboard/runs/${ID}`, {
      getExecution: reply('getExecution', {
        id: ID,
        status: 'FAILED',
        error: { code: 'twilio_sender_rejected', message: 'Twilio does not accept the sender number', stepName: 'send_text' },
        input: { businessNumber },
        steps: [send],
      }),
    });
  await openRefused('+13125550100');
  await see('Sender number:');
  const main = screen.getByRole('main');
  await reads(main, /In place of the number that was called, use a number of the connected Twilio account that can send texts/);
  assert.doesNotMatch(main.textContent, /as “Sender number”/);
  assert.equal(screen.getAllByRole('button', { name: 'Edit input and rerun' }).length, 2);
  assert.equal(screen.queryByRole('link', { name: 'Open the agent’s settings' }), null);
  await close();
  await openRefused('+13125550111');
  await screen.findByRole('link', { name: 'Open the agent’s settings' });
  await reads(screen.getByRole('main'), /use a number of the connected Twilio account that can send texts as “Sender number”\./i);
});

test('a rerun of a run that texted no one because of the number says why', async () => {
  const message = 'This number is in a country that this business does not text';
  const service = await open('owner', `/dashboard/runs/${ID}`, {
    getExecution: reply('getExecution', {
      id: ID,
      workflowId: idOf(5),
      status: 'SUCCEEDED',
      stopped: true,
      input: { callerNumber: '+13125550121' },
      output: { skipped: true, reason: 'country_not_allowed', message },
      lastRerun: null,
      payloadExpired: false,
    }),
    getWorkflow: reply('getWorkflow', {
      id: idOf(5),
      inputs: [sample(templateInput, { key: 'callerNumber', label: 'Caller number', required: true, writtenTo: 'text' })],
    }),
  });
  await press('Rerun');
  const asked = await dialog('Rerun a run that succeeded?');
  await reads(asked, /The run texted no one: This number is in a country that this business does not text\./);
  await press('Cancel', asked);
  await press('Edit input and rerun');
  await reads(await dialog('Edit input and rerun'), /It texted no one: This number is in a country that this business does not text\./);
  assert.deepEqual(service.sent('testAgent'), [], 'which is an act in the audit log');
});
