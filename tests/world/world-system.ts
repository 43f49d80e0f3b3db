import assert from 'node:assert/strict';
import { join } from 'node:path';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import type { Json, JsonObject } from '@partner-portal/core/template/types.ts';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import { type DemoClient, ingestUrl, signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { setupEnd } from '../harness/setup-end.ts';
import { DEMO_PASSWORD, startSystem, type System, until } from '../harness/system.ts';
import { exposeDatabase } from '../harness/vault.ts';
import { CLIENTS, type ClientName } from './clients.ts';
import type { Row, Send, TemplateName } from './row.ts';

/**
 * One system on which all rows of the tables happen: the service, the engine and the sandbox, with businesses in several countries and the agents that the
 * rows concern. An agent takes 60 events a minute and a business has one agent of a template, so that many rows share out over copies of a business.
 */

export type Case = { row: Row; template: TemplateName };
export type Answer = { status: number; headers: Headers; body: unknown };
export type Text = { to: string; from: string; body: string; status: number };
export type Mail = { to: string[]; from: string; subject: string; text: string; status: number };
export type Run = {
  id: string;
  status: string;
  errorCode: string | null;
  errorMessage: string | null;
  creditsCharged: number;
  output: JsonObject;
  remarks: string;
  /** As it came. */
  came: JsonObject;
  /** What the engine was given as the input; null when the run ended before its flow. */
  input: JsonObject | null;
  texts: Text[];
  mails: Mail[];
};
export type Outcome = { answers: Answer[]; runs: Run[] };

/** Below the 60 a minute of an agent. */
const EVENTS_PER_AGENT = 55;
const PARALLEL = 12;
const FAQ = 'On Saturday we are open from 9 to 13.\nParking is free behind the house.';

type Seat = {
  client: ClientName;
  shop: string | undefined;
  agents: Map<TemplateName, { config: JsonObject; events: number; id: string; url: string }>;
};

export type World = {
  system: System;
  outcomeOf(one: Case): Outcome;
  /** Every call that the provider sandbox received. */
  texts: Text[];
  mails: Mail[];
  runs: Run[];
  close(): Promise<void>;
};

export async function startWorld(cases: readonly Case[]): Promise<World> {
  const system = await startSystem({
    env: { FAILED_RUNS_FREE_PER_DAY: '100000', WEBHOOK_DEV_ALLOWED_HOSTS: '127.0.0.1' },
  });
  const closing: (() => void)[] = [];
  try {
    const seats = await install(system, cases, closing);
    const found = new Map<Case, Outcome>();
    const answers = await sendAll(system, cases, seats);
    const runs = await readRuns(system);
    for (const [one, its] of answers) {
      const ids = [...new Set(its.flatMap((answer) => executionIds(answer.body)))];
      found.set(one, { answers: its, runs: ids.flatMap((id) => runs.get(id) ?? []) });
    }
    const calls = await system.query<Call>('select provider, path, body, status from sandbox.call');
    return {
      system,
      outcomeOf: (one) => found.get(one) ?? { answers: [], runs: [] },
      texts: calls.filter(isText).map(readText),
      mails: calls.filter(isMail).map(readMail),
      runs: [...runs.values()],
      async close() {
        for (const end of closing) end();
        await system.stop();
      },
    };
  } catch (error) {
    for (const end of closing) end();
    await system.stop();
    throw error;
  }
}

const KEYS = {
  twilio: { accountSid: 'ACsandbox00000000000000000000000000', authToken: 'sandbox-auth-token' },
  resend: { apiKey: 're_sandbox_key' },
  calcom: { apiKey: 'cal_sandbox_key' },
  openai: { apiKey: 'sk-sandbox-key-of-the-agency' },
  anthropic: { apiKey: 'sk-ant-sandbox-key-of-the-agency' },
};

async function addAgency(system: System): Promise<{ admin: DemoClient; owner: DemoClient; partnerId: string }> {
  const admin = await signIn(system.baseUrl, system.admin.email, system.admin.password);
  const plan = (await admin.listPlans()).find(({ name }) => name === 'Growth');
  assert.ok(plan);
  const ownerEmail = 'maya@northwind.example';
  const { partner, invitation } = await admin.createPartner({
    body: {
      name: 'Northwind Studio',
      slug: 'northwind',
      timezone: 'America/Chicago',
      planId: plan.id,
      ownerEmail,
      ownerName: 'Maya Lindqvist',
    },
  });
  const token = new URL(invitation.acceptUrl).pathname.split('/').at(-1) ?? '';
  await system.client().acceptInvitation({ body: { token, password: DEMO_PASSWORD, fullName: 'Maya Lindqvist' } });
  return { admin, owner: await signIn(system.baseUrl, ownerEmail, DEMO_PASSWORD), partnerId: partner.id };
}

/** Creates the businesses and their agents, and provisions them at once. Returns the agent of each case. */
async function install(system: System, cases: readonly Case[], closing: (() => void)[]): Promise<Map<Case, { url: string }>> {
  const { seats, places } = plan(cases);
  const { admin, owner, partnerId } = await addAgency(system);
  for (const [provider, data] of Object.entries(KEYS))
    await owner.putCredential({ params: { provider }, body: { sourceMode: 'byok', data } });
  const exposed = await exposeDatabase({
    host: join(system.dataDir, 'postgres', 'socket'),
    port: 5432,
    user: ADMIN_ROLE,
    database: 'portal',
  });
  closing.push(() => exposed.close());
  const sql = { host: exposed.host, port: exposed.port, database: 'portal', user: ADMIN_ROLE, password: 'not-asked-for', ssl: false };
  await owner.putCredential({ params: { provider: 'postgres' }, body: { sourceMode: 'byok', data: sql } });
  const bundles = new Map(loadBundles().map((bundle) => [bundle.template.name, bundle]));
  for (const [index, seat] of seats.entries()) {
    const { name, textsFrom: _, ...facts } = CLIENTS[seat.client];
    const client = await owner.createClient({
      body: {
        ...facts,
        name: `${name} ${index + 1}`,
        businessProfile: { bookingUrl: 'https://oak.example/book', reviewUrl: 'https://oak.example/review', faqText: FAQ },
        firstContactsPerHour: 10_000,
      },
    });
    for (const [templateName, agent] of seat.agents) {
      const known = new Set(bundles.get(templateName)?.template.config.map((setting) => setting.key));
      const config = Object.fromEntries(Object.entries({ ...usualConfig(seat.client), ...agent.config }).filter(([key]) => known.has(key)));
      agent.id = (await admin.createAgent({ body: { partnerId, clientId: client.id, templateName, config } })).id;
    }
  }
  const { status, instance } = await setupEnd(admin, await admin.provision({ params: { id: partnerId }, body: {} }));
  assert.equal(status, 'succeeded', String(instance.errorPublic));
  for (const seat of seats) for (const agent of seat.agents.values()) agent.url = await ingestUrl(owner, agent.id);
  return places;
}

/** Settings under which an event comes to its end at any hour. */
function usualConfig(client: ClientName): JsonObject {
  const { textsFrom } = CLIENTS[client];
  return {
    fromNumber: textsFrom,
    fromAddress: 'hello@oak.example',
    ownerEmail: 'owner@oak.example',
    handoffEmail: 'desk@oak.example',
    recipients: ['owner@oak.example'],
    query: "select date '2027-01-05' as day, 40 as orders, 3900.00 as revenue union all select date '2026-12-29', 31, 2800.00",
    eventTypeId: 1207,
    quietHours: '',
    repeatAfterHours: 0,
    autoReply: true,
  };
}

/** Gives each case an agent with its settings that still has room, on as few businesses as that takes. */
function plan(cases: readonly Case[]): { seats: Seat[]; places: Map<Case, { url: string }> } {
  const seats: Seat[] = [];
  const places = new Map<Case, { url: string }>();
  for (const one of cases) {
    const { client = 'chicago', config = {}, shop } = one.row;
    const events = sendsOf(one).reduce((sum, send) => sum + (Array.isArray(send.body) ? send.body.length : 1), 0);
    const isFit = (seat: Seat): boolean => {
      const agent = seat.agents.get(one.template);
      return (
        seat.client === client &&
        seat.shop === shop &&
        (agent === undefined || (JSON.stringify(agent.config) === JSON.stringify(config) && agent.events + events <= EVENTS_PER_AGENT))
      );
    };
    let seat = seats.find(isFit);
    if (seat === undefined) seats.push((seat = { client, shop, agents: new Map() }));
    const agent = seat.agents.get(one.template) ?? { config, events: 0, id: '', url: '' };
    agent.events += events;
    seat.agents.set(one.template, agent);
    places.set(one, agent);
  }
  return { seats, places };
}

function sendsOf({ row, template }: Case): readonly Send[] {
  const sends = row.send(template);
  return isList(sends) ? sends : [sends];
}

function isList(sends: Send | readonly Send[]): sends is readonly Send[] {
  return Array.isArray(sends);
}

/** Sends the rounds one after the other; within a round the cases at once and the requests of a case one after the other. */
async function sendAll(system: System, cases: readonly Case[], places: Map<Case, { url: string }>): Promise<Map<Case, Answer[]>> {
  const answers = new Map<Case, Answer[]>();
  const rounds = [...new Set(cases.map(({ row }) => row.round ?? 1))].toSorted((one, other) => one - other);
  for (const round of rounds) {
    const queue = cases.filter(({ row }) => (row.round ?? 1) === round);
    const work = async (): Promise<void> => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        const its: Answer[] = [];
        for (const send of sendsOf(one)) its.push(await post(places.get(one)?.url ?? '', send));
        answers.set(one, its);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    await until('all runs have ended', async () => {
      const [row] = await system.query<{ running: number }>("select count(*)::int as running from execution where status = 'RUNNING'");
      return row?.running === 0;
    });
  }
  return answers;
}

async function post(
  url: string,
  { body, contentType = 'application/json', headers = {}, method = 'POST', pathEnd = '' }: Send,
): Promise<Answer> {
  const target = new URL(url);
  target.pathname += pathEnd;
  const isPlain = typeof body === 'string' || Buffer.isBuffer(body);
  const sent = isPlain ? body : JSON.stringify(atTime(body, new Date()));
  const answer = await fetch(target, {
    method,
    headers: { ...(contentType === null ? {} : { 'content-type': contentType }), ...headers },
    // Bytes get no content type from fetch.
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.from(sent) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const UNIT_MS: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Texts such as `@now+90m` anywhere in a value become that time, in UTC. */
function atTime(value: Json, now: Date): Json {
  return JSON.parse(
    JSON.stringify(value).replace(/@now([+-]\d+)([mhd])/g, (_, count: string, unit: string) =>
      new Date(now.getTime() + Number(count) * (UNIT_MS[unit] ?? 0)).toISOString(),
    ),
  ) as Json; // the same value with other texts
}

/** Ids of runs anywhere in an answer: one event has one, a list of events several. */
function executionIds(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) =>
    key === 'executionId' && typeof value === 'string' ? [value] : executionIds(value),
  );
}

type Call = { provider: string; path: string; body: string | null; status: number };
const isText = (call: Call): boolean => call.provider === 'twilio' && call.path.endsWith('/Messages.json');
const isMail = (call: Call): boolean => call.provider === 'resend' && call.path === '/emails';

function readText({ body, status }: Pick<Call, 'body' | 'status'>): Text {
  const fields = new URLSearchParams(body ?? '');
  return { to: fields.get('To') ?? '', from: fields.get('From') ?? '', body: fields.get('Body') ?? '', status };
}

function readMail({ body, status }: Pick<Call, 'body' | 'status'>): Mail {
  const { to, from, subject, text } = JSON.parse(body ?? '{}') as { to: string[]; from: string; subject: string; text: string }; // catalog/parts/mail.js
  return { to, from, subject, text, status };
}

type RunRow = {
  id: string;
  status: string;
  error_code: string | null;
  error_message: string | null;
  credits_charged: number;
  payload: { input: JsonObject; output: JsonObject | null; remarks?: unknown; body_remarks?: unknown };
};
type EngineRow = { id: string; input: string };
type StepRow = { run_id: string; type: string; input: string; output: string | null };

/** Reads all runs with what the engine was given for them and what it sent. */
async function readRuns(system: System): Promise<Map<string, Run>> {
  const rows = await system.query<RunRow>(
    `select e.id, e.status, e.error_code, e.error_message, e.credits_charged, to_jsonb(p) as payload
     from execution e join execution_payload p on p.partner_id = e.partner_id and p.id = e.id`,
  );
  const given = new Map<string, { runId: string; input: JsonObject }>();
  for (const { id, input } of await system.query<EngineRow>('select id, input from engine.run')) {
    const { body } = JSON.parse(input) as { body: { executionId?: string; input: JsonObject } }; // the dispatch payload
    if (body.executionId !== undefined) given.set(body.executionId, { runId: id, input: body.input });
  }
  const steps = Map.groupBy(
    await system.query<StepRow>("select run_id, type, input, output from engine.run_step where type in ('CODE', 'PIECE') order by seq"),
    (step) => step.run_id,
  );
  return new Map(
    rows.map((row) => {
      const engine = given.get(row.id);
      const calls = callsOf(steps.get(engine?.runId ?? '') ?? []);
      const run: Run = {
        id: row.id,
        status: row.status,
        errorCode: row.error_code,
        errorMessage: row.error_message,
        creditsCharged: row.credits_charged,
        output: row.payload.output ?? {},
        remarks: JSON.stringify([row.payload.remarks ?? [], row.payload.body_remarks ?? []]),
        came: row.payload.input,
        input: engine?.input ?? null,
        texts: calls.filter(isText).map(readText),
        mails: calls.filter(isMail).map(readMail),
      };
      return [row.id, run] as const;
    }),
  );
}

type Request = { url?: string; body?: { data?: unknown } }; // engine/steps/http.ts
type Reply = { status?: number; response?: { status: number } } | null;
type Written = { out?: { form?: unknown; mail?: unknown } } | null; // catalog/parts/answers.js

/** The texts and mails of a run as the engine keeps them: without the address of the connection, and a long body only where its step wrote it. */
function callsOf(steps: readonly StepRow[]): Call[] {
  const written = steps.filter(({ type }) => type === 'CODE').map(({ output }) => (JSON.parse(output ?? 'null') as Written)?.out ?? {});
  return steps
    .filter(({ type }) => type === 'PIECE')
    .flatMap(({ input, output }) => {
      const request = JSON.parse(input) as Request;
      const path = (request.url ?? '').replace(/^.*?(?=\/)/, '');
      const provider = path.endsWith('/Messages.json') ? 'twilio' : path === '/emails' ? 'resend' : null;
      if (provider === null) return [];
      const isCut = String(request.body ?? '').startsWith('(truncated');
      const own = written.flatMap(({ form, mail }) => (provider === 'twilio' ? form : mail) ?? [])[0];
      const data = isCut ? own : request.body?.data;
      const reply = JSON.parse(output ?? 'null') as Reply;
      const status = reply?.status ?? reply?.response?.status ?? 0;
      return [{ provider, path, body: typeof data === 'string' ? data : JSON.stringify(data), status }];
    });
}
