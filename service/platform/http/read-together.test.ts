import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { defineRoute } from '@partner-portal/contract/define-route.ts';
import { togetherRoutes } from '@partner-portal/contract/routes/together.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { newPerson, type SmallApi, type SmallCall, type SmallResponse, startSmallApi } from '@partner-portal/tests/harness/small-api.ts';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { AppError } from '../refuse.ts';
import type { OwnHost } from './own-host.ts';
import { createFairTurns } from '../fair-turns.ts';
import { heldNow } from '../held.ts';
import type { RequestContext } from './context.ts';
import { createInnerRoutes } from './inner-routes.ts';
import { READ_TURNS, readTogether } from './read-together.ts';
import type { SessionClaims } from './session.ts';

const base = { tag: 'health', summary: 'test', limit: 'caller', errors: [], method: 'GET' } as const;
const session = (more: object = {}, roles: readonly ('ADMIN' | 'PARTNER' | 'CLIENT')[] = ['ADMIN', 'PARTNER', 'CLIENT']) =>
  ({ kind: 'session', roles, write: false, ...more }) as const;
const named = { params: z.object({ name: z.string() }), reply: { 200: z.object({ name: z.string() }) } };
const ok = { 200: z.object({ ok: z.literal(true) }) };
const give = () => ({ ok: true, secret: 'must not leave' });
const own: OwnHost = {
  host: 'own.test',
  baseUrl: 'https://own.test',
  partnerId: uuidv7(),
  name: 'Own',
  logoUrl: null,
  logoAlt: null,
  brandColor: null,
  manifestUrl: '/manifest',
  touchIconUrl: '/icon',
};

/** Reads that are held until they are released, by name. */
const held = new Map<string, PromiseWithResolvers<void>>();
const begun: string[] = [];
let hasAborted: boolean[] = [];
let oneBegan = Promise.withResolvers<void>();
let api: SmallApi;

before(async () => {
  api = await startSmallApi(
    {
      readTogether: togetherRoutes.readTogether,
      followTogether: togetherRoutes.followTogether,
      thing: {
        route: defineRoute({
          ...base,
          path: '/things/:id',
          access: session(),
          params: z.object({ id: z.uuid() }),
          query: z.object({ limit: z.coerce.number().max(100).optional() }),
          reply: { 200: z.object({ id: z.string(), limit: z.number().optional() }) },
        }),
        handler: ({ params, query }) => {
          if (query['limit'] === 7) throw new AppError('not_found', { detail: 'No such thing.' });
          if (query['limit'] === 8) throw new AppError('service_unavailable', { detail: 'Later.', retryAfterSeconds: 2 });
          return { ...params, ...query, secret: 'must not leave' };
        },
      },
      held: {
        route: defineRoute({ ...base, ...named, path: '/held/:name', access: session() }),
        async handler({ params: { name = '' } }, { signal }) {
          begun.push(name);
          oneBegan.resolve();
          await held.get(name)?.promise;
          hasAborted.push(signal.aborted);
          return { name };
        },
      },
      who: {
        route: defineRoute({
          ...base,
          path: '/who',
          access: session({ whileSuspended: true }),
          reply: { 200: z.object({ userId: z.string(), isWhileSuspended: z.boolean(), statementTimeoutMs: z.number() }) },
        }),
        handler: (_input, { actor: { userId, whileSuspended: isWhileSuspended, statementTimeoutMs } }) => ({
          userId,
          isWhileSuspended,
          statementTimeoutMs,
        }),
      },
      staff: { route: defineRoute({ ...base, path: '/staff', access: session({}, ['ADMIN']), reply: ok }), handler: give },
      admins: {
        route: defineRoute({ ...base, path: '/admins', access: session({ write: true }), changesNothing: 'A test.', reply: ok }),
        handler: give,
      },
      secret: { route: defineRoute({ ...base, path: '/secret', access: session({ inViewAs: false }), reply: ok }), handler: give },
      mainHost: { route: defineRoute({ ...base, path: '/main-host', access: session(), mainHostOnly: true, reply: ok }), handler: give },
      broken: {
        route: defineRoute({ ...base, path: '/broken', access: session(), reply: ok }),
        handler: () => {
          throw new Error('password=hunter2 at 10.0.0.1');
        },
      },
      lying: { route: defineRoute({ ...base, path: '/lying', access: session(), reply: ok }), handler: () => ({ ok: 'no' }) },
      name: { route: defineRoute({ ...base, ...named, path: '/names/:name', access: session() }), handler: ({ params }) => params },
      csv: {
        route: defineRoute({ ...base, path: '/names/export.csv', access: session(), format: 'csv', reply: { 200: z.string() } }),
        handler: () => ({ kind: 'csv', filename: 'names.csv', columns: [], pages: (async function* () {})() }),
      },
      public: { route: defineRoute({ ...base, path: '/public', access: { kind: 'public' }, reply: ok }), handler: give },
      audited: { route: defineRoute({ ...base, path: '/audited', access: session(), audit: 'agent.changed', reply: ok }), handler: give },
      limited: { route: defineRoute({ ...base, path: '/limited', access: session(), limit: 'mfaVerify', reply: ok }), handler: give },
      save: {
        route: defineRoute({ ...base, method: 'POST', path: '/save', access: session(), changesNothing: 'A test.', reply: ok }),
        handler: give,
      },
    },
    { findOwnHost: (host) => (host === own.host ? own : null) },
  );
});

