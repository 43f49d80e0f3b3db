import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ApiError } from '@partner-portal/contract/client.ts';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import { DEMO, ingestUrl, postJson, signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { collectBundle } from '@partner-portal/service/support/collect-bundle.ts';
import { Secret } from 'otpauth';
import { type Receiver, startReceiver } from '../harness/deliveries.ts';
import { runIdentityFlow } from '../harness/identity-flow.ts';
import { startOidcProvider, type TestOidc } from '../harness/oidc-provider.ts';
import { setupEnd } from '../harness/setup-end.ts';
import { childrenOf, commandOf, DEMO_PASSWORD, readProc, startSystem, type System, until } from '../harness/system.ts';
import { exposeDatabase } from '../harness/vault.ts';

// Every secret is driven through every capability, failures included. Afterwards it is searched for
// everywhere: in what was answered, in the log, in every table, in what other processes can see. It may be where it has to be.

const KEYS = {
  openai: { apiKey: 'sandbox-canary-openai-7Qx2vLm9' },
  anthropic: { apiKey: 'sandbox-canary-anthropic-4Rt8wNc1' },
  calcom: { apiKey: 'cal_sandbox_canary_calcom_5Yk3pZd6' },
  resend: { apiKey: 're_sandbox_canary_resend_8Hf6sBv2' },
  twilio: { accountSid: 'ACcanary9Wj4kTq7canary9Wj4kTq7cana', authToken: 'sandbox-canary-twilio-3Ue7gXa5' },
} as const;
const SQL_PASSWORD = 'canary-postgres-6Mo1yDh8';
/** The sandbox takes keys that say so; this one is refused by the provider. */
const REFUSED_KEY = 're_canary_refused_2Vb9nKs4';
const WRONG_PASSWORD = 'canary wrong password 1Lp5';
const NEW_PASSWORD = 'canary new password 8Zt3';

type Recorded = { what: string; text: string };
const answers: Recorded[] = [];
const secrets = new Map<string, string>();
const realFetch = globalThis.fetch;
let system: System;
let workspace: Awaited<ReturnType<typeof openAgency>>;
let receiver: Receiver;
let provider: TestOidc;
let exposed: Awaited<ReturnType<typeof exposeDatabase>>;

/** Keeps each answer as it came, head and body; what an answer hands out for the first time is a secret from then on. */
async function recordingFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await realFetch(input, init);
  const url = new URL(input instanceof Request ? input.url : input);
  const text = `${JSON.stringify([...response.headers])} ${await response.clone().text()}`;
  answers.push({ what: `${init?.method ?? 'GET'} ${url.pathname.replace(/[\w-]{36,}/g, ':id')}`, text });
  for (const [name, pattern] of HANDED_OUT) {
    for (const [, found] of text.matchAll(pattern)) {
      if (!found) continue;
      secrets.set(`${name} ${secrets.size}`, found);
      // What the app is made of, as a table would show its bytes.
      if (name === 'authenticator') secrets.set(`${name} in hex ${secrets.size}`, Secret.fromBase32(found).hex.toLowerCase());
    }
  }
  return response;
}
const HANDED_OUT: [string, RegExp][] = [
  ['invitation', /\/invite\/([\w-]{20,})/g],
  ['ingest', /\?token=([\w-]{20,})/g],
  ['session', /"accessToken":"([^"]+)"/g],
  ['webhook', /"secret":"(whsec_[\w-]+)"/g],
  ['reset', /\/reset-password#([\w-]{20,})/g],
  ['challenge', /"tempToken":"([^"]+)"/g],
  ['authenticator', /"secret":"([A-Z2-7]{32})"/g],
  ['recovery', /"([\dA-Z]{4}(?:-[\dA-Z]{4}){3})"/g],
];
/** The answers that must carry what they hand out; nothing else may. */
const HANDS_OUT: [string, RegExp][] = [
  // Without a mail server, staff pass on the links.
  ['invitation', /^(POST \/(invitations|partners|clients)(\/:id\/resend)?|GET \/provisioning\/mail\/:id)$/],
  ['ingest', /^GET \/workflows\/:id\/ingest-url$/],
  ['session', /^POST \/(auth\/(login|mfa\/recover)|invitations\/accept)$/],
  ['reset', /^GET \/provisioning\/mail\/:id$/],
  ['challenge', /^POST \/auth\/login$/],
  ['authenticator', /^POST \/auth\/mfa\/setup$/],
  ['recovery', /^POST \/auth\/mfa\/enable$/],
  ['webhook', /^POST \/partners\/me\/webhooks$/],
];

