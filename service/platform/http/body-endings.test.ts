import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { defineRoute } from '@partner-portal/contract/define-route.ts';
import { callbackToken, isCallbackToken } from '@partner-portal/core/execution/token.ts';
import { createBareServer } from '@partner-portal/tests/harness/bare-server.ts';
import { whenClosed } from '@partner-portal/tests/harness/when-closed.ts';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HELD_KINDS, heldNow } from '../held.ts';
import { newId } from '../ids.ts';
import { bindRoute, type BindDeps } from './bind-route.ts';

const KIB = 1024;
const SECRET = 'callback-secret-of-the-test';
const BODY_MAX = 1024 * KIB;
const executionId = newId();
const PATHS = ['/open', '/session', '/upload', '/report', '/event'] as const;
type Path = (typeof PATHS)[number];
const ENDINGS = ['whole', 'stalled', 'aborted', 'halfClosed', 'tooLarge', 'broken', 'unproven', 'failing'] as const;
type Ending = (typeof ENDINGS)[number];
type Sent = { path: Path; ending: Ending; bytes: number; isChunked: boolean };

/** A connection that has ended is noticed within a few turns of the event loop. */
const TURNS_MAX = 100;

let bearer: string;

/** A server whose routes take a body from every kind of caller; it cuts bodies soon. */
async function open(): Promise<FastifyInstance> {
  const small = { totalMax: 1_500 * KIB, perSenderMax: 1_200 * KIB };
  const { app, deps: bare } = await createBareServer({
    closeGraceMs: 0,
    bodyBudgets: { anonymous: small, tenant: small, system: small },
  });
  const person = {
    userId: newId(),
    email: 'a@b.test',
    role: 'PARTNER',
    partnerRole: 'admin',
    partnerId: newId(),
    authMethod: 'password',
  } as const;
  bearer = `Bearer ${bare.sessions.issue(person).accessToken}`;
  const deps: BindDeps = {
    ...bare,
    callbackProof: (id, token) => isCallbackToken(SECRET, id, token),
    ingestProof: (_id, token) => token === 'good',
    bodyTimeoutMs: 400,
    bodyStallMs: 100,
  };
  const base = { method: 'POST', tag: 'health', summary: 'test', limit: 'none', errors: [], changesNothing: 'A test.' } as const;
  const shape = {
    ...base,
    bodyLimit: BODY_MAX,
    reply: { 200: z.object({}) },
    body: z.object({ text: z.string(), fails: z.boolean().optional() }),
  };
  const session = { kind: 'session', roles: ['PARTNER'], write: true } as const;
  const handler = ({ body }: { body: unknown }): object => {
    if ((body as { fails?: boolean } | undefined)?.fails) throw new Error('on purpose');
    return {};
  };
  bindRoute(app, deps, 'open', defineRoute({ ...shape, path: '/open', access: { kind: 'public' } }), handler);
  bindRoute(app, deps, 'session', defineRoute({ ...shape, path: '/session', access: session }), handler);
  const form = z.object({ title: z.string().optional() });
  bindRoute(app, deps, 'upload', defineRoute({ ...shape, path: '/upload', access: session, body: form, upload: true }), handler);
  const report = shape.body.extend({ executionId: z.string() });
  const callback = { kind: 'callback', subject: 'executionId', subjectIn: 'body' } as const;
  bindRoute(app, deps, 'report', defineRoute({ ...shape, path: '/report', access: callback, body: report }), handler);
  const event = { ...shape, path: '/event/:workflowId', access: { kind: 'ingest' }, formToo: true } as const;
  const params = { params: z.object({ workflowId: z.string() }), query: z.object({ token: z.string() }) };
  bindRoute(app, deps, 'ingestEvent', defineRoute({ ...event, ...params }), async (_input, context) => {
    const { value } = await context.rawBody.read();
    return handler({ body: value });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

/** The head and the whole body of a request. */
function requestOf({ path, ending, bytes, isChunked }: Sent): { head: string; body: string } {
  const isUpload = path === '/upload';
  const text = 'x'.repeat(ending === 'tooLarge' ? BODY_MAX + 20 * KIB : bytes);
  const json = JSON.stringify({ executionId, fails: ending === 'failing', text });
  const whole = ending === 'broken' ? json.slice(0, -1) : json;
  const form = `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${text}\r\n--b${ending === 'broken' ? '' : '--'}\r\n`;
  const body = isUpload ? form : whole;
  const isProven = ending !== 'unproven';
  const lines = [
    `POST ${path === '/event' ? `/event/w?token=${isProven ? 'good' : 'bad'}` : path} HTTP/1.1`,
    'host: x.test',
    `content-type: ${isUpload ? 'multipart/form-data; boundary=b' : 'application/json'}`,
    isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`,
    ...((path === '/session' || isUpload) && isProven ? [`authorization: ${bearer}`] : []),
    ...(path === '/report' && isProven ? [`x-callback-token: ${callbackToken(SECRET, executionId)}`] : []),
  ];
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body };
}

/** Sends a request that ends like this; resolves once its sender has nothing more to wait for. */
async function send(port: number, sent: Sent): Promise<void> {
  const { head, body } = requestOf(sent);
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = whenClosed(socket);
  socket.on('error', () => undefined);
  const answered = once(socket, 'data').catch(() => undefined);
  const framed = (part: string): string => (sent.isChunked ? `${part.length.toString(16)}\r\n${part}\r\n` : part);
  const half = body.slice(0, Math.ceil(body.length / 2));
  const isHalf = sent.ending === 'stalled' || sent.ending === 'aborted' || sent.ending === 'halfClosed';
  socket.write(head + framed(isHalf ? half : body) + (sent.isChunked && !isHalf ? '0\r\n\r\n' : ''));
  // Aborted while it arrives.
  if (sent.ending === 'aborted') await once(socket, 'connect').then(() => setImmediate());
  else if (sent.ending === 'halfClosed') {
    socket.end();
    await Promise.race([answered, closed]);
  }
  // The server cuts one that stalls.
  else await Promise.race([answered, closed]);
  socket.destroy();
  await closed;
}

const heldBytes = (): string[] => HELD_KINDS.filter((kind) => heldNow(kind) !== 0).map((kind) => `${kind} ${heldNow(kind)}`);

/** Returns the resources that the server still holds once every connection has ended and the event loop is idle about them. */
async function leftOver(app: FastifyInstance): Promise<string[]> {
  const count = async (): Promise<number> =>
    new Promise((resolve, reject) => app.server.getConnections((error, open) => (error ? reject(error) : resolve(open))));
  while ((await count()) > 0) await setImmediate();
  for (let turn = 0; turn < TURNS_MAX && heldBytes().length > 0; turn += 1) await setImmediate();
  return heldBytes();
}

const sentOf = fc.record({
  path: fc.constantFrom(...PATHS),
  ending: fc.constantFrom(...ENDINGS),
  bytes: fc.integer({ min: 0, max: 400 * KIB }),
  isChunked: fc.boolean(),
});

let app: FastifyInstance;
before(async () => {
  app = await open();
});
after(() => app.close());
const portOf = (of: FastifyInstance): number => (of.server.address() as AddressInfo).port; // listening on TCP

describe('bodies in flight', () => {
  it('are counted while they arrive, each in the budget of its sender', async () => {
    for (const [path, kind] of [
      ['/open', 'body_bytes_anonymous'],
      ['/session', 'body_bytes_tenant'],
      ['/upload', 'body_bytes_tenant'],
      ['/event', 'body_bytes_tenant'],
      ['/report', 'body_bytes_system'],
    ] as const) {
      const { head, body } = requestOf({ path, ending: 'whole', bytes: 300 * KIB, isChunked: false });
      const socket = connect(portOf(app), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(head + body.slice(0, 100 * KIB));
      while (heldNow(kind) === 0) await setImmediate();
      assert.deepEqual(heldBytes().length, 1, `${path}: ${heldBytes().join()}`);
      socket.destroy();
      while (heldNow(kind) !== 0) await setImmediate();
    }
  });

  it('hold nothing once they have ended, in whichever way, alone or with others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sentOf, { minLength: 1, maxLength: 10 }), async (requests) => {
        await Promise.all(requests.map((sent) => send(portOf(app), sent)));
        assert.deepEqual(await leftOver(app), []);
      }),
      {
        numRuns: 25,
        examples: [[ENDINGS.flatMap((ending) => PATHS.map((path): Sent => ({ path, ending, bytes: 60 * KIB, isChunked: false })))]],
      },
    );
  });

  it('hold nothing after a shutdown that cut them', async () => {
    const closing = await open();
    const { head, body } = requestOf({ path: '/open', ending: 'whole', bytes: 300 * KIB, isChunked: false });
    const socket = connect(portOf(closing), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head + body.slice(0, 100 * KIB));
    while (heldNow('body_bytes_anonymous') === 0) await setImmediate();
    await closing.close();
    assert.deepEqual(await leftOver(closing), []);
  });
});
