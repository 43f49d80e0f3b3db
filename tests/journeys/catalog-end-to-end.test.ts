import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { findBundle, loadBundles } from '@partner-portal/catalog/index.ts';
import { executionRoutes } from '@partner-portal/contract/routes/executions.ts';
import { compareFlow } from '@partner-portal/core/template/drift.ts';
import { fillConfig } from '@partner-portal/core/template/settings.ts';
import { sampleInput } from '@partner-portal/core/template/input.ts';
import type { DispatchPayload, TemplateBundle } from '@partner-portal/core/template/types.ts';
import { externalConnectionId, flowFromTemplate } from '@partner-portal/core/template/template.ts';
import { startEngine, type Engine } from '@partner-portal/engine/start.ts';
import { startSandbox, type Sandbox } from '@partner-portal/sandbox/index.ts';
import { mailName } from '@partner-portal/service/platform/mail-name.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

// Every template once through the real chain: imported into the engine, published, started by an event, its calls received by
// the provider sandbox, its report posted back. Only the service's two callback routes are stood for by a small receiver.

const PARTNER = '0196a0aa-0000-7000-8000-000000000001';
const CLIENT = '0196a0aa-0000-7000-8000-000000000002';
/** The sandbox refuses a mail from this name unless it is encoded, as the provider does. */
const CLIENT_NAME = 'Bergmann, Söhne @ Wein; (Praxis)';
const ADMIN = { email: 'engine@portal.example', password: randomBytes(12).toString('hex') };
const GOOD_KEYS = { apiKey: 'sandbox-key', accountSid: `AC${'1'.repeat(32)}`, authToken: 'sandbox-token' };
const QUERY_REPLY = {
  columns: ['day', 'orders', 'revenue'],
  rows: [
    { day: '2026-12-29', orders: 40, revenue: '3900.00' },
    { day: '2027-01-04', orders: 31, revenue: '2800.00' },
    { day: '2027-01-05', orders: 50, revenue: '4210.50' },
  ],
  truncated: false,
};

type Json = Record<string, unknown>;
type Call = { id: string; provider: string; method: string; path: string; body: string | null; status: number };
type Report = {
  executionId?: string;
  status: string;
  output?: Json;
  error?: { code: string; message: string; stepName: string };
  steps: { name: string; status: string }[];
  usage?: Json;
};

let database: TestDatabase;
let sandbox: Sandbox;
let engine: Engine;
let receiver: Server;
let receiverPort: number;
let token: string;
let projectId: string;
const reports: { token: string | undefined; body: unknown }[] = [];
const listeners = new Set<() => void>();

before(async () => {
  database = await createTestDatabase();
  sandbox = await startSandbox({ pg: database.configFor('portal_sandbox'), host: '127.0.0.1', port: 0 });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const isQuery = request.url?.endsWith('/query') === true;
      const callbackToken = request.headers['x-callback-token'];
      if (!isQuery) reports.push({ token: typeof callbackToken === 'string' ? callbackToken : undefined, body });
      const refused = !isQuery && !(typeof body === 'object' && body !== null && 'executionId' in body);
      response
        .writeHead(refused ? 422 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(isQuery ? QUERY_REPLY : { applied: !refused }));
      for (const heard of listeners) heard();
    });
  });
  receiverPort = await new Promise((resolve) => receiver.listen(0, '127.0.0.1', () => resolve((receiver.address() as AddressInfo).port)));
  engine = await startEngine(
    {
      database: database.configFor('portal_engine'),
      adminEmail: ADMIN.email,
      adminPassword: ADMIN.password,
      encryptionKey: randomBytes(32).toString('base64'),
      jwtSecret: randomBytes(24).toString('hex'),
      allowedHosts: [`127.0.0.1:${sandbox.port}`, `127.0.0.1:${receiverPort}`],
    },
    () => undefined,
  );
  const session = await engineCall('POST', '/v1/authentication/sign-in', ADMIN);
  token = String(session['token']);
  projectId = String(session['projectId']);
});

after(async () => {
  // After a failed start, some of these were never created.
  await engine?.close();
  await sandbox?.close();
  if (receiver) await new Promise((resolve) => receiver?.close(resolve));
  await database?.drop();
});

