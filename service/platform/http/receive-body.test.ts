import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { bodyLimitOf, defineRoute } from '@partner-portal/contract/define-route.ts';
import { createBareServer, listenLocally } from '@partner-portal/tests/harness/bare-server.ts';
import { whenClosed } from '@partner-portal/tests/harness/when-closed.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { bindRoute, type BindDeps } from './bind-route.ts';

const KIB = 1024;
const base = { tag: 'health', summary: 'test', limit: 'none', errors: [], changesNothing: 'A test.' } as const;
const reply = { 200: z.object({ length: z.number() }) };
const body = z.object({ text: z.string() });

const anonymous = { totalMax: 500 * KIB, perSenderMax: 300 * KIB };
let app: FastifyInstance;
let port: number;
const sockets: Socket[] = [];

before(async () => {
  const bare = await createBareServer({ trustedProxies: ['127.0.0.1'], bodyBudgets: { anonymous } });
  ({ app } = bare);
  const bind = (path: string, bodyLimit?: number, times: Pick<BindDeps, 'bodyTimeoutMs' | 'bodyStallMs'> = {}): void => {
    const declared = bodyLimit === undefined ? {} : { bodyLimit };
    const route = defineRoute({ ...base, ...declared, method: 'POST', path, access: { kind: 'public' }, body, reply });
    bindRoute(app, { ...bare.deps, ...times }, path, route, ({ body: given }) => ({ length: (given as { text: string }).text.length })); // parsed by the route
  };
  bind('/open');
  bind('/declared', 40 * KIB);
  bind('/slow', undefined, { bodyTimeoutMs: 100 });
  bind('/stalling', 1024 * KIB, { bodyStallMs: 100 });
  bind('/large', 1024 * KIB);
  port = await listenLocally(app);
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

type Exchanged = { status: number; problem: Record<string, unknown>; socket: Socket };

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // A connection that the server ends while more is sent ends by a reset.
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends the parts of a request and resolves once the response is complete, whether or not the request is. */
async function exchange(socket: Socket, ...parts: string[]): Promise<Exchanged> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchanged>();
  let text = '';
  const onData = (received: Buffer): void => {
    text += String(received);
    const [start = '', rest] = text.split('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(start)?.[1];
    if (rest === undefined || length === undefined || rest.length < Number(length)) return;
    socket.off('data', onData);
    resolve({ status: Number(start.split(' ')[1]), problem: JSON.parse(rest) as Record<string, unknown>, socket }); // a problem or the reply
  };
  socket.on('data', onData);
  socket.once('close', () => reject(new Error(`closed after ${text}`)));
  for (const part of parts) socket.write(part);
  return promise;
}
const send = async (...parts: string[]): Promise<Exchanged> => exchange(await open(), ...parts);

const head = (path: string, framing: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x.test\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const ofSize = (bytes: number): string => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

describe('a body that is longer than its route takes', () => {
  it('is refused by its declared length, before a byte of it arrived', async () => {
    const { status, problem } = await send(head('/open', `content-length: ${16 * KIB + 1}`));
    assert.deepEqual([status, problem['code'], problem['detail']], [413, 'too_large', 'The body must not exceed 16 KiB.']);
    assert.equal(problem['limitBytes'], 16 * KIB);
  });

  it('is refused while it arrives without a declared length, before it ends', async () => {
    const { status, problem } = await send(head('/open', 'transfer-encoding: chunked'), chunk('x'.repeat(16 * KIB)), chunk('x'));
    assert.deepEqual([status, problem['code']], [413, 'too_large']);
  });

  it('may have the length the route declares, and one that has it exactly is accepted', async () => {
    for (const [path, bytes] of [
      ['/open', 16 * KIB],
      ['/declared', 40 * KIB],
    ] as const) {
      const whole = await send(head(path, `content-length: ${bytes}`), ofSize(bytes));
      assert.deepEqual([whole.status, whole.problem], [200, { length: bytes - '{"text":""}'.length }]);
      const chunked = await send(head(path, 'transfer-encoding: chunked'), chunk(ofSize(bytes)), '0\r\n\r\n');
      assert.equal(chunked.status, 200);
      const over = await send(head(path, 'transfer-encoding: chunked'), chunk(ofSize(bytes + 1)), '0\r\n\r\n');
      assert.deepEqual([over.status, over.problem['limitBytes']], [413, bytes]);
    }
  });

  it('leaves its connection usable for a sender that first writes everything', async () => {
    const { status, socket } = await send(head('/open', `content-length: ${200 * KIB}`), ofSize(200 * KIB));
    assert.equal(status, 413);
    assert.equal((await exchange(socket, head('/open', 'content-length: 12'), '{"text":"a"}')).status, 200);
  });
});

describe('a body that does not arrive', () => {
  it('is refused after the time a body has, and its connection is closed', async () => {
    const { status, problem, socket } = await send(head('/slow', 'content-length: 20'), '{"text":');
    assert.deepEqual([status, problem['code']], [408, 'request_timeout']);
    await whenClosed(socket);
  });

  it('is refused also in chunks', async () => {
    assert.equal((await send(head('/slow', 'transfer-encoding: chunked'), chunk('{"text":'))).status, 408);
  });

  it('is accepted when it arrives', async (context) => {
    // Its time never ends, however long the machine takes.
    context.mock.timers.enable({ apis: ['setTimeout'] });
    assert.equal((await send(head('/slow', 'content-length: 12'), '{"text":', '"a"}')).status, 200);
  });
});

describe('a body that stalls', () => {
  it('is cut once a kilobyte of it has not arrived in its time, however often a byte does', async () => {
    const silent = await send(head('/stalling', 'content-length: 900000'), 'x'.repeat(50_000));
    assert.deepEqual([silent.status, silent.problem['code']], [408, 'request_timeout']);
    await whenClosed(silent.socket);
    const dripping = await open();
    const answer = exchange(dripping, head('/stalling', 'content-length: 900000'), '{"text":"');
    const drip = setInterval(() => void (dripping.writable && dripping.write('x')), 5);
    const { status } = await answer.finally(() => clearInterval(drip));
    assert.equal(status, 408);
  });
});

describe('bodies that are on their way', () => {
  const from = (ip: string, framing: string): string => head('/large', `x-forwarded-for: ${ip}\r\n${framing}`);
  const small = '{"text":"a"}';

  /** Sends a part of a large body, and resolves once the server holds it. */
  async function half(ip: string, bytes: number): Promise<Socket> {
    const socket = await open();
    socket.write(from(ip, `content-length: ${900 * KIB}`));
    socket.write('x'.repeat(bytes));
    const isHeld = (): boolean => {
      using probe = app.bodyBudget.share({ budget: 'anonymous', key: ip });
      try {
        probe.take(anonymous.perSenderMax - bytes + 1);
        return false;
      } catch {
        return true;
      }
    };
    while (!isHeld()) await setImmediate();
    return socket;
  }

  it('of one sender have a share, and all together a limit; small ones, and those of others, are accepted meanwhile', async () => {
    const first = await half('10.0.0.1', 250 * KIB);
    const over = await send(from('10.0.0.1', `content-length: ${200 * KIB}`), ofSize(200 * KIB));
    assert.deepEqual([over.status, over.problem['code'], over.problem['retryAfterSeconds']], [429, 'rate_limited', 2]);
    assert.equal((await send(from('10.0.0.1', 'content-length: 12'), small)).status, 200);
    assert.equal((await send(from('10.0.0.2', `content-length: ${200 * KIB}`), ofSize(200 * KIB))).status, 200);
    const second = await half('10.0.0.3', 150 * KIB);
    const beyond = await send(from('10.0.0.4', `content-length: ${200 * KIB}`), ofSize(200 * KIB));
    assert.deepEqual([beyond.status, beyond.problem['code']], [503, 'service_unavailable']);
    for (const socket of [first, second]) socket.destroy();
    let last = 0;
    // Given back when the server notices that the senders are gone.
    while (last !== 200) last = (await send(from('10.0.0.1', `content-length: ${290 * KIB}`), ofSize(290 * KIB))).status;
  });
});

describe('a compressed body', () => {
  it('is refused on a route for people, naming what it takes', async () => {
    const compressed = head('/open', 'content-length: 12\r\ncontent-encoding: gzip');
    const { status, problem } = await send(compressed, '{"text":"a"}');
    assert.deepEqual([status, problem['code']], [415, 'unsupported_media_type']);
    assert.equal((await send(head('/open', 'content-length: 12\r\ncontent-encoding: identity'), '{"text":"a"}')).status, 200);
  });
});

describe('the limit of a route', () => {
  const session = { kind: 'session', roles: ['ADMIN'], write: false } as const;
  it('is what it declares, else 1 MiB after a proof and 16 KiB without one', () => {
    assert.equal(bodyLimitOf({ body, access: session }), 1024 * KIB);
    assert.equal(bodyLimitOf({ body, access: { kind: 'public' } }), 16 * KIB);
    assert.equal(bodyLimitOf({ access: session }), 16 * KIB, 'a route without a body');
    assert.equal(bodyLimitOf({ body, access: { kind: 'public' }, bodyLimit: 7 }), 7);
  });
});
