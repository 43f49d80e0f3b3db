import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  callEngine,
  chain,
  codeStep,
  endedRun,
  httpStep,
  publishFlow,
  runOnce,
  startSink,
  startTestEngine,
  webhookTrigger,
} from './harness.ts';
import type { Sink, TestEngine } from './harness.ts';

type Recorded = {
  connections: Record<
    string,
    { forms: Record<string, string>; sinkReceived: Record<string, unknown>; runLogInput: Record<string, unknown> }
  >;
  httpRequests: { method: string; url: string; headers: Record<string, string>; body: string }[];
  triggerOutputs: { method: string; headers: Record<string, string>; body?: unknown; queryParams: unknown; rawBody: string }[];
  importRequest: { displayName: string; trigger: unknown };
  importReport: Record<string, unknown>;
  importEvent: unknown;
};
const recorded: Recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded-behaviour.json'), 'utf8'));

let sink: Sink;
let on: TestEngine;
before(async () => {
  sink = await startSink((request, response) => {
    const status = Number(/status=(\d+)/.exec(request.url)?.[1] ?? 200);
    response.writeHead(status, { 'content-type': 'application/json', 'x-sink': '1' });
    response.end(JSON.stringify({ received: request.body.length, id: `sink_${sink.received.length}`, nested: { a: 1 } }));
  });
  on = await startTestEngine([`127.0.0.1:${sink.port}`], { retryWaitMs: 1 });
  const values = {
    p1_openai: { type: 'SECRET_TEXT', secret_text: 'sk-test-222' },
    p1_twilio: { type: 'BASIC_AUTH', username: 'AC123', password: 'tok456' },
    p1_sql: { type: 'CUSTOM_AUTH', props: { host: 'db.local', port: 5432, database: 'x', user: 'u', password: 'p', ssl: true } },
    p1_none: { type: 'NO_AUTH' },
  };
  for (const [externalId, value] of Object.entries(values)) {
    const reply = await on.call('POST', '/api/v1/app-connections', {
      externalId,
      displayName: externalId,
      pieceName: '@activepieces/piece-http',
      projectId: on.projectId,
      type: value.type,
      value,
    });
    assert.equal(reply.status, 201);
  }
});
after(async () => {
  await on.close();
  await sink.close();
});

/** What the target got as the last request to `path`. */
const lastBody = (path: string): unknown => JSON.parse(sink.received.findLast((one) => one.url === path)?.body ?? 'null');

for (const [schemaVersion, expected] of [
  ['20', { old: 7, dotOutput: '', brOutput: '' }],
  ['21', { old: 7, dotOutput: '', brOutput: '' }],
  ['22', { old: '', dotOutput: 7, brOutput: 7 }],
] as const) {
  test(`an import of schema ${schemaVersion} resolves the three spellings of a reference as recorded`, async () => {
    const data = { old: '{{trigger.body.n}}', dotOutput: '{{trigger.output.body.n}}', brOutput: "{{trigger['output'].body.n}}" };
    const flow = await publishFlow(on, chain(httpStep('step_1', `${sink.url}/spelling`, { body: { data } })), { schemaVersion });
    await runOnce(on, flow, { n: 7 });
    assert.deepEqual(lastBody('/spelling'), expected);
  });
}

test('a step added to a new flow resolves the three spellings of a reference as recorded', async () => {
  const data = { old: '{{trigger.body.n}}', dotOutput: '{{trigger.output.body.n}}', brOutput: "{{trigger['output'].body.n}}" };
  const created = await on.call('POST', '/api/v1/flows', { displayName: 'x', projectId: on.projectId });
  const { id } = created.body as { id: string };
  const { nextAction: _none, ...trigger } = webhookTrigger(undefined);
  const action = httpStep('step_1', `${sink.url}/added`, { body: { data } });
  for (const [type, request] of [
    ['UPDATE_TRIGGER', trigger],
    ['ADD_ACTION', { parentStep: 'trigger', action }],
    ['LOCK_AND_PUBLISH', {}],
  ] as const)
    assert.equal((await on.call('POST', `/api/v1/flows/${id}`, { type, request })).status, 200, type);
  await runOnce(on, id, { n: 7 });
  assert.deepEqual(lastBody('/added'), { old: '', dotOutput: 7, brOutput: 7 });
});

