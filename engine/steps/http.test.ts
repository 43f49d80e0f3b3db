import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createGuardedAgent } from '../guard.ts';
import { budgetsOf, createRooms } from '../memory.ts';
import { sendRequest } from './http.ts';
import { StepError } from './step.ts';

const rooms = createRooms(budgetsOf());
const servers: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of servers) await close();
});

async function serve(
  listener: RequestListener,
): Promise<{ url: string; send: (input: Record<string, unknown>, timeoutMs?: number, signal?: AbortSignal) => Promise<unknown> }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const dispatcher = createGuardedAgent([`127.0.0.1:${port}`], 64);
  servers.push(async () => {
    await dispatcher.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    send: (input, timeoutMs = 60_000, signal = new AbortController().signal) =>
      sendRequest(
        { method: 'POST', url, headers: {}, queryParams: {}, authType: 'NONE', ...input },
        { dispatcher, timeoutMs, signal, room: rooms.forStep('k', signal) },
      ),
  };
}

const detail = (error: unknown): Record<string, unknown> => (error instanceof StepError ? error.detail : {});

test('a private address fails the step as ADDRESS_REFUSED and reveals nothing more', async () => {
  const { send } = await serve((_request, response) => response.end());
  await assert.rejects(
    send({ url: 'http://127.0.0.1:1/' }),
    (error: unknown) => detail(error)['reason'] === 'ADDRESS_REFUSED' && detail(error)['status'] === 500,
  );
  await assert.rejects(
    send({ url: 'http://169.254.169.254/latest/meta-data' }),
    (error: unknown) => detail(error)['reason'] === 'ADDRESS_REFUSED',
  );
});

test('a host that is served elsewhere by now is asked there, and no other one is', async () => {
  const { url } = await serve((request, response) => response.end(request.headers.host));
  const dispatcher = createGuardedAgent(['127.0.0.1:1', '127.0.0.1:2'], 64, { '127.0.0.1:1': new URL(url).host });
  servers.push(() => dispatcher.destroy());
  const signal = new AbortController().signal;
  const ask = (port: number) =>
    sendRequest(
      { method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {}, queryParams: {}, authType: 'NONE' },
      { dispatcher, timeoutMs: 60_000, signal, room: rooms.forStep('k', signal) },
    );
  assert.equal(((await ask(1)) as { body: string }).body, '127.0.0.1:1');
  await assert.rejects(ask(2), StepError);
});

test('only plain http and https URLs without credentials are called', async () => {
  const { send } = await serve((_request, response) => response.end());
  for (const url of ['file:///etc/passwd', 'ftp://1.1.1.1/', 'http://user:pass@1.1.1.1/', 'not a url', '']) {
    await assert.rejects(send({ url }), StepError, url);
  }
});

test('a redirect is never followed: it fails the step, and is an answer for one that says not to follow any', async () => {
  let calls = 0;
  const { send } = await serve((_request, response) => {
    calls += 1;
    response.writeHead(302, { location: 'http://127.0.0.1:1/' });
    response.end();
  });
  for (const followRedirects of [true, undefined])
    await assert.rejects(send({ followRedirects }), (error: unknown) => detail(error)['status'] === 302);
  assert.equal(((await send({ followRedirects: false })) as { status: number }).status, 302);
  assert.equal(calls, 3);
});

test('an answer beyond 2 MiB fails the step, plain or packed; one below passes', async () => {
  const sizes: Record<string, number> = { '/big': 3 * 1024 * 1024, '/fits': 1024 * 1024 };
  const { url, send } = await serve((request, response) => {
    const [path, packed] = (request.url ?? '').split('?');
    const text = 'x'.repeat(sizes[path ?? ''] ?? 0);
    if (packed === undefined) response.end(text);
    else {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(text));
    }
  });
  await assert.rejects(send({ url: `${url}/big` }), /larger than 2 MiB/);
  await assert.rejects(send({ url: `${url}/big?packed` }), /larger than 2 MiB/);
  assert.equal(((await send({ url: `${url}/fits` })) as { body: string }).body.length, 1024 * 1024);
  assert.equal(((await send({ url: `${url}/fits?packed` })) as { body: string }).body.length, 1024 * 1024);
});