async function engineCall(method: string, path: string, body?: object): Promise<Json> {
  const init: RequestInit = {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
  };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(`http://127.0.0.1:${engine.port}/api${path}`, init);
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${response.ok ? '' : await response.text()}`);
  // A parse boundary: what matters of it is asserted where it is used.
  return (await response.json()) as Json;
}

/** Binds the template's providers and installs its flow; answers the flow id. */
async function install(bundle: TemplateBundle, client: string, keys: Record<string, string> = GOOD_KEYS): Promise<string> {
  const { template, sources } = bundle;
  const connectionIds: Record<string, string> = {};
  for (const provider of template.requiredConnections) {
    if (provider === 'code') continue;
    const externalId = externalConnectionId(PARTNER, client, provider);
    connectionIds[provider] = externalId;
    const props =
      provider === 'postgres' ? { reference: externalId } : { ...keys, baseUrl: `http://127.0.0.1:${sandbox.port}/${provider}` };
    const connection = {
      externalId,
      displayName: externalId,
      pieceName: '@activepieces/piece-http',
      projectId,
      type: 'CUSTOM_AUTH',
      value: { type: 'CUSTOM_AUTH', props },
    };
    await engineCall('POST', '/v1/app-connections', connection);
  }
  const options = {
    internalApiUrl: `http://127.0.0.1:${receiverPort}`,
    connectionIds,
    displayName: template.title,
    codeSources: sources,
    pieceVersions: { webhook: '0.1.34', http: '0.11.9' },
  };
  const request = flowFromTemplate(template, options);
  const flow = await engineCall('POST', '/v1/flows', { displayName: template.title, projectId });
  const flowId = String(flow['id']);
  const imported = await engineCall('POST', `/v1/flows/${flowId}`, { type: 'IMPORT_FLOW', request });
  assert.deepEqual(compareFlow(request, imported['version']), []);
  await engineCall('POST', `/v1/flows/${flowId}`, { type: 'LOCK_AND_PUBLISH', request: {} });
  return flowId;
}

function payloadOf(bundle: TemplateBundle, change: Partial<DispatchPayload> = {}): DispatchPayload {
  const now = new Date();
  return {
    executionId: randomUUID(),
    workflowId: randomUUID(),
    callbackToken: randomBytes(16).toString('hex'),
    input: sampleInput(bundle.sample.input, now),
    config: fillConfig(bundle.template, bundle.sample.config),
    client: {
      id: CLIENT,
      name: CLIENT_NAME,
      mailName: mailName(CLIENT_NAME),
      timezone: 'UTC',
      locale: 'en',
      ownerLocale: 'en',
      businessProfile: { hours: '', bookingUrl: '', reviewUrl: '', address: '', faqText: '' },
    },
    facts: {
      lastContactAt: null,
      lastMailAt: null,
      onStopList: false,
      numberOnStopList: false,
      noText: null,
      noMail: null,
      isPlanned: false,
      isWhatsApp: false,
      isForVisitor: false,
      leftOut: [],
      acceptedAt: now.toISOString(),
      now: now.toISOString(),
    },
    ...change,
  };
}

/** Posts the event and waits for the report that carries its proof. */
async function runFlow(flowId: string, payload: Partial<DispatchPayload> & { callbackToken: string }): Promise<Report> {
  const found = () => reports.find((report) => report.token === payload.callbackToken);
  const heard = new Promise<void>((resolve) => {
    const check = (): void => {
      if (found() === undefined) return;
      listeners.delete(check);
      resolve();
    };
    listeners.add(check);
  });
  await engineCall('POST', `/v1/webhooks/${flowId}`, payload);
  await heard;
  return found()?.body as Report;
}

async function newestCall(): Promise<string> {
  return (await listCalls('')).at(0)?.id ?? '00000000-0000-0000-0000-000000000000';
}

async function listCalls(since: string): Promise<Call[]> {
  const response = await fetch(`http://127.0.0.1:${sandbox.port}/calls?limit=100`, {
    headers: { authorization: `Bearer ${sandbox.token}` },
  });
  const { data } = (await response.json()) as { data: Call[] };
  return data.filter((call) => call.id > since);
}

function bundleOf(name: string): TemplateBundle {
  const bundle = findBundle(name);
  assert.ok(bundle);
  return bundle;
}

