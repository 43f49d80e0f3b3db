import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { flowFromTemplate } from '@partner-portal/core/template/template.ts';
import type { Template, TemplateStep } from '@partner-portal/core/template/types.ts';
import { createEngineClient, type EngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { createInternalFetch } from '@partner-portal/service/platform/outbound/internal-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { ADMIN, runOnce, startSink, startTestEngine } from './harness.ts';
import type { Received, Sink, TestEngine } from './harness.ts';

/**
 * A template, written as the catalog writes them and imported by our client, against two recorded exchanges of the real engine: what it
 * was given and shown to store, and every byte that the target then received (recorded-imports.json, trimmed to what is compared).
 */

type Input = { url: string; headers: Record<string, string>; [member: string]: unknown };
type Sent = { method: string; url: string; headers: Record<string, string>; body: string };
type Recorded = {
  'recommended-import-schema-20': { storedSchemaVersion: string; storedStep1Input: Input; storedStep2Input: Input; sinkReceived: Sent[] };
  'http-step-form-urlencoded': { importedWithSchemaVersion: string; storedStep2Input: Input; sinkReceived: Sent[] };
};
const recorded: Recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded-imports.json'), 'utf8'));
const [bundle] = loadBundles();
const outbound = createInternalFetch(() => true);
let sink: Sink;
let on: TestEngine;
let client: EngineClient;

before(async () => {
  sink = await startSink((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'sink_1' }));
  });
  on = await startTestEngine([`127.0.0.1:${sink.port}`]);
  client = createEngineClient({
    baseUrl: () => on.base,
    account: { email: ADMIN.email, password: new Secret(ADMIN.password) },
    send: createEngineSend(outbound),
    clock: { now: () => new Date() },
  });
  const connect = (externalId: string, props: { [name: string]: string }) =>
    client.upsertConnection({ projectId: on.projectId, externalId, displayName: externalId, props: { ...props, baseUrl: sink.url } });
  await connect('p1_openai', { apiKey: 'sk-test-222' });
  await connect('p1_twilio', { accountSid: 'AC123', authToken: 'tok' });
});
after(async () => {
  await outbound.close();
  await on.close();
  await sink.close();
});

/** Imports and publishes a flow of these steps as the pipeline does; answers its id and the inputs it was stored with. */
async function install(steps: TemplateStep[], codeSources: Record<string, string> = {}) {
  assert.ok(bundle);
  const template: Template = { ...bundle.template, steps, result: {}, messages: [] };
  const flow = flowFromTemplate(template, {
    displayName: 'As recorded',
    internalApiUrl: sink.url,
    connectionIds: { openai: 'p1_openai', twilio: 'p1_twilio' },
    codeSources: { ...bundle.sources, ...codeSources },
    pieceVersions: await client.pieceVersions(),
  });
  const { id } = await client.createFlow({ projectId: on.projectId, displayName: 'As recorded', metadata: {} });
  await client.importFlow(id, flow);
  await client.publish(id);
  const stored = await client.getFlow(id);
  assert.ok(stored);
  return {
    id,
    sentVersion: flow.schemaVersion,
    storedVersion: stored.version.schemaVersion,
    inputOf: (name: string) => inputOf(stored.version.trigger, name),
  };
}

/** The input of a step, wherever in the tree it stands. */
function inputOf(tree: unknown, name: string): unknown {
  if (typeof tree !== 'object' || tree === null) return undefined;
  if (Reflect.get(tree, 'name') === name) return Reflect.get(Reflect.get(tree, 'settings'), 'input');
  return [Reflect.get(tree, 'nextAction'), ...[Reflect.get(tree, 'children') ?? []].flat()]
    .map((one) => inputOf(one, name))
    .find((found) => found !== undefined);
}

/** What we do otherwise than the recording, on purpose: where keys lie, and how a refusal is taken. */
const OURS = { failureMode: 'continue_all', followRedirects: false };