test("a target that keeps dripping or never answers ends at the step's time limit", async (t) => {
  const dripped = Promise.withResolvers<void>();
  let drops = 0;
  const { url, send } = await serve((request, response) => {
    if (request.url === '/silent') return;
    response.writeHead(200);
    const drip = setInterval(() => response.write('.') && (drops += 1) === 3 && dripped.resolve(), 10);
    response.on('close', () => clearInterval(drip));
  });
  // The status of a change has to arrive before its limit: both are in this process, so it has when more is sent in later turns of the event loop.
  const limitMs = 59_999;
  const { setTimeout: start } = globalThis;
  let passLimit = (): void => undefined;
  t.mock.method(globalThis, 'setTimeout', (work: () => void, ms?: number, ...rest: never[]) => {
    if (ms !== limitMs) return start(work, ms, ...rest);
    passLimit = work;
    return start(() => undefined, ms);
  });
  const answer = send({ url: `${url}/drip` }, limitMs);
  await dripped.promise;
  passLimit();
  assert.equal(((await answer) as { status: number }).status, 200);
  for (const [method, path] of [
    ['POST', '/silent'],
    ['GET', '/silent'],
    ['GET', '/drip'],
  ]) {
    await assert.rejects(send({ method, url: url + path }, 150), (error: unknown) => detail(error)['reason'] === 'TIMEOUT');
  }
});

test('a change whose answer breaks after its status was made, with what came of the body; a read fails', async () => {
  const { url, send } = await serve((request, response) => {
    response.writeHead(request.url === '/refused' ? 422 : 201, { 'content-length': 500 });
    response.write('{"sid":');
    response.socket?.end();
  });
  assert.deepEqual(await send({ url }).then((reply) => [(reply as { status: number }).status, (reply as { body: unknown }).body]), [
    201,
    '{"sid":',
  ]);
  await assert.rejects(send({ url: `${url}/refused` }), (error: unknown) => detail(error)['status'] === 422);
  await assert.rejects(send({ method: 'GET', url }), (error: unknown) => detail(error)['status'] === 500);
});

test('an abort from outside is no failure of the step', async () => {
  const abort = new AbortController();
  const { send } = await serve(() => abort.abort(new Error('stop')));
  await assert.rejects(send({}, 60_000, abort.signal), (error: unknown) => !(error instanceof StepError));
});

test('headers of a flow cannot change framing or smuggle a second request', async () => {
  const seen: string[] = [];
  const { send } = await serve((request, response) => {
    seen.push(JSON.stringify(request.headers));
    response.end('{}');
  });
  await send({
    headers: { 'Content-Length': '1', 'Transfer-Encoding': 'chunked', Host: 'evil.test', 'x-ok': 'yes' },
    body_type: 'json',
    body: { data: { a: 1 } },
  });
  const headers = JSON.parse(seen[0] ?? '{}') as Record<string, string>;
  assert.equal(headers['content-length'], '7');
  assert.equal(headers['transfer-encoding'], undefined);
  assert.equal(headers['x-ok'], 'yes');
  assert.match(headers['host'] ?? '', /^127\.0\.0\.1/);
  await assert.rejects(send({ headers: { 'x-bad': 'a\r\nx-injected: 1' } }));
});

test('a header with a character that no header carries is sent, so that the other side refuses it', async () => {
  const seen: (string | undefined)[] = [];
  const { send } = await serve((request, response) => {
    seen.push(request.headers.authorization, request.headers['x-api-key']?.toString());
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"name":"invalid_api_key"}');
  });
  const headers = { authorization: 'Bearer sk–“a”', 'x-api-key': 'k😀' };
  await assert.rejects(send({ headers }), (error: unknown) => detail(error)['status'] === 401);
  assert.deepEqual(seen, ['Bearer sk??a?', 'k?']);
});