test('the recorded import with routers, loops and every kind of expression reports what the recorded engine reported', async () => {
  const text = JSON.stringify(recorded.importRequest).replaceAll('http://sink.test', sink.url);
  const created = await on.call('POST', '/api/v1/flows', { displayName: 'x', projectId: on.projectId });
  const { id } = created.body as { id: string };
  // Without a schema version, as in the recorded run.
  const imported = await on.call('POST', `/api/v1/flows/${id}`, { type: 'IMPORT_FLOW', request: JSON.parse(text) });
  assert.equal((imported.body as { version: { valid: boolean } }).version.valid, true);
  await on.call('POST', `/api/v1/flows/${id}`, { type: 'LOCK_AND_PUBLISH', request: {} });
  await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${id}?a=1&b=two`, recorded.importEvent, { 'user-agent': 'client/1.0' });
  const run = await endedRun(on, id);
  assert.equal(run.status, 'SUCCEEDED');
  assert.equal(run.stepsCount, 7);
  const report = JSON.parse(JSON.stringify(lastBody('/report'), (key, value: unknown) => (key === 'duration' ? undefined : value)));
  assert.deepEqual(report, recorded.importReport);
  const loop = run.steps['step_7']?.output as { iterations: Record<string, { output: unknown }>[] };
  assert.deepEqual(
    loop.iterations.map((one) => one['step_8']?.output),
    [
      { item: 'x', index: 1 },
      { item: 'y', index: 2 },
    ],
  );
});

for (const [id, { forms, sinkReceived, runLogInput }] of Object.entries(recorded.connections)) {
  test(`references to connection ${id} resolve as recorded, and the run log covers them`, async () => {
    const flow = await publishFlow(on, chain(httpStep('step_1', `${sink.url}/forms`, { body: { data: forms } })), { schemaVersion: '22' });
    const run = await runOnce(on, flow);
    assert.equal(run.status, 'SUCCEEDED');
    // The order of members inside a connection is not promised, so its JSON in a text is compared as a value.
    const unfold = (received: Record<string, unknown>): unknown => ({
      ...received,
      inText: JSON.parse(String(received['inText']).replace('Bearer ', '')),
    });
    assert.deepEqual(unfold(lastBody('/forms') as Record<string, unknown>), unfold(sinkReceived));
    assert.deepEqual((run.steps['step_1']?.input as { body: { data: unknown } } | undefined)?.body.data, runLogInput);
  });
}

test('a code step sees whole connections, but what it gives back never carries their secrets into the log', async () => {
  const flow = await publishFlow(
    on,
    chain(
      codeStep(
        'step_1',
        'export const code = async (inputs) => ({ ...inputs, joined: "key=" + inputs.d, seen: inputs.d === "sk-test-222" });',
        {
          a: "{{connections['p1_openai']}}",
          d: '{{connections.p1_openai.secret_text}}',
        },
      ),
    ),
  );
  const run = await runOnce(on, flow);
  assert.deepEqual(run.steps['step_1']?.output, {
    a: { type: 'SECRET_TEXT', secret_text: '**REDACTED**' },
    d: '**REDACTED**',
    joined: 'key=**REDACTED**',
    seen: true,
  });
});

test('an unknown connection fails the step as ConnectionNotFound', async () => {
  const flow = await publishFlow(
    on,
    chain(httpStep('step_1', `${sink.url}/ok`, { body: { data: { x: '{{connections.nope.secret_text}}' } } })),
  );
  const run = await runOnce(on, flow);
  assert.equal(run.status, 'FAILED');
  const error = JSON.parse(run.failedStep?.message ?? '') as { errorName: string; message: string };
  assert.equal(error.errorName, 'ConnectionNotFound');
  assert.deepEqual(JSON.parse(error.message), { message: 'connection (nope) not found' });
});

const variants: Record<string, unknown>[] = [
  { method: 'GET', url: '/text', queryParams: { q: '1 2' }, body_type: 'none' },
  { url: '/ok', body_type: 'raw', body: { data: 'raw text here' } },
  { url: '/ok', body: { data: '{"a":"json as string"}' } },
  { url: '/ok', body: { a: 1, b: 2 } },
  { url: '/ok', body: { data: [{ x: 1 }] } },
  { url: '/ok', body_type: undefined, body: { data: { q: 1 } } },
  { url: '/ok', authType: 'BEARER_TOKEN', authFields: { token: 'tkn' }, body: { data: { q: 1 } } },
  { url: '/ok', authType: 'BASIC', authFields: { username: 'u', password: 'p' }, body: { data: { q: 1 } } },
  { url: '/ok?status=302', body: { data: { q: 1 } } },
];
for (const [index, variant] of variants.entries()) {
  const expected = recorded.httpRequests[index];
  test(`HTTP step variant ${index + 1} sends the recorded bytes and headers`, async () => {
    const flow = await publishFlow(
      on,
      chain(httpStep('step_1', '', { headers: { 'x-custom': 'abc' }, ...variant, url: `${sink.url}${String(variant['url'])}` })),
    );
    const before = sink.received.length;
    const run = await runOnce(on, flow);
    const got = sink.received[before];
    assert.equal(got?.body, expected?.body);
    assert.equal(got?.method, expected?.method);
    assert.equal(got?.url, expected?.url);
    for (const [name, value] of Object.entries(expected?.headers ?? {})) assert.equal(got?.headers[name], value, name);
    assert.equal(run.status, index === 8 ? 'FAILED' : 'SUCCEEDED');
  });
}

test('the trigger sees each kind of body as recorded', async () => {
  const flow = await publishFlow(on, undefined);
  const send: Record<string, () => Promise<unknown>> = {
    'text/plain': () => callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, 'plain', { 'content-type': 'text/plain' }),
    'application/x-www-form-urlencoded': () =>
      callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, 'v=1&w=two', {
        'content-type': 'application/x-www-form-urlencoded',
      }),
    GET: () => callEngine(on.base, undefined, 'GET', `/api/v1/webhooks/${flow}?v=1`),
    '[1,2]': () => callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, [1, 2]),
    none: () => callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`),
  };
  let count = 0;
  for (const [kind, post] of Object.entries(send)) {
    await post();
    count += 1;
    const run = await endedRun(on, flow, count);
    const output = run.steps['trigger']?.output as Recorded['triggerOutputs'][number];
    const expected = recorded.triggerOutputs.find((one) =>
      kind === 'GET'
        ? one.method === 'GET'
        : kind === '[1,2]'
          ? one.rawBody === kind
          : kind === 'none'
            ? one.method === 'POST' && one.body === undefined
            : one.headers['content-type'] === kind,
    );
    assert.ok(expected !== undefined, kind);
    for (const key of ['method', 'body', 'queryParams', 'rawBody'] as const)
      assert.deepEqual(output[key], expected[key], `${kind}: ${key}`);
    assert.deepEqual(Object.keys(output).toSorted(), Object.keys(expected).toSorted(), kind);
  }
});

