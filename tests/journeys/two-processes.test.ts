import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RouteName } from '@partner-portal/contract/index.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { addRival, type RouteResponse, callRoute, type RouteCall, type Callers, createCallers } from '../harness/callers.ts';
import { openStream } from '../harness/event-stream.ts';
import { until } from '../harness/system.ts';
import { type Shared, startTwoProcesses, type TwoProcesses } from '../harness/two-processes.ts';

// Two processes of the service on one database, asked at once, and two that work: what is limited is limited for both together, to the
// very number, and what may happen once happens once.

const OWNER = { email: 'owner@acme.example', password: 'eleven blue herons' };
/** Small, so that it is passed before any other limit is. */
const AGENCY_LIMIT = 120;

let system: Shared;
let two: TwoProcesses;
let callers: Callers;
let facts: Awaited<ReturnType<typeof addRival>>;

before(async () => {
  two = await startTwoProcesses({ TRUSTED_PROXIES: '127.0.0.1', PARTNER_REQUESTS_PER_MINUTE: String(AGENCY_LIMIT) });
  [system] = two.ways;
  facts = await addRival(system, await openAgency());
  callers = await createCallers(system, facts);
  // Resets the counters of the setup.
  await system.query('delete from rate_limit');
});
after(() => two?.stop());

async function openAgency() {
  const admin = system.client(await system.login(system.admin.email, system.admin.password));
  const plan = (await admin.listPlans()).find(({ name }) => name === 'Growth');
  const made = await admin.createPartner({
    body: { name: 'Acme Agency', slug: 'acme', planId: plan?.id ?? '', ownerEmail: OWNER.email, ownerName: 'Olive Owner' },
  });
  const token = made.invitation.acceptUrl.split('/').at(-1) ?? '';
  await system.client().acceptInvitation({ body: { token, password: OWNER.password, fullName: 'Olive Owner' } });
  const owner = system.client(await system.login(OWNER.email, OWNER.password));
  const [oak, lake] = [
    await owner.createClient({ body: { name: 'Oak Street' } }),
    await owner.createClient({ body: { name: 'Lakeview' } }),
  ];
  return { partnerId: made.partner.id, oakStreetId: oak.id, lakeviewId: lake.id };
}

/** Sends `count` calls in parallel, alternating between the two processes. */
const askBoth = (count: number, name: RouteName, call: (n: number) => RouteCall): Promise<RouteResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => callRoute(two.ways[n % 2 === 0 ? 0 : 1], name, call(n))));
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

/** Counts the responses by the code of their problem, or by status. */
function tally(answers: readonly RouteResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { problem, status } of answers) counts[problem?.code ?? status] = (counts[problem?.code ?? status] ?? 0) + 1;
  return counts;
}
const bodyOf = <T>(answer: RouteResponse): T => JSON.parse(answer.text) as T; // the contract's answer

