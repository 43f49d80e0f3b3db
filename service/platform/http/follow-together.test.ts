import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test';
import { defineRoute } from '@partner-portal/contract/define-route.ts';
import { togetherRoutes } from '@partner-portal/contract/routes/together.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { newPerson, type SmallApi, type SmallCall, type SmallResponse, startSmallApi } from '@partner-portal/tests/harness/small-api.ts';
import { z } from 'zod';
import { AppError } from '../refuse.ts';
import { type EventSource, STREAMS_PER_USER_MAX } from './sse.ts';

const base = { tag: 'health', summary: 'test', limit: 'caller', errors: [], method: 'GET' } as const;
const session = (more: object = {}, roles: readonly ('ADMIN' | 'PARTNER' | 'CLIENT')[] = ['ADMIN', 'PARTNER', 'CLIENT']) =>
  ({ kind: 'session', roles, write: false, ...more }) as const;
const params = z.object({ name: z.string() });
const events = { format: 'events', reply: { 200: z.string() } } as const;

type Opened = { send: (id: string, data?: unknown) => void; end: () => void; lastEventId: string | null };
/** Streams by name, once they are open. */
const opened = new Map<string, Opened>();
const stopped: string[] = [];
/** Streams that are held while they open. */
const held = new Map<string, PromiseWithResolvers<void>>();
let changed = Promise.withResolvers<void>();
let api: SmallApi;

/** Waits until streams have been opened or stopped so that a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    changed = Promise.withResolvers();
    await changed.promise;
  }
}
const areOpen =
  (...names: string[]) =>
  () =>
    names.every((name) => opened.has(name));
const areStopped =
  (...names: string[]) =>
  () =>
    names.every((name) => stopped.includes(name));

const sourceOf = (name: string): EventSource => ({
  async open(send, lastEventId, end) {
    if (name === 'throws') throw new Error('password=hunter2 at 10.0.0.1');
    if (name === 'refuses') throw new AppError('not_found', { detail: 'No such stream.' });
    opened.set(name, { send: (id, data = {}) => send({ id, event: 'change', data }), end: () => end?.(), lastEventId });
    changed.resolve();
    if (name === 'ends-at-once') {
      send({ id: '1', event: 'change', data: 'all' });
      end?.();
    }
    await held.get(name)?.promise;
    return () => {
      stopped.push(name);
      changed.resolve();
    };
  },
});
const stream = async ({ params: { name = '' } }: { params: Record<string, string> }) => {
  if (name === 'prepared') await held.get(name)?.promise;
  return { kind: 'events', source: sourceOf(name) };
};

beforeEach(async () => {
  api = await startSmallApi({
    followTogether: togetherRoutes.followTogether,
    events: { route: defineRoute({ ...base, ...events, path: '/events/:name', access: session(), params }), handler: stream },
    loose: {
      route: defineRoute({ ...base, ...events, path: '/loose/:name', access: session({ whileSuspended: true }), params }),
      handler: stream,
    },
    staff: { route: defineRoute({ ...base, ...events, path: '/staff/:name', access: session({}, ['ADMIN']), params }), handler: stream },
    limited: {
      route: defineRoute({ ...base, ...events, path: '/limited/:name', access: session(), limit: 'mfaVerify', params }),
      handler: stream,
    },
    public: { route: defineRoute({ ...base, ...events, path: '/public/:name', access: { kind: 'public' }, params }), handler: stream },
    json: {
      route: defineRoute({ ...base, path: '/json', access: session(), reply: { 200: z.object({ ok: z.literal(true) }) } }),
      handler: () => ({ ok: true }),
    },
  });
});

afterEach(async () => {
  for (const { resolve } of held.values()) resolve();
  await api.close();
  held.clear();
  opened.clear();
  stopped.length = 0;
});

type Follow = string | { path: string; lastEventId?: string };
const follow = (paths: readonly Follow[], options: SmallCall = {}): Promise<SmallResponse> =>
  api.call('/streams', {
    ...options,
    method: 'POST',
    body: { follow: paths.map((one) => (typeof one === 'string' ? { path: one } : one)) },
  });

type Event = { id: string; event: string; data: Record<string, unknown> };
/** Each event as it arrives; heartbeats are left out, and `opened` unless it is asked for. */
async function* eventsOf(response: SmallResponse, withOpened = false): AsyncGenerator<Event> {
  let one: Record<string, string> = {};
  const lines = response.lines();
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line.value) ?? [];
    if (name) one[name] = value;
    else if (line.value === '') {
      if (one['event'] && (withOpened || one['event'] !== 'opened'))
        yield { id: one['id'] ?? '', event: one['event'], data: JSON.parse(one['data'] ?? '') as Event['data'] }; // an object by each source
      one = {};
    }
  }
}
async function next(all: AsyncGenerator<Event>): Promise<Event> {
  const { value, done } = await all.next();
  assert.ok(!done, 'the response ended');
  return value;
}

