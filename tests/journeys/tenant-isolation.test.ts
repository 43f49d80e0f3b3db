import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { RouteShape } from '@house/contract/define-route.ts';
import { type RouteName, routes } from '@house/contract/index.ts';
import { DEMO, ingestUrl, postJson, type Workspace } from '@house/service/quick-start/seed-workspace.ts';
import { bodyOf, FREE_PARAMS, type Ids, idsOf, KINDS } from '../harness/route-cases.ts';
import {
  addRival,
  type Ask,
  ask,
  assertProblem,
  comparable,
  credentialOf,
  NOBODIES,
  refusalOf,
  type Seat,
  SEATS,
  type Seats,
  takeSeats,
} from '../harness/seats.ts';
import { seedDemo, startSystem, type System, until } from '../harness/system.ts';

// Generated from the route table: whoever adds a route gets its cases, or a failure that says what is missing.

let system: System;
let workspace: Workspace;
let seats: Seats;
let theirs: Ids;
let untouched: string;
const missing = Object.fromEntries(KINDS.map((kind) => [kind, randomUUID()])) as Ids; // one id per kind

const NAMES = Object.keys(routes) as RouteName[]; // the keys of the table itself
const routeOf = (name: RouteName): RouteShape => routes[name];
/** Each belongs to another agency than what is asked for, or to another client of the same one. */
const STRANGERS = ['rivalOwner', 'rivalClientUser', 'otherClientUser'] as const;

before(async () => {
  system = await startSystem({ env: { PARTNER_REQUESTS_PER_MINUTE: '1000000', TRUSTED_PROXIES: '127.0.0.1' } });
  workspace = await seedDemo(system);
  seats = await takeSeats(system, await addRival(system, workspace));
  theirs = await collectIds();
  untouched = await fingerprint();
});
after(() => system?.stop());

async function collectIds(): Promise<Ids> {
  const { owner, admin, partnerId, oakStreetId, workflowIds } = workspace;
  const workflow = workflowIds['missed-call-text-back'] ?? '';
  const posted = await postJson(await ingestUrl(owner, workflow), { callerNumber: '+13125550148', businessNumber: DEMO.businessNumber });
  const { executionId } = (await posted.json()) as { executionId: string }; // the contract's answer to an accepted event
  await until('the run has ended', async () => (await owner.getExecution({ params: { id: executionId } })).status !== 'RUNNING');
  const [user] = await owner.listClientUsers({ params: { id: oakStreetId } });
  const invitation = await owner.createInvitation({
    body: { kind: 'client_user', email: 'waiting@oakstreet.example', clientId: oakStreetId },
  });
  const [attempt] = await admin.listAttempts({ params: { id: partnerId } });
  const request = 'createAgentRequest' in routes ? await requestAgent(oakStreetId) : randomUUID();
  return {
    partner: partnerId,
    client: oakStreetId,
    user: user?.id ?? '',
    invitation: invitation.id,
    workflow,
    execution: executionId,
    attempt: attempt?.id ?? '',
    request,
    rollout: await addRollout(),
  };
}

/** One that is over: who it reached is nobody's but the staff's. */
async function addRollout(): Promise<string> {
  const text =
    "insert into rollout (template_name, target_version, batch_size, status, due_at) values ('missed-call-text-back', 2, 1, 'completed', null) returning id";
  const [row] = await system.query<{ id: string }>(text);
  return row?.id ?? '';
}

async function requestAgent(clientId: string): Promise<string> {
  const name = 'createAgentRequest' as RouteName; // in the table, as was just seen
  const made = await ask(system, name, { body: { ...bodyOf(name, routeOf(name)), clientId }, authorization: bearer('owner') });
  assert.equal(made.status, 201, made.text);
  return (JSON.parse(made.text) as { id: string }).id; // the contract's record
}

/** Everything the agency has, in one word: nobody's refused attempt may change it. */
async function fingerprint(): Promise<string> {
  const tables = [
    'partner',
    'client',
    'app_user',
    'invitation',
    'workflow',
    'credential',
    'execution',
    'automation_instance',
    'provisioning_attempt',
    'usage_entry',
    'opt_out',
  ];
  const parts = tables.map(
    (table) =>
      `select '${table}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${table} t where ${table === 'partner' ? 'id' : 'partner_id'} = $1`,
  );
  return JSON.stringify(await system.query(parts.join(' union all '), [workspace.partnerId]));
}

const bearer = (seat: Seat): string => `Bearer ${seats[seat].token()}`;

/** A call of the route with good values everywhere and these ids; members of the query only when asked for. */
function askFor(name: RouteName, ids: Ids, queryMember?: string): Ask {
  const found = idsOf(name, routeOf(name));
  const fill = (members: Record<string, keyof Ids>) =>
    Object.fromEntries(Object.entries(members).map(([member, kind]) => [member, ids[kind]]));
  const body = bodyOf(name, routeOf(name));
  const kind = queryMember === undefined ? undefined : found.query[queryMember];
  return {
    params: { ...FREE_PARAMS, ...fill(found.params) },
    query: kind === undefined || queryMember === undefined ? {} : { [queryMember]: ids[kind] },
    ...(body ? { body: { ...body, ...fill(found.body) } } : {}),
  };
}