describe('a limit shared by both processes', () => {
  it('is 100 requests a minute per user, from any address, and limits no other user', async () => {
    const authorization = `Bearer ${callers.staff.token()}`;
    const answers = await askBoth(150, 'getMe', () => ({ authorization }));
    assert.deepEqual(tally(answers), { 200: LIMITS.callerRequestsPerMinute, rate_limited: 50 });
    const other = await askBoth(2, 'getMe', () => ({ authorization: `Bearer ${callers.staff.token()}` }));
    assert.deepEqual(tally(other), { 200: 2 });
  });

  it('is 100 requests a minute of one address without a session', async () => {
    const answers = await askBoth(150, 'listPlans', () => ({ headers: from('192.0.2.1') }));
    assert.deepEqual(tally(answers), { 200: LIMITS.callerRequestsPerMinute, rate_limited: 50 });
    assert.deepEqual(tally(await askBoth(2, 'listPlans', () => ({ headers: from('192.0.2.2') }))), { 200: 2 });
  });

  it('is the throttle of an agency, all its people together, and another agency is not held up', async () => {
    const answers = await askBoth(AGENCY_LIMIT + 60, 'getMe', (n) => ({
      authorization: `Bearer ${(n % 3 === 0 ? callers.clientUser : callers.moderator).token()}`,
    }));
    assert.deepEqual(tally(answers), { 200: AGENCY_LIMIT, partner_throttled: 60 });
    assert.deepEqual(tally(await askBoth(2, 'getMe', () => ({ authorization: `Bearer ${callers.rivalOwner.token()}` }))), { 200: 2 });
  });

  it('is 20 codes a minute from one address', async () => {
    const answers = await askBoth(40, 'verifyMfa', () => ({ body: { tempToken: 'none', token: '123456' }, headers: from('192.0.2.3') }));
    assert.deepEqual(tally(answers), { unauthenticated: LIMITS.mfaVerifyRequestsPerMinute, rate_limited: 20 });
  });

  it('is 300 applications a minute from one address', async () => {
    const count = LIMITS.registerRequestsPerMinute + 20;
    const answers = await askBoth(count, 'register', () => ({ body: {}, headers: from('192.0.2.4') }));
    assert.deepEqual(tally(answers), { validation_failed: LIMITS.registerRequestsPerMinute, rate_limited: 20 });
  });

  it('is 60 events a minute of one agent', async () => {
    const { partnerId, clientId } = facts.rivalClientUser;
    const [agent] = await system.query<{ id: string }>(
      `insert into workflow (partner_id, client_id, template_name, name, provider_flow_id) values ($1, $2, 'lead-qualifier', 'Ada', 'flow-of-ada') returning id`,
      [partnerId, clientId],
    );
    const params = { id: agent?.id ?? '', workflowId: agent?.id ?? '' };
    const found = await callRoute(system, 'getIngestUrl', { params, authorization: `Bearer ${callers.rivalOwner.token()}` });
    const token = new URL(bodyOf<{ url: string }>(found).url).searchParams.get('token') ?? '';
    const answers = await askBoth(90, 'ingestEvent', () => ({ params, query: { token }, body: {} }));
    assert.equal(tally(answers)['rate_limited'], 90 - LIMITS.ingestRequestsPerMinute, JSON.stringify(tally(answers)));
  });

  it('is ten wrong passwords for one address from one network, and from elsewhere the right one still works', async () => {
    const body = { email: OWNER.email, password: 'not the password' };
    const answers = await askBoth(30, 'login', () => ({ body, headers: from('192.0.2.5') }));
    assert.deepEqual(tally(answers), { invalid_credentials: LIMITS.loginFailuresPerAddress, rate_limited: 20 });
    const shut = await askBoth(2, 'login', () => ({ body: OWNER, headers: from('192.0.2.5') }));
    assert.deepEqual(tally(shut), { rate_limited: 2 });
    assert.deepEqual(tally(await askBoth(2, 'login', () => ({ body: OWNER, headers: from('192.0.2.6') }))), { 200: 2 });
  });
});

describe('a one-time action, requested from both processes at once', () => {
  const owner = (): string => `Bearer ${callers.rivalOwner.token()}`;
  const invite = (n: number | string): RouteCall => ({ body: { kind: 'team', email: `race${n}@rival.example` }, authorization: owner() });
  const setSeats = (callers: number) =>
    system.query(`update subscription set overrides = jsonb_build_object('includedSeats', $2::int) where partner_id = $1`, [
      facts.rivalOwner.partnerId,
      callers,
    ]);

  it('gives the last caller to one', async () => {
    const [held] = await system.query<{ count: number }>(
      `select count(*)::int as count from app_user where partner_id = $1 and role = 'PARTNER'`,
      [facts.rivalOwner.partnerId],
    );
    await setSeats((held?.count ?? 0) + 1);
    assert.deepEqual(tally(await askBoth(12, 'createInvitation', invite)), { 201: 1, seat_limit_reached: 11 });
    await setSeats(1_000);
  });

  it('lets one in by an invitation', async () => {
    const invited = await callRoute(two.ways[0], 'createInvitation', invite('single'));
    const { acceptUrl } = bodyOf<{ acceptUrl: string }>(invited);
    const body = { token: acceptUrl.split('/').at(-1), password: OWNER.password, fullName: 'Some Body' };
    const { 201: done, invitation_used: used = 0, email_in_use: inUse = 0 } = tally(await askBoth(8, 'acceptInvitation', () => ({ body })));
    assert.deepEqual([done, used + inUse], [1, 7]);
    const users = await system.query('select from app_user where email = $1', ['racesingle@rival.example']);
    assert.equal(users.length, 1);
  });
});