before(async () => {
  const target = { host: '', port: 5432, user: ADMIN_ROLE, database: 'portal' };
  exposed = await exposeDatabase(target);
  receiver = await startReceiver();
  provider = await startOidcProvider([]);
  globalThis.fetch = recordingFetch;
  system = await startSystem({
    endsAtRest: true,
    env: {
      WEBHOOK_DEV_ALLOWED_HOSTS: `127.0.0.1:${exposed.port},${new URL(receiver.url).host},${new URL(provider.issuer).host}`,
      LOG_LEVEL: 'trace',
    },
  });
  target.host = join(system.dataDir, 'postgres', 'socket');
  workspace = await openAgency();
  await useEverything();
});
after(async () => {
  globalThis.fetch = realFetch;
  exposed?.close();
  await receiver?.close();
  await provider?.close();
  await system?.stop();
});

/** An agency with an owner and a client, each by an accepted invitation. */
async function openAgency() {
  const admin = await signIn(system.baseUrl, system.admin.email, system.admin.password);
  const [plan] = await admin.listPlans();
  assert.ok(plan);
  const { name, slug, timezone } = DEMO.partner;
  const made = await admin.createPartner({
    body: { name, slug, timezone, planId: plan.id, ownerEmail: DEMO.owner.email, ownerName: DEMO.owner.fullName },
  });
  const accept = (url: string) =>
    system.client().acceptInvitation({ body: { token: url.split('/').at(-1) ?? '', password: DEMO_PASSWORD, fullName: 'Some Body' } });
  await accept(made.invitation.acceptUrl);
  const owner = await signIn(system.baseUrl, DEMO.owner.email, DEMO_PASSWORD);
  const client = await owner.createClient({ body: { name: 'Oak Street Dental', inviteEmail: DEMO.clientUser.email } });
  await accept(client.invitation?.acceptUrl ?? '');
  await signIn(system.baseUrl, DEMO.clientUser.email, DEMO_PASSWORD);
  const waiting = await owner.createInvitation({ body: { kind: 'team', email: DEMO.moderator.email } });
  await owner.resendInvitation({ params: { id: waiting.id } });
  await owner.listInvitations();
  return { admin, owner, partnerId: made.partner.id, oakStreetId: client.id };
}

async function refused(work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, ApiError);
}

async function useEverything(): Promise<void> {
  for (const [provider, data] of Object.entries(KEYS))
    for (const [member, value] of Object.entries(data)) secrets.set(`${provider} ${member}`, value);
  for (const [name, value] of Object.entries(system.settings()))
    if (/SECRET|_KEY$|PASSWORD/.test(name)) secrets.set(name, value.replace(/^k1:/, ''));
  for (const [name, value] of Object.entries({
    SQL_PASSWORD,
    REFUSED_KEY,
    WRONG_PASSWORD,
    NEW_PASSWORD,
    DEMO_PASSWORD,
    admin: system.admin.password,
  }))
    secrets.set(name, value);
  await walkPeople();
  await saveKeys();
  const agents = await installAgents();
  await runAgents(agents);
  await tellReceivers();
  await fail(agents);
}

async function walkPeople(): Promise<void> {
  secrets.set('provider clientSecret', provider.clientSecret);
  const { admin, owner } = workspace;
  await runIdentityFlow(system, { admin, owner, member: { ...DEMO.clientUser, newPassword: NEW_PASSWORD } }, provider);
}

async function saveKeys(): Promise<void> {
  const { owner, oakStreetId } = workspace;
  const sql = { host: '127.0.0.1', port: exposed.port, database: 'portal', user: ADMIN_ROLE, password: SQL_PASSWORD, ssl: false };
  for (const [provider, data] of Object.entries({ ...KEYS, postgres: sql })) {
    await owner.putCredential({ params: { provider }, body: { sourceMode: 'byok', data } });
    await owner.putCredential({ params: { provider }, body: { sourceMode: 'byok', data, clientId: oakStreetId } });
    const test = await owner.testCredential({ params: { provider } });
    assert.ok(test.ok, `${provider}: ${test.message}`);
  }
  await owner.listCredentials();
  await owner.listRequirements();
  await owner.countRequirements();
}