test('a thrown error of a code step fails the run with its message; what it prints goes nowhere', async () => {
  const flow = await publishFlow(
    on,
    chain(codeStep('step_1', 'export const code = async () => { console.log("hello out"); throw new Error("bad thing"); };')),
  );
  const run = await runOnce(on, flow);
  assert.equal(run.status, 'FAILED');
  assert.equal(JSON.parse(run.failedStep?.message ?? '').message, 'Error: bad thing');
});

test('a refused connection fails the step with status 500 and names no address of ours', async () => {
  const closed = await startSink();
  await closed.close();
  const flow = await publishFlow(on, chain(httpStep('step_1', `http://127.0.0.1:${closed.port}/x`, { body: { data: { a: 1 } } })));
  const run = await runOnce(on, flow);
  const error = JSON.parse(run.failedStep?.message ?? '') as { status: number; message: string; requestBody: unknown };
  assert.equal(error.status, 500);
  assert.equal(error.message, '{"response":{"status":500},"request":{"body":{"a":1}}}');
  assert.deepEqual(error.requestBody, { a: 1 });
});

test('retryOnFailure tries four times in all and stops at the first success', async () => {
  let calls = 0;
  const flaky = await startSink((_request, response) => {
    calls += 1;
    response.writeHead(calls < 3 ? 500 : 200, { 'content-type': 'application/json' });
    response.end('{}');
  });
  const retrying = await startTestEngine([`127.0.0.1:${flaky.port}`], { retryWaitMs: 1 });
  const settings = { errorHandlingOptions: { continueOnFailure: { value: false }, retryOnFailure: { value: true } } };
  const flow = await publishFlow(retrying, chain(httpStep('step_1', `${flaky.url}/x`, {}, settings)));
  assert.equal((await runOnce(retrying, flow)).status, 'SUCCEEDED');
  assert.equal(calls, 3);
  calls = -100;
  assert.equal((await runOnce(retrying, flow)).status, 'FAILED');
  assert.equal(calls, -96);
  await retrying.close();
  await flaky.close();
});

test('failureMode continue_all gives the refusal to later steps without a top-level status', async () => {
  const flow = await publishFlow(
    on,
    chain(
      httpStep('step_1', `${sink.url}/x?status=422`, { failureMode: 'continue_all', body: { data: { a: 1 } } }),
      httpStep('step_2', `${sink.url}/seen`, { body: { data: { status: '{{step_1.status}}', inner: '{{step_1.response.status}}' } } }),
    ),
  );
  const run = await runOnce(on, flow);
  assert.equal(run.status, 'SUCCEEDED');
  assert.equal(run.steps['step_1']?.status, 'SUCCEEDED');
  assert.deepEqual(lastBody('/seen'), { status: '', inner: 422 });
  assert.deepEqual(Object.keys(run.steps['step_1']?.output as object).toSorted(), ['request', 'response']);
});