test('failure modes: 4xx is forgiven by continue_4xx and continue_all, 5xx by continue_all alone, retry_all calls three times', async () => {
  let calls = 0;
  const { url, send } = await serve((request, response) => {
    calls += 1;
    response.writeHead(Number((request.url ?? '').slice(1)), { 'content-type': 'application/json' });
    response.end('{"error":{"message":"no"}}');
  });
  const body = { body_type: 'json', body: { data: { a: 1 } } };
  const forgiven = { response: { status: 404, body: { error: { message: 'no' } } }, request: { body: { a: 1 } } };
  assert.deepEqual(await send({ url: `${url}/404`, failureMode: 'continue_4xx', ...body }), forgiven);
  assert.deepEqual(await send({ url: `${url}/404`, failureMode: 'continue_all', ...body }), forgiven);
  await assert.rejects(
    send({ url: `${url}/503`, failureMode: 'continue_4xx', ...body }),
    (error: unknown) => detail(error)['apiMessage'] === 'no',
  );
  assert.equal(Reflect.get((await send({ url: `${url}/503`, failureMode: 'continue_all', ...body })) as object, 'status'), undefined);
  calls = 0;
  await assert.rejects(send({ url: `${url}/503`, failureMode: 'retry_all', ...body }));
  assert.equal(calls, 3);
  calls = 0;
  await assert.rejects(send({ url: `${url}/404`, failureMode: 'retry_5xx', ...body }));
  assert.equal(calls, 1);
});

test('a call that has ended leaves no timer and no listener behind', async () => {
  const { send } = await serve((_request, response) => response.end('{}'));
  const { signal } = new AbortController();
  await send({}, 60_000, signal);
  const timers = new Set<number>();
  const watch = createHook({
    init: (id, type) => void (type === 'Timeout' && timers.add(id)),
    destroy: (id) => void timers.delete(id),
  }).enable();
  for (let call = 0; call < 50; call += 1) await send({}, 60_000, signal);
  // An end is reported after the event-loop iteration in which it happened.
  await new Promise((resolve) => setImmediate(resolve));
  watch.disable();
  assert.ok(timers.size < 10, `${timers.size} timers`);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('an answer nested too deep stays a text, and an error quotes the beginning of large bodies', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const { url, send } = await serve((request, response) => {
    response.writeHead(request.url === '/deep' ? 200 : 400, { 'content-type': 'application/json' });
    response.end(request.url === '/deep' ? deep : JSON.stringify({ list: 'y'.repeat(500_000) }));
  });
  assert.equal(((await send({ url: `${url}/deep` })) as { body: unknown }).body, deep);
  const sent = { data: { text: 'z'.repeat(500_000) } };
  await assert.rejects(send({ url: `${url}/refused`, body_type: 'json', body: sent }), (error: unknown) => {
    const { responseBody, requestBody, status } = detail(error);
    assert.equal(status, 400);
    assert.match(String(responseBody), /^{"list":"y+…$/);
    assert.match(String(requestBody), /^{"text":"z+…$/);
    return error instanceof StepError && error.message.length < 100_000;
  });
});

test('a body to send that is larger than 2 MiB as text fails the step before anything is sent', async () => {
  const { url, send } = await serve((_request, response) => response.end('{}'));
  const part = 'x'.repeat(256 * 1024);
  const body = (count: number) => ({ body_type: 'json', body: { data: Array.from({ length: count }, () => part) } });
  await assert.rejects(send({ url, ...body(4_000) }), /body to send is larger than 2 MiB/);
  assert.equal(((await send({ url, ...body(7) })) as { status: number }).status, 200);
});