describe('every template, once from event to report', () => {
  for (const bundle of loadBundles()) {
    it(`${bundle.template.name} makes its calls and reports its result`, async () => {
      const flowId = await install(bundle, CLIENT);
      const since = await newestCall();
      const payload = payloadOf(bundle);
      const report = await runFlow(flowId, payload);

      const parsed = executionRoutes.reportExecution.body?.safeParse(report);
      assert.ok(parsed?.success, JSON.stringify(parsed?.error?.issues));
      assert.deepEqual([report.status, report.error], ['SUCCEEDED', undefined]);
      assert.equal(report.executionId, payload.executionId);
      for (const [key, value] of Object.entries(bundle.sample.result)) assert.deepEqual(report.output?.[key], value, key);
      assert.deepEqual(
        report.steps.map((step) => step.name),
        bundle.template.steps.map((step) => step.name),
      );

      const calls = (await listCalls(since)).toReversed();
      assert.deepEqual(
        calls.map(({ provider, method, path }) => ({ provider, method, path })),
        bundle.sample.calls.map(({ provider, method, path }) => ({ provider, method, path })),
      );
      bundle.sample.calls.forEach((expected, index) => {
        for (const part of expected.bodyIncludes ?? [])
          assert.ok(calls[index]?.body?.includes(part), `${expected.provider} body lacks ${part}: ${calls[index]?.body}`);
      });
      const spoken = bundle.template.requiredConnections.some((provider) => provider === 'openai' || provider === 'anthropic');
      assert.equal(Number(report.usage?.['inputTokens']) > 0, spoken);
      assert.doesNotMatch(JSON.stringify(report), /sandbox-key|sandbox-token|AC1111/);
    });
  }
});