describe('streams of one request', () => {
  it('send their events with the index of the stream before the id, and continue each after its own last one', async () => {
    const response = await follow(['/events/a', { path: '/events/b?x=1', lastEventId: '41' }, { path: '/loose/c', lastEventId: '' }]);
    assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8');
    await until(areOpen('a', 'b', 'c'));
    assert.deepEqual(['a', 'b', 'c'].map((name) => opened.get(name)?.lastEventId), [null, '41', null]); // prettier-ignore
    const all = eventsOf(response);
    opened.get('b')?.send('42', { status: 'RUNNING' });
    opened.get('a')?.send('7.1');
    assert.deepEqual(await next(all), { id: '1:42', event: 'change', data: { status: 'RUNNING' } });
    assert.deepEqual(await next(all), { id: '0:7.1', event: 'change', data: {} });
    await response.leave();
  });

  it('say when they send each change from then on, after what they begin with', async () => {
    held.set('slow', Promise.withResolvers());
    const response = await follow(['/events/slow', '/events/b', '/events/ends-at-once', '/nowhere']);
    const all = eventsOf(response, true);
    const first = [await next(all), await next(all), await next(all), await next(all)];
    assert.deepEqual(first.map(({ id, event }) => `${id} ${event}`).toSorted(), ['1: opened', '2: ended', '2:1 change', '3: refused']);
    opened.get('slow')?.send('7');
    assert.equal((await next(all)).id, '0:7');
    held.get('slow')?.resolve();
    assert.deepEqual(await next(all), { id: '0:', event: 'opened', data: {} });
    await response.leave();
  });

  it('that are refused say so with a problem, and the others go on', async () => {
    const paths = [
      '/events/a',
      '/nowhere',
      '/json',
      '/public/x',
      '/limited/x',
      '/events/x?partnerId=1',
      '/staff/x',
      '/events/refuses',
      '/events/throws',
    ];
    const refused: Event[] = [];
    for (const path of paths.slice(1)) {
      opened.clear();
      const response = await follow([path, '/events/a']);
      const all = eventsOf(response);
      refused.push(await next(all));
      await until(areOpen('a'));
      opened.get('a')?.send('1');
      assert.equal((await next(all)).id, '1:1');
      await response.leave();
    }
    assert.deepEqual(
      refused.map(({ id, event, data: { code, status } }) => [id, event, code, status]),
      [
        ...Array.from({ length: 4 }, () => ['0:', 'refused', 'not_found', 404]),
        ['0:', 'refused', 'scope_forbidden', 403],
        ['0:', 'refused', 'role_forbidden', 403],
        ['0:', 'refused', 'not_found', 404],
        ['0:', 'refused', 'internal_error', 500],
      ],
    );
    const problem = refused.find(({ data }) => data['instance'] === '/staff/x')?.data ?? {};
    assert.deepEqual(Object.keys(problem).toSorted(), ['code', 'detail', 'instance', 'requestId', 'status', 'title', 'type']);
    assert.doesNotMatch(JSON.stringify(refused), /hunter2|10\.0\.0\.1/);
    const fault = api.log.find((line) => line['msg'] === 'request failed');
    assert.equal(fault?.['path'], '/events/throws');
    assert.equal(fault['requestId'], refused.at(-1)?.data['requestId']);
  });

  it('answer staff where the route is for staff', async () => {
    const response = await follow(['/staff/a'], { claims: { role: 'ADMIN', partnerRole: null } });
    await until(areOpen('a'));
    await response.leave();
  });

  it('say that they have ended; with the last one the response ends', async () => {
    const response = await follow(['/events/ends-at-once', '/events/b', '/events/refuses']);
    await until(areOpen('b'));
    const all = eventsOf(response);
    const first = [await next(all), await next(all), await next(all)];
    assert.deepEqual(first.map(({ id, event }) => `${id} ${event}`).toSorted(), ['0: ended', '0:1 change', '2: refused']);
    opened.get('b')?.send('1');
    opened.get('ends-at-once')?.send('2');
    assert.equal((await next(all)).id, '1:1');
    opened.get('b')?.end();
    opened.get('b')?.send('2');
    assert.deepEqual(await next(all), { id: '1:', event: 'ended', data: {} });
    assert.equal((await all.next()).done, true);
    await until(areStopped('ends-at-once', 'b'));
    assert.deepEqual(stopped.toSorted(), ['b', 'ends-at-once']);
  });

  it('that none can be opened end the response', async () => {
    const text = await (await follow(['/nowhere', '/events/throws'])).text();
    const last = [...text.matchAll(/^id: (.*)\nevent: (.*)$/gm)].map(([, id, event]) => `${id} ${event}`);
    assert.deepEqual(last.toSorted(), ['0: refused', '1: refused']);
  });

  it('do not wait for one that opens slowly, and neither does their end', async () => {
    held.set('slow', Promise.withResolvers());
    const response = await follow(['/events/slow', '/events/b', '/events/c']);
    await until(areOpen('slow', 'b', 'c'));
    const all = eventsOf(response);
    opened.get('b')?.send('1');
    assert.equal((await next(all)).id, '1:1');
    await response.leave();
    await until(areStopped('b', 'c'));
    assert.equal(stopped.includes('slow'), false);
    held.get('slow')?.resolve();
    await until(areStopped('slow'));
    assert.deepEqual(stopped.toSorted(), ['b', 'c', 'slow']);
  });

  it('of a reader that leaves while one is prepared are stopped, and that one is never opened', async () => {
    held.set('prepared', Promise.withResolvers());
    const response = await follow(['/events/prepared', '/events/b']);
    await until(areOpen('b'));
    await response.leave();
    await until(areStopped('b'));
    held.get('prepared')?.resolve();
    // The handler's remaining work takes some turns of the loop.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(opened.has('prepared'), false);
  });

  it('stop when the service does', async () => {
    const response = await follow(['/events/a', '/events/b']);
    await until(areOpen('a', 'b'));
    api.endStreams();
    await response.text();
    await until(areStopped('a', 'b'));
    assert.doesNotMatch(await (await follow(['/events/c'])).text(), /event: /);
  });

  it('are at most as many as the contract says, and continue after an id that is one line', async () => {
    const most = Array.from({ length: LIMITS.streamsTogetherMax }, (_, n) => `/events/s${n}`);
    const wrong: Follow[][] = [[], [...most, '/events/x'], ['events/x'], [{ path: '/events/x', lastEventId: '1\nevent: forged' }]];
    for (const paths of wrong) assert.equal((await follow(paths)).status, 422);
    const response = await follow(most);
    assert.equal(response.status, 200);
    await response.leave();
  });

  it('count as many as they are against the streams of a person, until the response ends', async () => {
    const claims = newPerson();
    const three = ['/events/a', '/events/b', '/events/c'];
    const calls: SmallResponse[] = [];
    for (let open = 0; open + 3 <= STREAMS_PER_USER_MAX; open += 3) calls.push(await follow(three, { claims }));
    assert.ok(calls.every(({ status }) => status === 200));
    const refused = await follow(three, { claims });
    assert.deepEqual([refused.status, (await refused.json())['code'], refused.headers['retry-after']], [429, 'rate_limited', '60']);
    const last = await follow(three.slice(0, STREAMS_PER_USER_MAX % 3), { claims });
    assert.equal(last.status, 200);
    assert.equal((await api.call('/events/d', { claims })).status, 429);
    assert.equal((await follow(three)).status, 200);
    await calls[0]?.leave();
    for (let n = 0; n < 3; n += 1) assert.equal((await api.call('/events/d', { claims })).status, 200);
    assert.equal((await api.call('/events/d', { claims })).status, 429);
  });

  it('count once for the caller', async () => {
    const response = await follow(['/events/a', '/events/b', '/events/c']);
    assert.equal(response.headers['ratelimit-remaining'], String(LIMITS.callerRequestsPerMinute - 1));
    await response.leave();
  });
});

