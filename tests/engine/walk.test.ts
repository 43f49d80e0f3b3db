import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { callEngine, chain, codeStep, CONTINUE, endedRun, httpStep, publishFlow, runOnce, startSink, startTestEngine } from './harness.ts';
import type { Sink, TestEngine } from './harness.ts';

let sink: Sink;
let on: TestEngine;
before(async () => {
  sink = await startSink();
  on = await startTestEngine([`127.0.0.1:${sink.port}`]);
});
after(async () => {
  await on.close();
  await sink.close();
});

const storeEarlier = (flowId: string): Promise<unknown> =>
  withClient(on.database.configFor('portal_engine'), (client) =>
    client.query('update engine.flow_version set earlier_globals = true where flow_id = $1', [flowId]),
  );

test('a flow stored by an earlier version keeps URLSearchParams in its steps; once imported again it has only the language’s own globals', async () => {
  const source = 'export const code = async (inputs) => new URLSearchParams({ Body: inputs.body }).toString();';
  const first = chain(codeStep('write', source, { body: '{{trigger.body.text}}' }));
  const text = "Hi & é (it's ~ok*!) 🦷";
  const earlier = await publishFlow(on, first);
  await storeEarlier(earlier);
  const run = await runOnce(on, earlier, { text });
  assert.deepEqual([run.status, run.steps?.['write']?.output], ['SUCCEEDED', new URLSearchParams({ Body: text }).toString()]);
  const later = await runOnce(on, await publishFlow(on, first), { text });
  assert.equal(later.status, 'FAILED');
  assert.match(later.failedStep?.message ?? '', /URLSearchParams is not defined/);
});

test('a flow stored by an earlier version runs as there, also after an edit: the rest of its globals, what it printed, and no redirect for an answer', async () => {
  const source = `export const code = async (inputs) => {
    console.log('began', { n: 1 });
    if (inputs.fails) throw new Error('no');
    const form = new URLSearchParams('a=1&b=2');
    form.set('a', atob(btoa('é')));
    form.delete('b');
    return { form: [...form.entries()], has: form.has('b'), copy: structuredClone({ a: [1] }) };
  };`;
  const goes = await publishFlow(on, chain(codeStep('write', source, { fails: '{{trigger.body.fails}}' })));
  const redirected = await publishFlow(on, chain(httpStep('call', `${sink.url}/x?status=302`, { followRedirects: false })));
  assert.equal((await runOnce(on, redirected)).status, 'SUCCEEDED', 'as the recorded engine takes it');
  const moved = await publishFlow(on, chain(httpStep('call', `${sink.url}/x?status=302`, { followRedirects: false })));
  for (const flowId of [goes, moved]) {
    await storeEarlier(flowId);
    await on.call('POST', `/api/v1/flows/${flowId}`, { type: 'CHANGE_NAME', request: { displayName: 'Named anew' } });
    await on.call('POST', `/api/v1/flows/${flowId}`, { type: 'LOCK_AND_PUBLISH', request: {} });
  }
  const run = await runOnce(on, goes, { fails: false });
  assert.deepEqual([run.status, run.steps?.['write']?.output], ['SUCCEEDED', { form: [['a', 'é']], has: false, copy: { a: [1] } }]);
  assert.match((await runOnce(on, goes, { fails: true })).failedStep?.message ?? '', /Error: no.*--- stdout ---.*began/s);
  assert.equal((await runOnce(on, moved)).status, 'FAILED');
});

test('an imported flow with old references runs end to end and its report reaches the target as sent', async () => {
  await on.call('POST', '/api/v1/app-connections', {
    externalId: 'p1_agency_openai',
    displayName: 'openai',
    pieceName: '@activepieces/piece-http',
    projectId: on.projectId,
    type: 'CUSTOM_AUTH',
    value: { type: 'CUSTOM_AUTH', props: { apiKey: 'sk-very-secret', baseUrl: sink.url } },
  });
  const flowId = await publishFlow(
    on,
    chain(
      codeStep(
        'build',
        "export const code = async (inputs) => ({ form: 'To=' + encodeURIComponent(inputs.to) + '&Body=Hi+%26+%C3%A9' });",
        { to: '{{trigger.body.input.caller}}' },
      ),
      httpStep('send', '{{connections.p1_agency_openai.props.baseUrl}}/send', {
        headers: {
          Authorization: 'Bearer {{connections.p1_agency_openai.props.apiKey}}',
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: { data: '{{build.form}}' },
      }),
      httpStep(
        'report',
        `${sink.url}/executions/webhook`,
        {
          headers: { 'X-Callback-Token': '{{trigger.body.callbackToken}}' },
          body: {
            data: {
              executionId: '{{trigger.body.executionId}}',
              status: 'SUCCEEDED',
              output: { id: '{{send.body.id}}', status: '{{send.status}}' },
            },
          },
        },
        CONTINUE,
      ),
    ),
  );
  const reply = await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flowId}`, {
    executionId: 'e1',
    callbackToken: 't1',
    input: { caller: '+15550001' },
  });
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.body, {});
  assert.match(reply.headers.get('x-webhook-id') ?? '', /^[0-9a-zA-Z]{21}$/);
  const [report] = await sink.waitFor(1, (one) => one.url === '/executions/webhook');
  assert.equal(report?.headers['x-callback-token'], 't1');
  assert.equal(report?.body, '{"executionId":"e1","status":"SUCCEEDED","output":{"id":"sink","status":200}}');
  const [send] = await sink.waitFor(1, (one) => one.url === '/send');
  assert.equal(send?.headers.authorization, 'Bearer sk-very-secret');
  assert.equal(send?.body, 'To=%2B15550001&Body=Hi+%26+%C3%A9');
  const run = await endedRun(on, flowId);
  assert.equal(run.status, 'SUCCEEDED');
  assert.equal(run.stepsCount, 3);
  assert.doesNotMatch(JSON.stringify(run), /sk-very-secret/);
});

test('a failing step ends the run FAILED and names itself; with continueOnFailure the run goes on and SUCCEEDS', async () => {
  const failing = await publishFlow(
    on,
    chain(httpStep('call', `${sink.url}/x?status=500`, { body: { data: { a: 1 } } }), httpStep('after', `${sink.url}/after-failed`)),
  );
  const failed = await runOnce(on, failing);
  assert.equal(failed.status, 'FAILED');
  assert.equal(failed.failedStep?.name, 'call');
  assert.equal(JSON.parse(failed.failedStep?.message ?? '').message, 'boom');
  assert.equal(
    sink.received.some((one) => one.url === '/after-failed'),
    false,
  );

  const going = await publishFlow(
    on,
    chain(
      httpStep('call', `${sink.url}/x?status=500`, { body: { data: { a: 1 } } }, CONTINUE),
      httpStep('after', `${sink.url}/after-continued`),
    ),
  );
  const succeeded = await runOnce(on, going);
  assert.equal(succeeded.status, 'SUCCEEDED');
  assert.equal(succeeded.failedStep, null);
  assert.equal(succeeded.steps['call']?.status, 'FAILED');
  assert.equal(
    sink.received.some((one) => one.url === '/after-continued'),
    true,
  );
});