async function installAgents(): Promise<Record<string, string>> {
  const { admin, owner, partnerId, oakStreetId } = workspace;
  const mail = { fromAddress: 'desk@oakstreet.example' };
  const texts = { fromNumber: DEMO.businessNumber, quietHours: '' };
  const wanted = {
    'missed-call-text-back': { quietHours: '', bookingUrl: 'https://oakstreet.example/book' },
    'ai-faq-reply': { ...mail, faqText: 'We are open from 9 to 17.', handoffEmail: 'desk@oakstreet.example' },
    'ai-email-triage': { ...mail, ownerEmail: 'owner@oakstreet.example' },
    'no-show-rebooking': { ...texts, bookingUrl: 'https://oakstreet.example/book' },
    'daily-sql-report': { ...mail, query: 'select current_date as day, 4 as orders', recipients: ['owner@oakstreet.example'] },
  };
  for (const [templateName, config] of Object.entries(wanted))
    await admin.createAgent({ body: { partnerId, clientId: oakStreetId, templateName, config } });
  const answer = await setupEnd(admin, await admin.provision({ params: { id: partnerId }, body: {} }));
  assert.equal(answer.status, 'succeeded', answer.instance.lastError ?? '');
  const { data } = await owner.listAgents({ query: { limit: 100 } });
  return Object.fromEntries(data.map((agent) => [agent.templateName, agent.id]));
}

async function run(workflowId: string | undefined, event: Record<string, unknown>) {
  const posted = await postJson(await ingestUrl(workspace.owner, workflowId), event);
  const { executionId } = (await posted.json()) as { executionId: string }; // the contract's answer to an accepted event
  return until('the run has ended', async () => {
    const found = await workspace.owner.getExecution({ params: { id: executionId } });
    return found.status !== 'RUNNING' && found;
  });
}

async function runAgents(agents: Record<string, string>): Promise<void> {
  const caller = '+13125550121';
  const events: [string, Record<string, unknown>][] = [
    ['missed-call-text-back', { callerNumber: caller, businessNumber: DEMO.businessNumber }],
    ['ai-faq-reply', { from: caller, to: DEMO.businessNumber, body: 'When are you open?' }],
    ['ai-email-triage', { fromEmail: 'ada@example.com', subject: 'Complaint: a leak', text: 'Please come today, it is urgent.' }],
    ['no-show-rebooking', { attendeePhone: caller, attendeeName: 'Ada Byron', eventTypeId: 1207 }],
    ['daily-sql-report', {}],
  ];
  for (const [name, event] of events) {
    const ended = await run(agents[name], event);
    assert.equal(ended.status, 'SUCCEEDED', `${name}: ${JSON.stringify(ended.error)} ${JSON.stringify(ended.steps)}`);
    const { id } = ended;
    await workspace.admin.getExecution({ params: { id } });
  }
}

/** Two endpoints: registered, notified, failing, retried, recovered, changed, removed. */
async function tellReceivers(): Promise<void> {
  const { owner, admin, oakStreetId } = workspace;
  const since = new Date().toISOString();
  const { id } = await owner.createWebhook({ body: { url: receiver.url } });
  const other = await owner.createWebhook({ body: { url: receiver.url } });
  const params = { id };
  // Alternates between an echo of the request and a failure.
  receiver.answer = (request, response) => {
    const text = JSON.stringify([request.headers, request.body]);
    response.writeHead(receiver.received.length % 2 === 0 ? 200 : 500).end(text);
  };
  await owner.testWebhook({ params });
  await owner.createInvitation({ body: { kind: 'client_user', email: 'third@oakstreet.example', clientId: oakStreetId } });
  await until('everything was tried', () => receiver.received.length >= 3);
  await owner.updateWebhook({ params, body: { isActive: false } });
  await owner.updateWebhook({ params, body: { isActive: true, url: `${receiver.origin}/elsewhere` } });
  const [delivery] = await owner.listDeliveries({ params });
  await owner.redeliver({ params: { id, deliveryId: delivery?.id ?? '' } });
  await owner.recoverDeliveries({ params, body: { since, dryRun: true } });
  await owner.recoverDeliveries({ params, body: { since } });
  await owner.listRecoveries({ params });
  await owner.listWebhooks();
  await admin.listWebhookEndpoints();
  await owner.listEventTypes();
  await refused(owner.createWebhook({ body: { url: 'http://10.0.0.1/' } }));
  await owner.deleteWebhook({ params: { id: other.id } });
  await until('what was sent again has arrived', () => receiver.received.some((one) => one.path === '/elsewhere'));
  await owner.listDeliveries({ params });
}

