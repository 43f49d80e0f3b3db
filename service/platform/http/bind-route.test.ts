import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { defineRoute, type RouteShape } from '@partner-portal/contract/define-route.ts';
import { createBareServer } from '@partner-portal/tests/harness/bare-server.ts';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { createLog } from '../log.ts';
import { AppError } from '../refuse.ts';
import { answer } from './answer.ts';
import { bindRoute, type BindDeps } from './bind-route.ts';
import { createRateLimits } from './rate-limit.ts';
import { rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import type { RefusedCall } from './refused-call.ts';
import { requireDeclared } from './require-declared.ts';
import type { SessionClaims, Sessions } from './session.ts';
import type { ServerEvent } from './sse.ts';

const base = { tag: 'health', summary: 'test', limit: 'none', errors: [] } as const;
const session = (roles: readonly ('ADMIN' | 'PARTNER' | 'CLIENT')[], write = false) => ({ kind: 'session', roles, write }) as const;
const anyone = session(['ADMIN', 'PARTNER', 'CLIENT']);
const ok = { 200: z.object({ ok: z.literal(true) }) };
const lines: string[] = [];
const refused: RefusedCall[] = [];
const noted: string[] = [];
let isLogDown = false;
let isRevoked = false;
const log = createLog('info', { write: (line: string) => void lines.push(line) });

let app: FastifyInstance;
let sessions: Sessions;
let now = new Date('2026-03-01T10:00:00Z');
const closing = new AbortController();
let pushEvent: (event: ServerEvent) => void = () => undefined;
let seenLastId: string | null = null;
let streamOpened = Promise.withResolvers<void>();

const person: SessionClaims = {
  userId: uuidv7(),
  email: 'ann@acme.test',
  role: 'PARTNER',
  partnerId: uuidv7(),
  partnerRole: 'admin',
  authMethod: 'password',
};
const bearer = (claims: Partial<SessionClaims> = {}, life?: number): { authorization: string } => ({
  authorization: `Bearer ${sessions.issue({ ...person, ...claims }, life).accessToken}`,
});
const code = (response: { json(): unknown }): unknown => (response.json() as { code: unknown }).code; // problem bodies

before(async () => {
  const bare = await createBareServer({
    log,
    corsOrigins: ['https://good.test'],
    portalDir: '/nonexistent',
    clock: { now: () => now },
  });
  ({ app } = bare);
  ({ sessions } = bare.deps);
  const onRefused = async (call: RefusedCall): Promise<void> => {
    refused.push(call);
    if (isLogDown) throw new Error('the log is down');
  };
  const assertSession = async (): Promise<void> => {
    if (isRevoked) throw new AppError('unauthenticated');
  };
  const deps: BindDeps = {
    ...bare.deps,
    assertSession,
    closing: closing.signal,
    onRefused,
    noteUse: async (actor) => void noted.push(actor.jti),
    callbackProof: (subject) => subject === 'mine',
  };
  const bind = (name: string, route: Parameters<typeof bindRoute>[3], handler: Parameters<typeof bindRoute>[4]) =>
    bindRoute(app, deps, name, route, handler);
  bind('open', defineRoute({ ...base, method: 'GET', path: '/open', access: { kind: 'public' }, reply: ok }), () => ({
    ok: true,
    secret: 'must not leave',
  }));
  bind(
    'who',
    defineRoute({
      ...base,
      method: 'GET',
      path: '/who',
      access: anyone,
      reply: { 200: z.object({ userId: z.string(), at: z.iso.datetime() }) },
    }),
    (_input, { actor, now: at }) => ({ userId: actor.userId, at }),
  );
  bind(
    'save',
    defineRoute({
      ...base,
      method: 'POST',
      path: '/things/:id',
      access: session(['PARTNER'], true),
      audit: 'agent.changed',
      params: z.object({ id: z.uuid() }),
      query: z.object({ limit: z.coerce.number().max(100).optional() }),
      body: z.object({ name: z.string().trim().min(1).max(5), tags: z.array(z.string()).optional() }),
      reply: { 201: z.object({ name: z.string() }) },
    }),
    ({ body }) => {
      const { name } = body as { name: string }; // parsed by the route above
      if (name === 'gone') throw new AppError('not_found');
      if (name === 'full') throw new AppError('quota_exceeded');
      if (name === 'weak') throw new AppError('weak_password');
      if (name === 'wrong') throw new AppError('validation_failed');
      return answer(201, body);
    },
  );
  bind(
    'optional',
    defineRoute({
      ...base,
      method: 'POST',
      path: '/optional',
      access: { kind: 'public' },
      changesNothing: 'Nobody has anything to lose here.',
      body: z.object({ a: z.string() }).optional(),
      reply: ok,
    }),
    () => ({ ok: true }),
  );
  bind(
    'free',
    defineRoute({
      ...base,
      method: 'POST',
      path: '/free/:id',
      access: { kind: 'callback', subject: 'id', subjectIn: 'path' },
      params: z.object({ id: z.string() }),
      body: z.object({ free: z.json() }),
      reply: ok,
    }),
    () => ({ ok: true }),
  );
  bind('limited', defineRoute({ ...base, method: 'GET', path: '/limited', access: anyone, limit: 'mfaVerify', reply: ok }), () => ({
    ok: true,
  }));
  const unlimited = { tag: 'health', summary: 'test', errors: [], method: 'GET', path: '/unlimited', reply: ok } as const;
  bind('unlimited', defineRoute({ ...unlimited, access: anyone }), () => ({ ok: true }));
  bind('broken', defineRoute({ ...base, method: 'GET', path: '/broken', access: { kind: 'public' }, reply: ok }), () => {
    throw new Error('password=hunter2 at 10.0.0.1');
  });
  bind('lying', defineRoute({ ...base, method: 'GET', path: '/lying', access: { kind: 'public' }, reply: ok }), () => ({ ok: 'no' }));
  bind('refusing', defineRoute({ ...base, method: 'GET', path: '/refusing', access: { kind: 'public' }, reply: ok }), () => {
    throw new AppError('quota_exceeded', { detail: 'Spent.', limit: 100, used: 100, cause: new Error('inner') });
  });
  bind(
    'raw',
    defineRoute({
      ...base,
      method: 'POST',
      path: '/raw',
      access: { kind: 'ingest' },
      limit: 'ingest',
      query: z.object({ token: z.string().optional() }),
      body: z.record(z.string(), z.json()),
      formToo: true,
      reply: { 202: z.object({ kind: z.string(), keys: z.array(z.string()) }) },
    }),
    async ({ query }, context) => {
      if (!('token' in query) || query.token !== 'right') throw new AppError('invalid_ingest_token');
      const { kind, value } = await context.rawBody.read();
      return { kind, keys: Object.keys(value) };
    },
  );
  bind(
    'csv',
    defineRoute({ ...base, method: 'GET', path: '/list.csv', access: { kind: 'public' }, format: 'csv', reply: { 200: z.string() } }),
    () => ({
      kind: 'csv',
      filename: 'list of "things".csv',
      columns: ['name', 'at'],
      pages: (async function* () {
        yield [['=1+1', new Date('2026-01-02T03:04:05Z')]];
        yield [['say "hi", all', null]];
      })(),
    }),
  );
  bind(
    'events',
    defineRoute({ ...base, method: 'GET', path: '/events', access: anyone, format: 'events', reply: { 200: z.string() } }),
    () => ({
      kind: 'events',
      source: {
        open(send: (event: ServerEvent) => void, lastEventId: string | null) {
          seenLastId = lastEventId;
          pushEvent = send;
          streamOpened.resolve();
          return () => undefined;
        },
      },
    }),
  );
  await app.ready();
});

after(async () => {
  closing.abort();
  await app.close();
});

describe('a reply', () => {
  it('holds only what the contract names', async () => {
    const response = await app.inject('/open');
    assert.equal(response.statusCode, 200);
    assert.deepEqual(response.json(), { ok: true });
  });

  it('carries its request id, security headers and JSON type', async () => {
    const { headers } = await app.inject('/open');
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
    assert.match(String(headers['content-security-policy']), /default-src 'self'/);
    assert.match(String(headers['content-type']), /^application\/json/);
  });

  it('is kept by no cache, a refusal neither', async () => {
    assert.equal((await app.inject({ url: '/who', headers: bearer() })).headers['cache-control'], 'no-store');
    assert.equal((await app.inject('/who')).headers['cache-control'], 'no-store');
  });

  it('turns dates into ISO texts with milliseconds', async () => {
    const response = await app.inject({ url: '/who', headers: bearer() });
    assert.deepEqual(response.json(), { userId: person.userId, at: '2026-03-01T10:00:00.000Z' });
  });

  it('that breaks its own schema is a fault of ours and shows nothing', async () => {
    const response = await app.inject('/lying');
    assert.equal(response.statusCode, 500);
    assert.equal(code(response), 'internal_error');
    assert.doesNotMatch(response.body, /schema|zod|\bexpected\b/i);
  });
});

describe('what a rule refuses on an audited route', () => {
  const path = `/things/${uuidv7()}`;
  const save = (name: string, headers = bearer()) => app.inject({ method: 'POST', url: path, headers, payload: { name } });

  it('is told with who, what, from where and why, before it is answered', async () => {
    for (const [sent, headers, expected] of [
      ['gone', bearer(), 'not_found'],
      ['full', bearer(), 'quota_exceeded'],
      ['weak', bearer(), 'weak_password'],
      ['fine', bearer({ partnerRole: 'moderator' }), 'partner_role_forbidden'],
      ['fine', bearer({ role: 'ADMIN', partnerRole: null }), 'role_forbidden'],
      ['fine', bearer({ authMethod: 'view_as', actingUserId: uuidv7() }), 'view_as_read_only'],
    ] as const) {
      refused.length = 0;
      const response = await save(sent, headers);
      assert.equal(code(response), expected);
      const [call, ...more] = refused;
      assert.deepEqual([call?.code, call?.action, call?.path, more.length], [expected, 'agent.changed', '/things/:id', 0]);
      assert.equal(call?.actor.userId, person.userId);
      assert.equal(`/things/${call?.params['id']}`, path);
      assert.equal(call?.requestId, response.headers['x-request-id']);
      assert.equal(call?.address, '127.0.0.1');
    }
  });

  it('is not what was merely wrong, unknown, done, or refused on a route without an action', async () => {
    refused.length = 0;
    assert.equal(code(await save('too long a name')), 'validation_failed');
    assert.equal(code(await save('wrong')), 'validation_failed');
    assert.equal(code(await save('fine', { authorization: 'Bearer nonsense' })), 'unauthenticated');
    assert.equal(code(await app.inject('/refusing')), 'quota_exceeded');
    assert.equal((await save('fine')).statusCode, 201);
    assert.deepEqual(refused, []);
  });

  it('is told to a session that stands only: one that was ended hears of that and of nothing else', async () => {
    refused.length = 0;
    isRevoked = true;
    for (const claims of [
      { partnerRole: 'moderator' },
      { role: 'ADMIN', partnerRole: null },
      { authMethod: 'view_as', actingUserId: uuidv7() },
    ] as const)
      assert.equal(code(await save('fine', bearer(claims))), 'unauthenticated', JSON.stringify(claims));
    const foreign = await app.inject({ method: 'POST', url: `${path}?partnerId=1`, headers: bearer(), payload: { name: 'fine' } });
    assert.equal(code(foreign), 'unauthenticated');
    isRevoked = false;
    assert.deepEqual(refused, []);
  });

  it('gets the same response when it cannot be recorded, which is logged', async () => {
    isLogDown = true;
    const response = await save('gone');
    isLogDown = false;
    assert.equal(code(response), 'not_found');
    assert.ok(lines.some((line) => line.includes('refused call not recorded') && line.includes(String(response.headers['x-request-id']))));
  });
});

describe('a route that is no GET', () => {
  const deps = (): BindDeps => ({
    sessions,
    limits: createRateLimits(rateLimitWindows()),
    clock: { now: () => now },
    closing: closing.signal,
    onRefused: async () => undefined,
  });
  const route = { ...base, method: 'POST', path: '/half', reply: ok } as const;

  it('does not boot without an audit action, whoever may call it', () => {
    for (const access of [anyone, session(['ADMIN'], true), { kind: 'public' }] as const)
      assert.throws(() => bindRoute(app, deps(), 'half', defineRoute({ ...route, access }), () => ({ ok: true })), /audit/);
  });
});

describe('a route that declares no limit', () => {
  const declared = { tag: 'health', summary: 'test', errors: [], method: 'GET', path: '/half', reply: ok } as const;

  it('neither compiles nor boots without a session', () => {
    // @ts-expect-error: it has no limit
    const open: RouteShape = { ...declared, access: { kind: 'public' } };
    // @ts-expect-error: it has no limit
    const ingest: RouteShape = { ...declared, access: { kind: 'ingest' } };
    // @ts-expect-error: it has no limit
    const callback: RouteShape = { ...declared, access: { kind: 'callback', subject: 'id', subjectIn: 'path' } };
    for (const route of [open, ingest, callback]) assert.throws(() => requireDeclared('half', route), /does not declare: limit\./);
    for (const route of [open, ingest, callback]) requireDeclared('whole', { ...route, limit: 'caller' });
  });

  it('has that of the caller with one', async () => {
    const caller = bearer({ userId: uuidv7() });
    const { statusCode, headers } = await app.inject({ url: '/unlimited', headers: caller });
    assert.deepEqual([statusCode, headers['ratelimit-limit'], headers['ratelimit-remaining']], [200, '100', '99']);
  });
});

describe('a session', () => {
  it('is needed where the route says so, and not where it does not', async () => {
    assert.equal(code(await app.inject('/who')), 'unauthenticated');
    assert.equal((await app.inject('/open')).statusCode, 200);
  });

  it('that has expired is told apart from a wrong one', async () => {
    const headers = bearer({}, 60);
    assert.equal((await app.inject({ url: '/who', headers })).statusCode, 200);
    now = new Date(now.getTime() + 61_000);
    const late = await app.inject({ url: '/who', headers });
    now = new Date('2026-03-01T10:00:00Z');
    assert.equal(late.statusCode, 401);
    assert.equal(code(late), 'token_expired');
    assert.equal(code(await app.inject({ url: '/who', headers: { authorization: 'Bearer abc' } })), 'unauthenticated');
  });

  it('signed with "none" or another key is refused', async () => {
    const [, payload = ''] = bearer().authorization.split('.');
    const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`;
    assert.equal(code(await app.inject({ url: '/who', headers: { authorization: `Bearer ${none}` } })), 'unauthenticated');
    const forged = bearer().authorization.slice(0, -4) + 'AAAA';
    assert.equal(code(await app.inject({ url: '/who', headers: { authorization: forged } })), 'unauthenticated');
  });

  it('carries exactly the documented claims', () => {
    const { accessToken } = sessions.issue(person);
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as object; // made a line above
    assert.deepEqual(Object.keys(claims).sort(), ['authMethod', 'email', 'exp', 'iat', 'jti', 'partnerId', 'partnerRole', 'role', 'sub']);
  });
});

describe('access', () => {
  const url = `/things/${uuidv7()}`;
  const save = (claims: Partial<SessionClaims>) => app.inject({ method: 'POST', url, headers: bearer(claims), payload: { name: 'x' } });

  it('lets an agency admin write and refuses a moderator', async () => {
    assert.equal((await save({})).statusCode, 201);
    const refused = await save({ partnerRole: 'moderator' });
    assert.equal(refused.statusCode, 403);
    assert.equal(code(refused), 'partner_role_forbidden');
  });

  it('counts a PARTNER token without a permission as moderator', async () => {
    assert.equal(code(await save({ partnerRole: null })), 'partner_role_forbidden');
  });

  it('refuses another role and a read-only session', async () => {
    assert.equal(code(await save({ role: 'CLIENT', clientId: uuidv7(), partnerRole: null })), 'role_forbidden');
    assert.equal(code(await save({ authMethod: 'view_as' })), 'view_as_read_only');
  });

  it('refuses a partnerId from anybody but staff, whatever its value', async () => {
    const own = await app.inject({ url: `/who?partnerId=${person.partnerId}`, headers: bearer() });
    assert.equal(code(own), 'scope_forbidden');
    const staff = await app.inject({ url: `/who?partnerId=${person.partnerId}`, headers: bearer({ role: 'ADMIN', partnerRole: null }) });
    assert.equal(staff.statusCode, 200);
  });
});

describe('bad input', () => {
  const post = (url: string, payload: unknown, headers = bearer()) =>
    app.inject({ method: 'POST', url, headers: { ...headers, 'content-type': 'application/json' }, payload: payload as string });
  const url = `/things/${uuidv7()}`;

  it('in the path answers like an unknown id', async () => {
    assert.equal(code(await post('/things/42', { name: 'x' })), 'not_found');
  });

  it('in the query answers invalid_query and names the parameter', async () => {
    const response = await post(`${url}?limit=1000`, { name: 'x' });
    assert.equal(response.statusCode, 400);
    assert.match(response.body, /"invalid_query".*|.*limit/);
  });

  it('in the body names every field', async () => {
    const response = await post(url, { name: 'far too long', tags: ['a', 7] });
    assert.equal(response.statusCode, 422);
    const { errors } = response.json() as { errors: { field: string }[] };
    assert.deepEqual(
      errors.map((error) => error.field),
      ['name', 'tags.1'],
    );
  });

  it('that is missing names the field that is required', async () => {
    const { errors } = (await post(url, '')).json() as { errors: { field: string; code: string }[] };
    assert.deepEqual(
      errors.map(({ field, code: why }) => [field, why]),
      [['name', 'required']],
    );
    assert.equal((await post('/optional', '')).statusCode, 200);
  });

  it('unknown members are ignored and texts trimmed', async () => {
    const response = await post(url, { name: '  ok ', extra: 1 });
    assert.deepEqual(response.json(), { name: 'ok' });
  });

  it('that no column can hold is named, in the body and in the query', async () => {
    for (const name of ['a\u0000b', 'a\ud800']) {
      const response = await post(url, { name });
      assert.equal(response.statusCode, 422);
      assert.deepEqual(
        (response.json() as { errors: { field: string; code: string }[] }).errors.map((error) => [error.field, error.code]),
        [['name', 'invalid_characters']],
      );
      assert.equal((await post(url, { name: 'x', ['k' + name]: 1 })).statusCode, 422);
    }
    const query = await app.inject({ url: '/who?q=a%00b', headers: bearer() });
    assert.deepEqual([query.statusCode, code(query)], [400, 'invalid_query']);
    assert.equal((await post(url, { name: '\u{1F600}é' })).statusCode, 201);
  });

  it('that is nested without end is refused before anything reads it', async () => {
    const nested = (levels: number) => `{"name":"x","free":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    assert.equal((await post(url, nested(50))).statusCode, 201);
    for (const levels of [200, 5_000, 400_000]) {
      const response = await post('/free/mine', nested(levels));
      assert.deepEqual([response.statusCode, code(response)], [422, 'validation_failed']);
    }
  });

  it('that is no JSON, too big or of another type has its own answer', async () => {
    assert.equal(code(await post(url, '{"name":')), 'malformed_json');
    assert.equal(code(await post(url, '{"__proto__":{"admin":true},"name":"x"}')), 'malformed_json');
    assert.equal(code(await post(url, JSON.stringify({ name: 'x'.repeat(1_100_000) }))), 'too_large');
    const xml = await app.inject({ method: 'POST', url, headers: { ...bearer(), 'content-type': 'text/xml' }, payload: '<a/>' });
    assert.equal(xml.statusCode, 415);
    assert.equal(code(xml), 'unsupported_media_type');
  });
});

describe('a problem', () => {
  it('is RFC 9457 with our members and nothing of the cause', async () => {
    const response = await app.inject('/refusing?token=abc');
    assert.equal(response.statusCode, 402);
    assert.match(String(response.headers['content-type']), /^application\/problem\+json/);
    const { requestId, ...rest } = response.json() as Record<string, unknown>;
    assert.equal(requestId, response.headers['x-request-id']);
    assert.deepEqual(rest, {
      type: 'http://portal.test/problems/quota_exceeded',
      title: 'No credits are free in this period',
      status: 402,
      detail: 'Spent.',
      instance: '/refusing',
      code: 'quota_exceeded',
      limit: 100,
      used: 100,
    });
  });

  it('of ours says only that it is ours', async () => {
    const response = await app.inject('/broken');
    assert.equal(response.statusCode, 500);
    assert.doesNotMatch(response.body, /hunter2|10\.0\.0\.1|stack/);
  });

  it('for an unknown address is not_found', async () => {
    assert.equal(code(await app.inject('/nowhere')), 'not_found');
  });
});

describe('a rate limit', () => {
  it('refuses the one too many with Retry-After, and another caller goes on', async () => {
    const caller = bearer({ userId: uuidv7() });
    for (let call = 0; call < 20; call++) assert.equal((await app.inject({ url: '/limited', headers: caller })).statusCode, 200);
    const refused = await app.inject({ url: '/limited', headers: caller });
    assert.equal(refused.statusCode, 429);
    assert.equal(code(refused), 'rate_limited');
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal(refused.headers['ratelimit-limit'], '20');
    const other = await app.inject({ url: '/limited', headers: bearer({ userId: uuidv7() }) });
    assert.equal(other.headers['ratelimit-remaining'], '19');
  });

  it('counts a flood of wrong tokens against its address', async () => {
    let last = 401;
    for (let call = 0; call < 21; call++)
      last = (await app.inject({ url: '/limited', headers: { authorization: `Bearer x${call}` } })).statusCode;
    assert.equal(last, 429);
  });
});

describe('a route that reads its own body', () => {
  const post = (payload: string, type: string, token = 'right') =>
    app.inject({ method: 'POST', url: `/raw?token=${token}`, headers: { 'content-type': type }, payload });

  it('checks its token before a word of the body', async () => {
    assert.equal(code(await post('{broken', 'application/json', 'wrong')), 'invalid_ingest_token');
    assert.equal(code(await post('{broken', 'application/json')), 'malformed_json');
  });

  it('takes JSON and forms, and refuses the rest', async () => {
    assert.deepEqual((await post('{"a":1,"__proto__":{"b":2}}', 'application/json')).json(), { kind: 'json', keys: ['a'] });
    assert.deepEqual((await post('From=%2B1&To=%2B2', 'application/x-www-form-urlencoded')).json(), { kind: 'form', keys: ['From', 'To'] });
    assert.equal(code(await post('[1]', 'application/json')), 'validation_failed');
    assert.equal(code(await post('<a/>', 'text/xml')), 'unsupported_media_type');
    assert.equal(code(await post(`{"a":"${'x'.repeat(1_100_000)}"}`, 'application/json')), 'too_large');
  });
});

describe('CORS', () => {
  it('answers the origins on the list and no other', async () => {
    const good = await app.inject({ url: '/open', headers: { origin: 'https://good.test' } });
    const bad = await app.inject({ url: '/open', headers: { origin: 'https://evil.test' } });
    assert.equal(good.headers['access-control-allow-origin'], 'https://good.test');
    assert.equal(bad.headers['access-control-allow-origin'], undefined);
  });
});

describe('streams', () => {
  let address: string;
  before(async () => {
    address = await app.listen({ port: 0, host: '127.0.0.1' });
  });

  it('send CSV that no spreadsheet runs', async () => {
    const response = await app.inject('/list.csv');
    assert.match(String(response.headers['content-disposition']), /filename="list_of__things_.csv"/);
    assert.equal(response.body, '\uFEFFname,at\r\n\'=1+1,2026-01-02T03:04:05.000Z\r\n"say ""hi"", all",\r\n');
  });

  it('end when the session does', async () => {
    const headers = bearer({}, 60);
    // Twenty milliseconds of the session are left when the stream opens.
    now = new Date(now.getTime() + 59_980);
    const response = await fetch(`${address}/events`, { headers });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), 'retry: 2000\n\n');
    now = new Date('2026-03-01T10:00:00Z');
  });

  it('are no use of their session, and neither is a call of a page that no one touches', async () => {
    const headers = bearer();
    noted.length = 0;
    const stop = new AbortController();
    assert.equal((await fetch(`${address}/events`, { headers, signal: stop.signal })).status, 200);
    stop.abort();
    assert.equal((await fetch(`${address}/who`, { headers: { ...headers, 'x-unattended': 'true' } })).status, 200);
    assert.equal(noted.length, 0);
    assert.equal((await fetch(`${address}/who`, { headers })).status, 200);
    assert.equal(noted.length, 1);
  });

  it('end with the heartbeat after their session was ended elsewhere', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    streamOpened = Promise.withResolvers();
    const response = await fetch(`${address}/events`, { headers: bearer() });
    await streamOpened.promise;
    isRevoked = true;
    context.mock.timers.tick(15_000);
    assert.equal(await response.text(), 'retry: 2000\n\n: still here\n\n');
    isRevoked = false;
  });

  it('are not opened by HEAD, which could receive nothing of them', async () => {
    const response = await fetch(`${address}/events`, { method: 'HEAD', headers: bearer() });
    assert.equal(response.status, 404);
  });

  it('send events with ids, and hand over the id to resume from', async () => {
    streamOpened = Promise.withResolvers();
    const response = await fetch(`${address}/events`, { headers: { ...bearer(), 'last-event-id': '41' } });
    await streamOpened.promise;
    pushEvent({ id: '42', event: 'run', data: { status: 'RUNNING' } });
    assert.ok(response.body);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('RUNNING')) {
      const { value, done } = await reader.read();
      assert.equal(done, false, `the stream ended early: ${text}`);
      text += value ?? '';
    }
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(seenLastId, '41');
    assert.match(text, /id: 42\nevent: run\ndata: {"status":"RUNNING"}\n\n/);
    const ended = once(app.server, 'close');
    closing.abort();
    while (!(await reader.read()).done);
    await app.close();
    await ended;
  });
});

describe('the log', () => {
  it('has one line per request and never a token', () => {
    const written = lines.join('');
    assert.match(written, /"path":"\/raw"/);
    assert.doesNotMatch(written, /token=right|Bearer ey/);
  });
});
