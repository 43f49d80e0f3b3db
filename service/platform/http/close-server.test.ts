import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { defineRoute } from '@partner-portal/contract/define-route.ts';
import { createBareServer, listenLocally } from '@partner-portal/tests/harness/bare-server.ts';
import { whenClosed } from '@partner-portal/tests/harness/when-closed.ts';
import { z } from 'zod';
import { bindRoute } from './bind-route.ts';

const base = { tag: 'health', summary: 'test', limit: 'none', errors: [], access: { kind: 'public' } } as const;
const ok = { 200: z.object({ ok: z.literal(true) }) };

/** A server with `POST /body`, and `GET /held`, which responds once it is released. */
async function start(closeGraceMs: number) {
  const { app, deps } = await createBareServer({ closeGraceMs });
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const body = defineRoute({ ...base, method: 'POST', path: '/body', changesNothing: 'A test.', body: z.object({}), reply: ok });
  bindRoute(app, deps, 'body', body, () => ({ ok: true }));
  bindRoute(app, deps, 'held', defineRoute({ ...base, method: 'GET', path: '/held', reply: ok }), async () => {
    entered.resolve();
    await released.promise;
    return { ok: true };
  });
  return { app, port: await listenLocally(app), entered: entered.promise, release: released.resolve };
}

async function send(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // A connection that the server ends may end by a reset.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

describe('a server that closes', () => {
  const STALLED: [string, string][] = [
    ['half a body', 'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'],
    [
      'a chunked body without an end',
      'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n',
    ],
    ['half a header', 'POST /body HTTP/1.1\r\nhost: x\r\ncontent-'],
    ['nothing', ''],
    ['a request whose response is never finished', 'GET /held HTTP/1.1\r\nhost: x\r\n\r\n'],
  ];
  for (const [what, text] of STALLED) {
    it(`ends a connection that sent ${what} after its grace`, async () => {
      const { app, port } = await start(50);
      const socket = await send(port, text);
      // The server has read what came before.
      await fetch(`http://127.0.0.1:${port}/nothing`).then((response) => response.text());
      await app.close();
      await whenClosed(socket);
    });
  }

  it('finishes a response that is in progress', async () => {
    const { app, port, entered, release } = await start(60_000);
    const socket = await send(port, 'GET /held HTTP/1.1\r\nhost: x\r\n\r\n');
    await entered;
    const closed = app.close();
    release();
    const [response] = (await once(socket, 'data')) as [Buffer];
    assert.match(String(response), /^HTTP\/1\.1 200 /);
    await closed;
  });
});