async function fail(agents: Record<string, string>): Promise<void> {
  const { owner, admin, oakStreetId, partnerId } = workspace;
  const anonymous = system.client();
  await refused(anonymous.login({ body: { email: DEMO.owner.email, password: WRONG_PASSWORD } }));
  await refused(anonymous.acceptInvitation({ body: { token: 'canary-of-no-one-canary-of-no-one', password: WRONG_PASSWORD } }));
  await refused(
    owner.putCredential({
      params: { provider: 'twilio' },
      body: { sourceMode: 'byok', data: { accountSid: KEYS.twilio.accountSid, authToken: 7 } },
    }),
  );
  await refused(owner.putCredential({ params: { provider: 'twilio' }, body: { sourceMode: 'platform', data: KEYS.twilio } }));
  await refused(
    owner.putCredential({
      params: { provider: 'postgres' },
      body: { sourceMode: 'byok', data: { host: '10.0.0.1', port: 5432, database: 'x', user: 'x', password: SQL_PASSWORD, ssl: false } },
    }),
  );
  await owner.putCredential({
    params: { provider: 'resend' },
    body: { sourceMode: 'byok', data: { apiKey: REFUSED_KEY }, clientId: oakStreetId },
  });
  const tested = await owner.testCredential({ params: { provider: 'resend' }, query: { clientId: oakStreetId } });
  assert.equal(tested.ok, false);
  await until('the engine has the new key', async () => {
    const rows = await owner.listCredentials({ query: { clientId: oakStreetId } });
    return rows.find((row) => row.provider === 'resend' && !row.inherited)?.live === 'live';
  });
  const ended = await run(agents['ai-email-triage'], { fromEmail: 'ada@example.com', subject: 'Complaint', text: 'A leak, urgent.' });
  assert.deepEqual([ended.status, ended.error?.code], ['FAILED', 'resend_key_refused']);
  // The engine dies and is fed its options again.
  process.kill(await until('the engine runs', () => system.enginePid()), 'SIGKILL');
  await until('the engine is back', async () => (await admin.getEngine()).health === 'ok');
  await run(agents['missed-call-text-back'], { callerNumber: '+15002160600', businessNumber: DEMO.businessNumber });
  await owner.listInboundEvents({ params: { id: agents['missed-call-text-back'] ?? '' } });
  await admin.listOutbox({ query: { limit: 100 } });
  const { data: mails } = await admin.listMail({ query: { limit: 100 } });
  for (const { id } of mails) await admin.getMail({ params: { id } });
  await admin.getSystem();
  await admin.listAttempts({ params: { id: partnerId } });
  await admin.listSteps({ params: { id: partnerId } });
  const answer = await realFetch(`${system.baseUrl}/api/docs-json`);
  answers.push({ what: 'GET /api/docs-json', text: await answer.text() });
}

/** Returns the encodings in which a value may leak: plain, hex, base64 at any of its three offsets, URL-encoded. */
function disguises(value: string): string[] {
  const bytes = Buffer.from(value);
  const inBase64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // The first and last letters depend on the neighbours.
    return text.slice(offset === 0 ? 0 : 4, text.length - 4);
  });
  const safe = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), bytes.toString('hex'), ...inBase64, ...safe])];
}

/** The names of the secrets that are found in the text. */
function found(text: string, allowed: (name: string) => boolean = () => false): string[] {
  return [...secrets].filter(([name, value]) => !allowed(name) && disguises(value).some((one) => text.includes(one))).map(([name]) => name);
}