describe('the session of streams of one request', () => {
  const HEARTBEAT_MS = 15_000;
  const openThree = async (context: TestContext) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const response = await follow(['/events/strict', '/loose/loose', '/loose/other']);
    await until(areOpen('strict', 'loose', 'other'));
    return { response, all: eventsOf(response), beat: () => context.mock.timers.tick(HEARTBEAT_MS) };
  };

  it('while it is valid ends none', async (context) => {
    const { response, all, beat } = await openThree(context);
    const checks = api.checks();
    beat();
    assert.equal(api.checks(), checks + 1);
    opened.get('strict')?.send('1');
    assert.equal((await next(all)).id, '0:1');
    assert.deepEqual(stopped, []);
    await response.leave();
  });

  it('of an account that is suspended meanwhile ends those that do not answer it, and no other', async (context) => {
    const { response, all, beat } = await openThree(context);
    api.sessions.areSuspended = true;
    beat();
    assert.deepEqual(await next(all), { id: '0:', event: 'ended', data: {} });
    beat();
    opened.get('strict')?.send('1');
    opened.get('loose')?.send('1');
    assert.equal((await next(all)).id, '1:1');
    assert.deepEqual(stopped, ['strict']);
    await response.leave();
  });

  it('of a suspended account opens those that answer it, and no other', async () => {
    api.sessions.areSuspended = true;
    const response = await follow(['/events/strict', '/loose/loose']);
    const { id, event, data } = await next(eventsOf(response));
    assert.deepEqual([id, event, data['code']], ['0:', 'refused', 'account_suspended']);
    await until(areOpen('loose'));
    assert.equal(opened.has('strict'), false);
    await response.leave();
  });

  it('that is revoked ends all of them, also while the account is suspended', async (context) => {
    const { response, beat } = await openThree(context);
    api.sessions.areSuspended = true;
    api.sessions.areRevoked = true;
    beat();
    assert.doesNotMatch(await response.text(), /event: ended/);
    await until(areStopped('strict', 'loose', 'other'));
  });

  it('that is no longer valid opens none', async () => {
    api.sessions.areRevoked = true;
    assert.equal((await follow(['/events/strict', '/loose/loose'])).status, 401);
    assert.equal(opened.size, 0);
  });
});