describe('a route with a session', () => {
  for (const name of NAMES.filter((one) => routeOf(one).access.kind === 'session')) {
    const route = routeOf(name);
    it(`${name} is closed to whoever has no session, and to the roles it does not name`, async () => {
      for (const nobody of NOBODIES) {
        const answer = await ask(system, name, { ...askFor(name, theirs), authorization: credentialOf(system, nobody, seats) });
        assertProblem(answer, nobody === 'expiredToken' ? 'token_expired' : 'unauthenticated', `${name} as ${nobody}`);
      }
      for (const seat of SEATS) {
        const refusal = refusalOf(route, seats[seat].claims);
        if (refusal)
          assertProblem(await ask(system, name, { ...askFor(name, theirs), authorization: bearer(seat) }), refusal, `${name} as ${seat}`);
      }
    });
  }
});

describe('an id of one\u2019s own', () => {
  it('opens whatever it names: the refusals below are no broken routes', async () => {
    for (const name of NAMES.filter((one) => routeOf(one).method === 'GET' && routeOf(one).access.kind === 'session')) {
      const seat = (['owner', 'clientUser', 'staff'] as const).find((one) => refusalOf(routeOf(name), seats[one].claims) === undefined);
      assert.ok(seat);
      const answer = await ask(system, name, { ...askFor(name, theirs), authorization: bearer(seat) });
      assert.equal(answer.status, 200, `${name} as ${seat}: ${answer.text}`);
    }
  });
});

describe('an id of somebody else', () => {
  for (const name of NAMES.filter((one) => routeOf(one).access.kind === 'session')) {
    const route = routeOf(name);
    const { params, query, body } = idsOf(name, route);
    // Without an id there is nothing to compare; what such a route shows is looked at below.
    const members: (string | undefined)[] = [...(Object.keys({ ...params, ...body }).length > 0 ? [undefined] : []), ...Object.keys(query)];
    if (members.length === 0) continue;
    it(`${name} answers as if it did not exist (${members.map((member) => member ?? 'path or body').join(', ')})`, async () => {
      for (const seat of STRANGERS.filter((one) => refusalOf(route, seats[one].claims) === undefined)) {
        for (const member of members) {
          const [foreign, none] = await Promise.all(
            [theirs, missing].map((ids) => ask(system, name, { ...askFor(name, ids, member), authorization: bearer(seat) })),
          );
          assert.ok(foreign && none);
          const what = `${name} ${member ?? ''} as ${seat}: ${foreign.status} ${foreign.text.slice(0, 200)}`;
          assert.equal(comparable(foreign), comparable(none), what);
          if (member === 'partnerId' || 'partnerId' in body) assertProblem(foreign, 'scope_forbidden', what);
          else if (member === undefined) assertProblem(foreign, 'not_found', what);
          else assert.ok(foreign.status === 404 || /^\[\]$|"data":\[\]|^[\w,]*\r?\n?$/.test(foreign.text), what);
        }
      }
    });
  }

  it('is not found among what a stranger may list, and nothing of it was changed by all these attempts', async () => {
    const own = Object.entries(theirs)
      .filter(([kind]) => kind !== 'partner')
      .map(([, id]) => id);
    for (const name of NAMES) {
      const route = routeOf(name);
      if (route.access.kind !== 'session' || route.method !== 'GET' || Object.keys(idsOf(name, route).params).length > 0) continue;
      for (const seat of STRANGERS.filter((one) => refusalOf(route, seats[one].claims) === undefined)) {
        const answer = await ask(system, name, { params: FREE_PARAMS, authorization: bearer(seat) });
        assert.ok(answer.status < 300, `${name} as ${seat}: ${answer.status} ${answer.text}`);
        const secret = [
          ...own,
          '@oakstreet.example"',
          'Elena Ruiz',
          ...(seat === 'otherClientUser' ? [] : [theirs.partner, DEMO.partner.name]),
        ];
        for (const word of secret) assert.ok(!answer.text.includes(word), `${name} tells ${seat} of ${word}`);
      }
    }
    assert.equal(await fingerprint(), untouched);
  });
});

describe('a route without a session', () => {
  it('is one of those that are meant to be open, and its proof is a secret of its own', async () => {
    const open = NAMES.filter((one) => routeOf(one).access.kind !== 'session');
    assert.deepEqual(open, [
      'login',
      'listPlans',
      'getInvitationByToken',
      'acceptInvitation',
      'ingestEvent',
      'queryForExecution',
      'reportExecution',
      'getHealth',
      'getReadiness',
    ]);
    const refusals = {
      ingestEvent: 'invalid_ingest_token',
      queryForExecution: 'invalid_callback_token',
      reportExecution: 'invalid_callback_token',
    } as const;
    for (const [name, code] of Object.entries(refusals) as [keyof typeof refusals, string][]) {
      for (const proof of [undefined, 'x'.repeat(43)]) {
        const sent =
          proof === undefined ? {} : name === 'ingestEvent' ? { query: { token: proof } } : { headers: { 'x-callback-token': proof } };
        const [foreign, none] = await Promise.all([theirs, missing].map((ids) => ask(system, name, { ...askFor(name, ids), ...sent })));
        assert.ok(foreign && none);
        assertProblem(foreign, code, name);
        assert.equal(comparable(foreign), comparable(none));
      }
    }
    assertProblem(await ask(system, 'login', askFor('login', theirs)), 'invalid_credentials', 'login');
    for (const name of ['getInvitationByToken', 'acceptInvitation'] as const)
      assertProblem(await ask(system, name, askFor(name, theirs)), 'not_found', name);
  });
});