describe('after every capability was used', () => {
  it('there were secrets of every kind to look for', () => {
    const names = [...secrets.keys()].join(' ');
    for (const kind of [
      'openai',
      'twilio authToken',
      'JWT_SECRET',
      'CREDENTIALS_ENCRYPTION_KEY',
      'AUTOMATION_ENGINE_ADMIN_PASSWORD',
      'invitation',
      'ingest',
      'session',
      'webhook',
      'reset',
      'challenge',
      'authenticator',
      'authenticator in hex',
      'recovery',
      'provider clientSecret',
    ])
      assert.ok(names.includes(kind), kind);
    assert.ok(answers.length > 60, String(answers.length));
    for (const value of secrets.values()) for (const disguise of disguises(value)) assert.ok(found(`…${disguise}…`).length > 0);
  });

  it('no answer repeats a secret, but the one that hands it out', () => {
    for (const { what, text } of answers) {
      const may = HANDS_OUT.filter(([, route]) => route.test(what)).map(([kind]) => kind);
      assert.deepEqual(
        found(text, (name) => may.some((kind) => name.startsWith(`${kind} `))),
        [],
        what,
      );
    }
  });

  it('no log knows one', () => {
    assert.ok(system.log().includes('"request"'));
    assert.deepEqual(found(system.log()), []);
    assert.deepEqual(found(readFileSync(join(system.dataDir, 'postgres', 'server.log'), 'utf8')), []);
  });

  it('no support bundle has one, nor a person: it says how the system is', async () => {
    const { dataDir, port, metricsPort } = system;
    const [out, said]: [string[], string[]] = [[], []];
    await collectBundle({
      env: { DATA_DIR: dataDir, PORT: String(port), METRICS_PORT: String(metricsPort) },
      output: '-',
      print: (text) => void out.push(text),
      report: (line) => void said.push(line),
    });
    const text = `${out.join('')}\n${said.join('\n')}`;
    assert.deepEqual(found(text), []);
    for (const person of [DEMO.owner.email, DEMO.owner.fullName, DEMO.partner.name, 'Oak Street', DEMO.businessNumber, 'ada@example.com'])
      assert.ok(!text.includes(person), person);
    // As it was written.
    const bundle = JSON.parse(out.join('')) as {
      health: { status: number };
      database: { notApplied: string[]; queues: { name: string }[] };
      metrics: string[];
      settings: Record<string, { from: string }>;
    };
    assert.deepEqual(
      said.filter((line) => line.includes('not available')),
      [],
    );
    assert.equal(bundle.health.status, 200);
    assert.deepEqual(bundle.database.notApplied, []);
    assert.ok(bundle.database.queues.some(({ name }) => name === 'webhook deliveries'));
    assert.ok(bundle.metrics.some((line) => line.startsWith('portal_jobs_due ')));
    assert.equal(bundle.settings['JWT_SECRET']?.from, 'settings file');
  });

  it('no row of any table holds one in the open', async () => {
    const tables = await system.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'engine', 'sandbox', 'graphile_worker') and c.relkind in ('r', 'p') and not c.relispartition`,
    );
    assert.ok(tables.length > 30);
    for (const { name } of tables) {
      const rows = await system.query<{ row: string }>(`select t::text as row from ${name} t`);
      // An account number is a user name: the provider's own receipts, kept as the step's result, carry it.
      const isReceipt = (secret: string): boolean => name === 'engine.run_step' && secret === 'twilio accountSid';
      assert.deepEqual(found(rows.map(({ row }) => row).join('\n'), isReceipt), [], name);
    }
  });

  it('no other process received one in its arguments or its environment', () => {
    const children = childrenOf(system.pid());
    assert.ok(children.length >= 2);
    for (const pid of children) assert.deepEqual(found(`${commandOf(pid)} ${readProc(`${pid}/environ`)}`), [], commandOf(pid));
    assert.deepEqual(found(commandOf(system.pid())), []);
  });

  it('the settings file holds the settings, for its owner alone, and nothing of anybody else', () => {
    const text = readFileSync(join(system.dataDir, 'settings.env'), 'utf8');
    assert.deepEqual(
      found(text, (name) => name in system.settings()),
      [],
    );
  });
});
