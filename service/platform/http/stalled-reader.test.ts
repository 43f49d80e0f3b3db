import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { defineRoute } from '@partner-portal/contract/define-route.ts';
import { createBareServer, listenLocally } from '@partner-portal/tests/harness/bare-server.ts';
import { whenClosed } from '@partner-portal/tests/harness/when-closed.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { bindRoute } from './bind-route.ts';

/** More than the kernel buffers of a connection hold. */
const LARGE_CHARS = 32 * 1024 * 1024;
const STALL_MS = 300;
const base = { method: 'GET', tag: 'health', summary: 'test', limit: 'none', errors: [], access: { kind: 'public' } } as const;
const text = { 200: z.object({ text: z.string() }) };

let app: FastifyInstance;
let port: number;
let released = Promise.withResolvers<undefined>();

before(async () => {
  const { app: server, deps } = await createBareServer({ stallMs: STALL_MS, closeGraceMs: 0 });
  app = server;
  bindRoute(app, deps, 'large', defineRoute({ ...base, path: '/large', reply: text }), () => ({ text: 'x'.repeat(LARGE_CHARS) }));
  bindRoute(app, deps, 'late', defineRoute({ ...base, path: '/late', reply: text }), async () => {
    await released.promise;
    return { text: 'late' };
  });
  port = await listenLocally(app);
});
after(() => app.close());

async function ask(path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // The server may end it by a reset.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  return socket;
}

async function readAll(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (chunk) => (bytes += chunk.length));
  await whenClosed(socket);
  return bytes;
}

describe('a reply', () => {
  it('whose reader takes nothing of it is dropped with its connection', async () => {
    const [[serverSide], socket] = await Promise.all([once(app.server, 'connection') as Promise<[Socket]>, ask('/large')]);
    socket.pause();
    const all = readAll(socket);
    await once(serverSide, 'close');
    socket.resume();
    assert.ok((await all) < LARGE_CHARS);
  });

  it('is sent whole to a reader that takes it, however long it was waited for', async () => {
    assert.ok((await readAll(await ask('/large'))) > LARGE_CHARS);
    released = Promise.withResolvers();
    const [[serverSide], late] = await Promise.all([once(app.server, 'connection') as Promise<[Socket]>, ask('/late')]);
    // The time without a byte has passed once.
    await once(serverSide, 'timeout');
    released.resolve(undefined);
    assert.ok((await readAll(late)) > 0);
  });
});