describe('the guarded chain', () => {
  it('reports a refused key at once, by the code of the provider and with the name of the step', async () => {
    const bundle = bundleOf('missed-call-text-back');
    const flowId = await install(bundle, randomUUID(), { ...GOOD_KEYS, authToken: 'wrong' });
    const report = await runFlow(flowId, payloadOf(bundle));
    assert.equal(report.status, 'FAILED');
    assert.deepEqual(report.error, {
      code: 'twilio_401_20003',
      message: 'Twilio did not accept the request (401, 20003)',
      stepName: 'send_text',
    });
  });

  it('runs no later step after a failed one', async () => {
    const bundle = bundleOf('lead-qualifier');
    const flowId = await install(bundle, randomUUID(), { ...GOOD_KEYS, apiKey: 'wrong' });
    const since = await newestCall();
    const report = await runFlow(flowId, payloadOf(bundle));
    assert.equal(report.error?.stepName, 'score_lead');
    assert.deepEqual(
      report.steps.map((step) => step.status),
      bundle.template.steps.map((step) =>
        step.name === 'score_lead' ? 'failed' : step.name.startsWith('read_') ? 'succeeded' : 'skipped',
      ),
    );
    assert.deepEqual(
      (await listCalls(since)).map((call) => call.provider),
      ['openai'],
    );
  });

  it('reports whom it meant to contact also when the phone provider refuses the number', async () => {
    const bundle = bundleOf('appointment-reminder');
    const flowId = await install(bundle, randomUUID());
    const payload = payloadOf(bundle);
    const report = await runFlow(flowId, { ...payload, input: { ...payload.input, attendeePhone: '+15005550004' } });
    assert.deepEqual([report.error?.code, report.output?.['contacted']], ['twilio_400_21610', '+15005550004']);
    assert.equal(typeof report.output?.['mailId'], 'string', 'the mail has gone out');
  });

  it('texts also when the mail service refuses the mail, which fails the run', async () => {
    // An address that the mail service does not take.
    const refused = 'jürgen@example.com';
    const changes: [name: string, input: object, config: object][] = [
      ['appointment-reminder', { attendeeEmail: refused }, {}],
      ['lead-qualifier', {}, { ownerEmail: refused }],
    ];
    for (const [name, input, config] of changes) {
      const bundle = bundleOf(name);
      const flowId = await install(bundle, randomUUID());
      const payload = payloadOf(bundle);
      const report = await runFlow(flowId, {
        ...payload,
        callbackToken: randomBytes(16).toString('hex'),
        input: { ...payload.input, ...input },
        config: { ...payload.config, ...config },
      });
      assert.deepEqual([report.status, report.error?.code], ['FAILED', 'resend_422_validation_error'], name);
      assert.equal(typeof report.output?.['messageId'], 'string', 'the text has gone out');
    }
  });

  it('mails the owner about a hot lead also when the phone provider refuses their number', async () => {
    const bundle = bundleOf('lead-qualifier');
    const flowId = await install(bundle, randomUUID());
    const payload = payloadOf(bundle);
    for (const [ownerPhone, error] of [
      ['+15005550004', 'twilio_400_21610'],
      ['+13125550177', undefined],
    ] as const) {
      const callbackToken = randomBytes(16).toString('hex');
      const report = await runFlow(flowId, { ...payload, callbackToken, config: { ...payload.config, ownerPhone } });
      assert.deepEqual([report.output?.['hot'], report.error?.code], [true, error]);
      assert.equal(typeof report.output?.['mailId'], 'string', 'the mail has gone out');
    }
  });

  it('ends well and sends nothing when a step says to stop', async () => {
    const bundle = bundleOf('missed-call-text-back');
    const flowId = await install(bundle, randomUUID());
    const since = await newestCall();
    const payload = payloadOf(bundle);
    const report = await runFlow(flowId, { ...payload, facts: { ...payload.facts, onStopList: true } });
    assert.deepEqual([report.status, report.output?.['reason']], ['SUCCEEDED', 'on_stop_list']);
    assert.deepEqual(await listCalls(since), []);
  });

  it('reads the booking first when the event names one, and stops when it was cancelled', async () => {
    const bundle = bundleOf('appointment-reminder');
    const flowId = await install(bundle, randomUUID());
    const payload = payloadOf(bundle);
    const headers = { authorization: 'Bearer sandbox-key', 'content-type': 'application/json' };
    const booking = { start: payload.input['startTime'], eventTypeId: 7, attendee: { name: 'Ada Byron', timeZone: 'UTC' } };
    const base = `http://127.0.0.1:${sandbox.port}/calcom/v2/bookings`;
    const made = (await (await fetch(base, { method: 'POST', headers, body: JSON.stringify(booking) })).json()) as {
      data: { uid: string };
    };
    const input = { ...payload.input, bookingUid: made.data.uid };
    const booked = await runFlow(flowId, { ...payload, input });
    assert.deepEqual(
      booked.steps.map((step) => step.status),
      ['succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded'],
    );
    await fetch(`${base}/${made.data.uid}/cancel`, { method: 'POST', headers, body: '{}' });
    const cancelled = await runFlow(flowId, { ...payloadOf(bundle), input });
    assert.equal(cancelled.output?.['reason'], 'booking_cancelled');
  });

  it('asks Cal.com for no booking of another calendar', async () => {
    const bundle = bundleOf('appointment-reminder');
    const flowId = await install(bundle, randomUUID());
    const payload = payloadOf(bundle);
    const since = await newestCall();
    const report = await runFlow(flowId, { ...payload, input: { ...payload.input, bookingUid: '7kukuqrfedlm2f9t0vr3ng4cdo' } });
    assert.deepEqual(
      report.steps.map((step) => step.status),
      ['succeeded', 'skipped', 'succeeded', 'succeeded', 'succeeded'],
    );
    assert.equal((await listCalls(since)).filter((call) => call.provider === 'calcom').length, 0);
  });

  it('takes the branch of the case: an unhappy customer reaches the owner, not the public', async () => {
    const bundle = bundleOf('review-request');
    const flowId = await install(bundle, randomUUID());
    const since = await newestCall();
    const payload = payloadOf(bundle);
    const report = await runFlow(flowId, { ...payload, input: { ...payload.input, rating: 1 } });
    assert.equal(report.status, 'SUCCEEDED');
    assert.deepEqual(
      (await listCalls(since)).map((call) => call.provider),
      ['resend'],
    );
    assert.equal(report.output?.['contacted'], undefined);
  });

  it('runs for an event without an executionId, whose refused report harms nothing', async () => {
    const bundle = bundleOf('missed-call-text-back');
    const flowId = await install(bundle, randomUUID());
    const { executionId: _, ...payload } = payloadOf(bundle);
    const report = await runFlow(flowId, payload);
    assert.equal(report.status, 'SUCCEEDED');
    assert.ok(!('executionId' in report));
    assert.equal(reports.filter((one) => one.token === payload.callbackToken).length, 1);
  });
});