/** Method, address, body to the byte, and every header that was recorded. */
function assertSent(actual: Received | undefined, expected: Sent | undefined): void {
  assert.ok(actual && expected);
  assert.deepEqual([actual.method, actual.url], [expected.method, expected.url]);
  assert.deepEqual(Buffer.from(actual.body), Buffer.from(expected.body));
  for (const [name, value] of Object.entries(expected.headers)) assert.equal(actual.headers[name.toLowerCase()], value, name);
}

test('a template imported by the client is stored and sent as recommended-import-schema-20 shows to work', async () => {
  const shown = recorded['recommended-import-schema-20'];
  const {
    id,
    sentVersion,
    storedVersion,
    inputOf: stored,
  } = await install([
    {
      name: 'step_1',
      label: 'First',
      kind: 'http',
      provider: 'openai',
      request: { method: 'POST', path: '/ok', json: { n: '{{trigger.body.n}}', name: '{{trigger.body.name}}' } },
    },
    {
      name: 'step_2',
      label: 'Second',
      kind: 'http',
      provider: 'openai',
      request: { method: 'POST', path: '/report', json: { first: '{{step_1.body.id}}' }, headers: { 'x-custom': 'abc' } },
    },
  ]);
  assert.deepEqual([sentVersion, storedVersion], ['20', shown.storedSchemaVersion]);
  const authorization = { Authorization: 'Bearer {{connections.p1_openai.props.apiKey}}' };
  assert.deepEqual(stored('step_1'), {
    ...shown.storedStep1Input,
    ...OURS,
    timeout: 60,
    url: '{{connections.p1_openai.props.baseUrl}}/ok',
    headers: authorization,
  });
  assert.deepEqual(stored('step_2'), {
    ...shown.storedStep2Input,
    ...OURS,
    timeout: 60,
    url: '{{connections.p1_openai.props.baseUrl}}/report',
    headers: { ...authorization, ...shown.storedStep2Input.headers },
  });
  sink.received.length = 0;
  const run = await runOnce(on, id, { n: 7, name: 'Ann' });
  assert.equal(run.status, 'SUCCEEDED');
  const [first, second, report] = sink.received;
  assertSent(first, shown.sinkReceived[0]);
  assertSent(second, shown.sinkReceived[1]);
  assert.equal(report?.url, '/executions/webhook');
});

test('a form-encoded step is stored and sent as http-step-form-urlencoded shows to work', async () => {
  const shown = recorded['http-step-form-urlencoded'];
  const source =
    'export const code = async (inputs) => ({ go: true, out: { form: Object.entries({ To: inputs.to, Body: inputs.body, From: inputs.from }).map(([key, value]) => key + "=" + encodeURIComponent(value).replace(/%20/g, "+")).join("&") } });';
  const {
    id,
    sentVersion,
    inputOf: stored,
  } = await install(
    [
      {
        name: 'step_1',
        label: 'Write',
        kind: 'code',
        file: 'steps/write.js',
        uses: [],
        inputs: { to: '{{trigger.body.to}}', body: '{{trigger.body.body}}', from: '{{trigger.body.from}}' },
      },
      {
        name: 'step_2',
        label: 'Send',
        kind: 'http',
        provider: 'twilio',
        request: { method: 'POST', path: '/ok', form: '{{step_1.out.form}}' },
      },
    ],
    { 'steps/write.js': source },
  );
  assert.equal(sentVersion, shown.importedWithSchemaVersion);
  assert.deepEqual(stored('step_2'), {
    ...shown.storedStep2Input,
    ...OURS,
    timeout: 30,
    url: '{{connections.p1_twilio.props.baseUrl}}/ok',
    // The text lies a member deeper, since our code steps also say whether to go on.
    body: { data: "{{step_1['output'].out.form}}" },
    authFields: { username: '{{connections.p1_twilio.props.accountSid}}', password: '{{connections.p1_twilio.props.authToken}}' },
  });
  sink.received.length = 0;
  const run = await runOnce(on, id, { to: '+15550001', body: 'Hi & welcome é', from: '+15559999' });
  assert.equal(run.status, 'SUCCEEDED');
  assertSent(sink.received[0], shown.sinkReceived[0]);
});