after(() => api.close());

afterEach(() => {
  for (const { resolve } of held.values()) resolve();
  held.clear();
  begun.length = 0;
  hasAborted = [];
  Object.assign(api.sessions, { areRevoked: false, areSuspended: false });
});

const hold = (...names: string[]): void => names.forEach((name) => held.set(name, Promise.withResolvers()));
const read = (reads: readonly string[], options: SmallCall = {}): Promise<SmallResponse> =>
  api.call('/reads', { ...options, method: 'POST', body: { reads } });

type Line = { read: number; status: number; body: Record<string, unknown> };
const parse = (line: string | undefined): Line => JSON.parse(line ?? '{}') as Line; // by the contract

/** The replies by the index of their path. */
async function readAll(reads: readonly string[], options?: SmallCall): Promise<Line[]> {
  const response = await read(reads, options);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const lines = text.trimEnd().split('\n').map(parse);
  return lines.toSorted((a, b) => a.read - b.read);
}

/** Waits until this many reads have begun, and then gives others the chance to. */
async function whenBegun(count: number): Promise<void> {
  while (begun.length < count) {
    oneBegan = Promise.withResolvers();
    await oneBegan.promise;
  }
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const view = { authMethod: 'view_as', actingUserId: uuidv7() } as const;
const client = { role: 'CLIENT', partnerRole: null, partnerId: own.partnerId, clientId: uuidv7() } as const;

describe('reads of one request', () => {
  for (const encoding of ['identity', 'br', 'gzip']) {
    it(`are sent as each is known, with ${encoding}: a slow one holds back no other`, async () => {
      hold('slow');
      const response = await read(['/held/slow', '/who', '/staff'], { headers: { 'accept-encoding': encoding } });
      assert.equal(response.headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
      const lines = response.lines();
      const first = [parse((await lines.next()).value), parse((await lines.next()).value)];
      assert.deepEqual(new Set(first.map(({ read: at }) => at)), new Set([1, 2]));
      held.get('slow')?.resolve();
      assert.deepEqual(parse((await lines.next()).value), { read: 0, status: 200, body: { name: 'slow' } });
      assert.equal((await lines.next()).done, true);
    });
  }

  it('are lines that neither a cache keeps nor a proxy collects', async () => {
    const { headers } = await read(['/who']);
    assert.equal(headers['content-type'], 'application/x-ndjson; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-accel-buffering'], 'no');
  });

  const id = uuidv7();
  const CASES: { what: string; paths: string[]; statuses: number[]; claims?: Partial<SessionClaims>; headers?: Record<string, string> }[] =
    [
      {
        what: 'a reply',
        paths: [
          '/who',
          `/things/${id}?limit=5`,
          '/names/a%20b',
          '/admins',
          '/secret',
          '/main-host',
          '/names/%25',
          `/names/${'x'.repeat(200)}`,
        ],
        statuses: [200, 200, 200, 200, 200, 200, 200, 200],
      },
      {
        what: 'an unknown or malformed id',
        paths: [`/things/${id}?limit=7`, '/things/42', `/names/${'x'.repeat(300)}`],
        statuses: [404, 404, 404],
      },
      { what: 'an invalid query', paths: [`/things/${id}?limit=1000`, '/who?q=a%00b', '/who?a=1&a=%00'], statuses: [400, 400, 400] },
      { what: 'a scope of others', paths: [`/who?partnerId=${id}`], statuses: [403] },
      { what: 'a wait', paths: [`/things/${id}?limit=8`], statuses: [503] },
      { what: 'another role', paths: ['/staff'], statuses: [403] },
      {
        what: 'the role itself',
        paths: ['/staff', `/who?partnerId=${id}`],
        statuses: [200, 200],
        claims: { role: 'ADMIN', partnerRole: null },
      },
      { what: 'a moderator', paths: ['/admins', '/who'], statuses: [403, 200], claims: { partnerRole: 'moderator' } },
      { what: 'a view-as session', paths: ['/secret', '/who', '/admins'], statuses: [403, 200, 200], claims: view },
      { what: 'the host of a tenant', paths: ['/main-host', '/who'], statuses: [404, 200], claims: client, headers: { host: own.host } },
      { what: 'a fault', paths: ['/broken', '/lying'], statuses: [500, 500] },
    ];
  for (const { what, paths, statuses, claims, headers } of CASES) {
    it(`have the status and the body of their routes: ${what}`, async () => {
      const person = { claims: { ...newPerson(), ...claims }, ...(headers ? { headers } : {}) };
      const alone = await Promise.all(
        paths.map(async (path) => {
          const response = await api.call(path, person);
          return { status: response.status, body: await response.json() };
        }),
      );
      const withoutId = ({ status, body: { requestId: _id, ...body } }: Omit<Line, 'read'>) => ({ status, body });
      const together = await readAll(paths, person);
      assert.deepEqual(together.map(withoutId), alone.map(withoutId));
      assert.deepEqual(alone.map(({ status }) => status), statuses); // prettier-ignore
    });
  }

  it('that fail are logged with the id of the request, and show nothing of the cause', async () => {
    const response = await read(['/broken', '/who']);
    const text = await response.text();
    assert.doesNotMatch(text, /hunter2|10\.0\.0\.1|stack/);
    const requestId = String(response.headers['x-request-id']);
    assert.ok(text.includes(requestId));
    const [line, ...more] = api.log.filter((one) => one['requestId'] === requestId && one['msg'] === 'request failed');
    assert.equal(more.length, 0);
    assert.equal(line?.['path'], '/broken');
    assert.match(JSON.stringify(line?.['err']), /hunter2/);
  });

  it('are those of routes that answer a session with JSON, have no limit of their own and are not recorded', async () => {
    const paths = ['/nowhere', '/save', '/names/export.csv', '/public', '/audited', '/limited', '/reads', '/streams', '/things/%zz'];
    const [twin, ...refused] = await readAll(['/names/export', ...paths]);
    assert.deepEqual(refused.map(({ status, body }) => [status, body['code']]), paths.map(() => [404, 'not_found'])); // prettier-ignore
    assert.equal(twin?.status, 200);
  });

  it('are paths, and at most as many as the contract says', async () => {
    const most = Array.from({ length: LIMITS.readsTogetherMax }, () => '/who');
    for (const reads of [[], [...most, '/who'], ['who'], ['http://portal.test/who'], [`/names/${'x'.repeat(LIMITS.innerPathMax)}`]])
      assert.equal((await read(reads)).status, 422);
    assert.equal((await readAll(most)).length, LIMITS.readsTogetherMax);
  });

  it('are refused together once the session has ended', async () => {
    api.sessions.areRevoked = true;
    const refused = await read(['/who', '/staff']);
    assert.deepEqual([refused.status, (await refused.json())['code']], [401, 'unauthenticated']);
    api.sessions.areRevoked = false;
    assert.equal((await read(['/who', '/staff'])).status, 200);
  });

  it('are each validated against the session: one that ends meanwhile is refused to the reads that follow', async () => {
    hold('late');
    const lines = (await read(['/held/late', '/who'])).lines();
    assert.deepEqual(parse((await lines.next()).value).status, 200);
    api.sessions.areRevoked = true;
    held.get('late')?.resolve();
    const last = parse((await lines.next()).value);
    api.sessions.areRevoked = false;
    assert.deepEqual([last.read, last.status, last.body['code']], [0, 401, 'unauthenticated']);
  });

  it('of a suspended account are refused one by one, but for those that answer it', async () => {
    const reads = ['/who', '/names/x'];
    api.sessions.areSuspended = true;
    const refused = await readAll(reads);
    api.sessions.areSuspended = false;
    assert.deepEqual(refused.map(({ status, body }) => body['code'] ?? status), [200, 'account_suspended']); // prettier-ignore
    assert.deepEqual((await readAll(reads)).map(({ status }) => status), [200, 200]); // prettier-ignore
  });

  it('count once for the caller and once for the tenant, however many they are', async () => {
    const claims = newPerson();
    const most = Array.from({ length: LIMITS.readsTogetherMax }, () => '/who');
    const remaining: unknown[] = [];
    for (const reads of [most, ['/who']]) remaining.push((await read(reads, { claims })).headers['ratelimit-remaining']);
    assert.deepEqual(remaining, [String(LIMITS.callerRequestsPerMinute - 1), String(LIMITS.callerRequestsPerMinute - 2)]);
    const tenant = await api.limits.peek('tenant', claims.partnerId);
    assert.equal(tenant.limit - tenant.remaining, 2);
  });

  it('of a user run two at a time, also those of several requests', async () => {
    const claims = newPerson();
    const names = ['a', 'b', 'c', 'd'];
    hold(...names, 'tab');
    const asked = read(names.map((name) => `/held/${name}`), { claims }); // prettier-ignore
    await whenBegun(2);
    const other = read(['/held/tab'], { claims });
    while (heldNow('turns_waiting') === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(begun, ['a', 'b']);
    held.get('b')?.resolve();
    const lines = (await asked).lines();
    assert.equal(parse((await lines.next()).value).read, 1);
    await whenBegun(3);
    assert.deepEqual(begun, ['a', 'b', 'tab'], 'what waited longest is next');
    for (const name of [...names, 'tab']) held.get(name)?.resolve();
    const rest = new Set<number>();
    for (let line = await lines.next(); !line.done; line = await lines.next()) rest.add(parse(line.value).read);
    assert.deepEqual(rest, new Set([0, 2, 3]));
    assert.equal(parse((await (await other).lines().next()).value).status, 200);
  });

  it('take turns between agencies: however many an agency has waiting, one of another begins at once, and then in turn', async () => {
    const partnerId = uuidv7();
    const users = Array.from({ length: 5 }, (_, at) => ({ ...newPerson(), partnerId, name: `a${at}` }));
    const all = users.flatMap(({ name }) => [1, 2, 3].map((n) => `${name}-${n}`));
    hold(...all, 'b-1', 'b-2', 'b-3');
    const asked = users.map(({ name, ...claims }) => read([1, 2, 3].map((n) => `/held/${name}-${n}`), { claims })); // prettier-ignore
    await whenBegun(READ_TURNS.slots / 2);
    assert.equal(begun.length, READ_TURNS.slots / 2, 'an agency alone has half');
    const claims = newPerson();
    const other = read(['/held/b-1', '/held/b-2', '/held/b-3'], { claims });
    await whenBegun(READ_TURNS.slots / 2 + 2);
    assert.deepEqual(begun.slice(READ_TURNS.slots / 2), ['b-1', 'b-2']);
    held.get('b-1')?.resolve();
    const lines = (await other).lines();
    assert.equal(parse((await lines.next()).value).read, 0);
    await whenBegun(READ_TURNS.slots / 2 + 3);
    assert.deepEqual(begun.slice(READ_TURNS.slots / 2), ['b-1', 'b-2', 'b-3'], 'none of those that waited before');
    for (const { resolve } of held.values()) resolve();
    for (const response of asked) assert.equal((await (await response).text()).trimEnd().split('\n').length, 3);
  });

  it('are refused one by one when too many wait, and a path that is none takes no turn', async () => {
    const route = defineRoute({ ...base, path: '/one', access: session(), reply: ok });
    const inner = createInnerRoutes();
    const end = Promise.withResolvers<object>();
    inner.add({ route, run: () => end.promise });
    const turns = createFairTurns({ slots: 2, waitingMax: 2, waitMs: 3_600_000 });
    const handler = readTogether('https://portal.test', inner, turns);
    const context = { actor: newPerson(), signal: new AbortController().signal, ownHost: null, requestId: 'r1', log: { error: () => 0 } };
    const ask = async (...reads: string[]): Promise<Line[]> => {
      const { lines } = await handler({ params: {}, query: {}, body: { reads } }, context as unknown as RequestContext); // all that is read of it
      const parsed: Line[] = [];
      for await (const line of lines) parsed.push(parse(line));
      return parsed.toSorted((a, b) => a.read - b.read);
    };
    const first = ask('/one');
    const second = ask('/one');
    const [refused, unknown] = await ask('/one', '/none');
    assert.deepEqual([refused?.status, refused?.body['code'], unknown?.status], [503, 'service_unavailable', 404]);
    end.resolve({ ok: true });
    for (const [line] of [await first, await second]) assert.equal(line?.status, 200);
  });

  for (const encoding of ['identity', 'br']) {
    it(`of a reader that leaves begin no more, with ${encoding}`, async () => {
      const names = ['a', 'b', 'c', 'd'];
      hold(...names);
      const response = await read(['/who', ...names.map((name) => `/held/${name}`)], { headers: { 'accept-encoding': encoding } });
      await response.lines().next();
      await whenBegun(2);
      await response.leave();
      for (const name of names) held.get(name)?.resolve();
      while (hasAborted.length < 2) await new Promise((resolve) => setImmediate(resolve));
      await whenBegun(2);
      assert.deepEqual(begun, ['a', 'b']);
      assert.deepEqual(new Set(hasAborted), new Set([true]));
    });
  }
});
