import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { defineRoute } from '@partner-portal/contract/define-route.ts';
import { createBareServer, listenLocally } from '@partner-portal/tests/harness/bare-server.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { newId } from '../ids.ts';
import { AppError } from '../refuse.ts';
import { bindRoute } from './bind-route.ts';
import type { Upload } from './receive-upload.ts';

const KIB = 1024;
const LIMIT = 64 * KIB;
let app: FastifyInstance;
let origin: string;
let port: number;
let bearer: string;
let moderator: string;
let isRevoked = false;
let seen: { upload: Upload; body: unknown } | null = null;
let hold: Promise<void> | null = null;
let held = Promise.withResolvers<void>();
const sockets: Socket[] = [];

before(async () => {
  const bare = await createBareServer({ bodyBudgets: { tenant: { totalMax: 300 * KIB, perSenderMax: 150 * KIB } } });
  ({ app } = bare);
  const { sessions } = bare.deps;
  const assertSession = async (): Promise<void> => {
    // By the time the session is proven, a small form has arrived whole.
    await setImmediate();
    if (isRevoked) throw new AppError('unauthenticated');
  };
  const deps = { ...bare.deps, assertSession };
  const bind = (path: string, bodyTimeoutMs?: number): void => {
    const route = defineRoute({
      method: 'POST',
      path,
      tag: 'media',
      summary: 'test',
      access: { kind: 'session', roles: ['PARTNER'], write: true },
      limit: 'none',
      body: z.object({ title: z.string().max(20), note: z.string().optional() }),
      bodyLimit: LIMIT,
      upload: true,
      reply: { 200: z.object({ bytes: z.number().nullable() }) },
      errors: [],
      changesNothing: 'A test.',
    });
    bindRoute(app, { ...deps, ...(bodyTimeoutMs === undefined ? {} : { bodyTimeoutMs }) }, path, route, async ({ body }, { upload }) => {
      seen = { upload, body };
      held.resolve();
      await hold;
      return { bytes: upload.file?.bytes.length ?? null };
    });
  };
  bind('/upload');
  bind('/slow', 100);
  port = await listenLocally(app);
  origin = `http://127.0.0.1:${port}`;
  const person = { userId: newId(), email: 'a@b.test', role: 'PARTNER', partnerId: newId(), authMethod: 'password' } as const;
  bearer = `Bearer ${sessions.issue({ ...person, partnerRole: 'admin' }).accessToken}`;
  moderator = `Bearer ${sessions.issue({ ...person, partnerRole: 'moderator' }).accessToken}`;
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

function form(file: Uint8Array<ArrayBuffer> | null, fields: Record<string, string> = { title: 'A title' }, name = 'file'): FormData {
  const made = new FormData();
  for (const [field, value] of Object.entries(fields)) made.append(field, value);
  if (file) made.append(name, new Blob([file], { type: 'image/png' }), 'größe.png');
  return made;
}
async function send(body: FormData | string, { path = '/upload', headers = {} }: { path?: string; headers?: Record<string, string> } = {}) {
  const response = await fetch(`${origin}${path}`, { method: 'POST', body, headers: { authorization: bearer, ...headers } });
  const answered = (await response.json()) as {
    code?: string;
    bytes?: number;
    detail?: string;
    limitBytes?: number;
    errors?: { field: string }[];
  }; // a problem or the reply
  return { status: response.status, ...answered };
}

/** A request written by hand: its head, and what follows. */
async function open(path: string, headers: string[], authorization = bearer): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  let text = '';
  const check = (): void => {
    const [start = '', rest] = text.split('\r\n\r\n');
    if (rest !== undefined && rest.length >= Number(/content-length: (\d+)/i.exec(start)?.[1])) resolve(text);
  };
  socket.on('data', (data) => {
    text += String(data);
    check();
  });
  socket.on('error', () => undefined);
  socket.write([`POST ${path} HTTP/1.1`, 'host: x', `authorization: ${authorization}`, ...headers, '', ''].join('\r\n'));
  return { socket, answer };
}
const BOUNDARY = 'content-type: multipart/form-data; boundary=b';
const HEAD =
  '--b\r\ncontent-disposition: form-data; name="title"\r\n\r\nA title\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';

describe('an upload', () => {
  it('arrives with its texts, parsed by the route, and its bytes as they were sent', async () => {
    const bytes = Uint8Array.from({ length: LIMIT }, (_, index) => index % 251);
    assert.deepEqual(await send(form(bytes, { title: ' Ä title ', note: 'x', other: 'y' })), { status: 200, bytes: LIMIT });
    assert.deepEqual(seen?.body, { title: ' Ä title ', note: 'x' });
    assert.ok(seen?.upload.file?.bytes.equals(bytes));
    const { file } = seen.upload;
    assert.deepEqual([file?.filename, file?.declaredType], ['größe.png', 'image/png']);
    assert.deepEqual(await send(form(new Uint8Array())), { status: 200, bytes: 0 });
    assert.deepEqual(await send(form(null)), { status: 200, bytes: null });
    const refused = await send(form(bytes, { title: 'x'.repeat(21) }));
    assert.deepEqual([refused.status, refused.errors?.[0]?.field], [422, 'title']);
  });

  it('is refused as something else than a form', async () => {
    for (const headers of [
      { 'content-type': 'application/json' },
      { 'content-type': 'multipart/form-data' },
      { 'content-type': 'multipart/mixed; boundary=b' },
    ])
      assert.equal((await send('{}', { headers })).code, 'unsupported_media_type', JSON.stringify(headers));
  });

  it('is refused with a part too many, a text too long, or an end that is missing', async () => {
    const two = form(new Uint8Array(3));
    two.append('file', new Blob([new Uint8Array(3)]), 'b.png');
    assert.equal((await send(two)).code, 'validation_failed');
    assert.equal(
      (await send(form(null, Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`f${n}`, 'x']))))).code,
      'validation_failed',
    );
    assert.equal((await send(form(null, { title: 'x'.repeat(5_000) }))).code, 'validation_failed');
    assert.equal((await send(form(null, { title: 'a\u0000b' }))).code, 'validation_failed');
    assert.equal((await send(`${HEAD}abc`, { headers: { 'content-type': 'multipart/form-data; boundary=b' } })).code, 'validation_failed');
    assert.equal((await send(`${HEAD}abc\r\n--b--\r\n`, { headers: { 'content-type': 'multipart/form-data; boundary=b' } })).bytes, 3);
  });

  it('that is too large is refused by its declared length and by its bytes, and says what it may have', async () => {
    const refused = await send(form(new Uint8Array(LIMIT + 1)));
    assert.deepEqual(
      [refused.status, refused.code, refused.limitBytes, refused.detail],
      [413, 'too_large', LIMIT, 'The body must not exceed 64 KiB.'],
    );
    const declared = await open('/upload', [BOUNDARY, `content-length: ${10 * LIMIT}`]);
    assert.match(await declared.answer, /413/);
    const chunked = await open('/upload', [BOUNDARY, 'transfer-encoding: chunked']);
    const piece = 'x'.repeat(16 * KIB);
    chunked.socket.write(`${HEAD.length.toString(16)}\r\n${HEAD}\r\n`);
    for (let n = 0; n < 6; n += 1) chunked.socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    assert.match(await chunked.answer, /413/);
  });

  it('that does not arrive in time is refused, and accepted when it does', async (context) => {
    const slow = await open('/slow', [BOUNDARY, 'content-length: 1000']);
    slow.socket.write(HEAD);
    const text = await slow.answer;
    assert.match(text, /408/);
    assert.match(text, /connection: close/i);
    // Its time never ends, however long the machine takes.
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const whole = `${HEAD}abc\r\n--b--\r\n`;
    const prompt = await open('/slow', [BOUNDARY, `content-length: ${whole.length}`]);
    prompt.socket.write(whole);
    assert.match(await prompt.answer, /^HTTP\/1\.1 200 /);
  });

  it('of a sender who may not upload is refused before it is read', async () => {
    const bodiless = await open('/upload', [BOUNDARY, 'content-length: 1000'], 'Bearer nonsense');
    assert.match(await bodiless.answer, /401/);
    const wrong = await open('/upload', [BOUNDARY, 'content-length: 1000'], moderator);
    assert.match(await wrong.answer, /partner_role_forbidden/);
    isRevoked = true;
    const revoked = await open('/upload', [BOUNDARY, 'content-length: 1000']);
    assert.match(await revoked.answer, /unauthenticated/);
    isRevoked = false;
    assert.equal((await send(form(new Uint8Array(9)))).status, 200);
  });

  it('counts until its request ends, so that those of one sender share their part of the memory', async () => {
    const release = Promise.withResolvers<void>();
    hold = release.promise;
    const file = new Uint8Array(60 * KIB);
    const working: ReturnType<typeof send>[] = [];
    for (let n = 0; n < 2; n += 1) {
      held = Promise.withResolvers();
      working.push(send(form(file)));
      await held.promise;
    }
    const refused = await send(form(file));
    assert.deepEqual([refused.status, refused.code], [429, 'rate_limited']);
    release.resolve();
    hold = null;
    assert.deepEqual(
      (await Promise.all(working)).map(({ status }) => status),
      [200, 200],
    );
    await setImmediate();
    assert.equal((await send(form(file))).status, 200);
  });
});