describe('a job in the queue of two workers', () => {
  it('is done by one of them, once', async () => {
    const jobs = await addJobs(200);
    const done = await jobsAreDone(jobs);
    assert.deepEqual(done.toSorted(), jobs.toSorted());
    const alive = await system.query(`select from pg_stat_activity where application_name = 'portal worker'`);
    assert.equal(alive.length, 2);
  });
});

/** Queues `count` jobs that check the rival's alerts; returns the ids of the jobs. */
async function addJobs(count: number): Promise<string[]> {
  const rows = await system.query<{ id: string }>(
    `select (graphile_worker.add_job('alerts.look', json_build_object('partnerId', $1::text))).id::text as id from generate_series(1, $2::int)`,
    [facts.rivalOwner.partnerId, count],
  );
  return rows.map(({ id }) => id);
}

/** Waits until the queue has none of these jobs; returns each time that one of them was done. */
async function jobsAreDone(jobs: readonly string[]): Promise<string[]> {
  await until('the jobs are done', async () => {
    const left = await system.query('select from graphile_worker._private_jobs where id = any ($1::bigint[])', [jobs]);
    const logged = new Set(two.jobsDone().flat());
    return left.length === 0 && jobs.every((job) => logged.has(job));
  });
  return two
    .jobsDone()
    .flat()
    .filter((job) => jobs.includes(job));
}

describe('a report that no process could take', () => {
  it('is asked for as soon as a process serves again, not at the end of its minute', async () => {
    const { partnerId } = facts.rivalOwner;
    await system.query(
      `insert into under_way (execution_id, partner_id, workflow_id, ask_at) values (uuidv7(), $1, uuidv7(), now() + interval '1 hour')`,
      [partnerId],
    );
    const due = () => system.query(`select from under_way where partner_id = $1 and ask_at < now() + interval '30 minutes'`, [partnerId]);
    assert.equal((await due()).length, 0);
    await two.serveAgain();
    // Asked for without holding up the start. Nothing else brings the hour forward.
    await until('it is asked for', async () => (await due()).length === 1);
    await system.query('delete from under_way where partner_id = $1', [partnerId]);
  });
});

// Last in this file: the first processes are gone afterwards.
describe('a caller of one process', () => {
  it('sees on its stream what arrives there, and no difference when the other is killed', async () => {
    const { partnerId, clientId } = facts.rivalClientUser;
    const [agent] = await system.query<{ id: string }>(
      `insert into workflow (partner_id, client_id, template_name, name, provider_flow_id) values ($1, $2, 'missed-call-text-back', 'Bea', 'flow-of-bea') returning id`,
      [partnerId, clientId],
    );
    const params = { id: agent?.id ?? '', workflowId: agent?.id ?? '' };
    const authorization = (): string => `Bearer ${callers.rivalClientUser.token()}`;
    const [first, second] = two.ways;
    const token = ingestToken(system.settings()['AUTOMATION_CALLBACK_SECRET'] ?? '', params.workflowId);
    const body = { callerNumber: '+13125550148', businessNumber: '+13125550100' };
    const arrive = async (way: Shared): Promise<string> => {
      const answer = await callRoute(way, 'ingestEvent', { params, query: { token }, body });
      assert.equal(answer.status, 202, answer.text);
      return bodyOf<{ executionId: string }>(answer).executionId;
    };
    const stream = await openStream(`${second.baseUrl}/executions/stream`, { authorization: authorization() });
    const shows = (id: string) => stream.until((events) => events.some(({ data }) => JSON.stringify(data).includes(id)));
    await shows(await arrive(first));
    const under = Promise.all(Array.from({ length: 12 }, () => callRoute(second, 'getMe', { authorization: authorization() })));
    await two.killFirst();
    assert.deepEqual(tally(await under), { 200: 12 });
    await shows(await arrive(second));
    stream.close();
    const jobs = await addJobs(10);
    assert.equal(new Set(await jobsAreDone(jobs)).size, 10);
  });
});
