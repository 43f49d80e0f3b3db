import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createInternalFetch } from './internal-fetch.ts';
import { OutboundError, type OutboundReason } from './outbound-error.ts';
import { createSafeFetch, type Lookup, type SafeFetch } from './safe-fetch.ts';

let server: Server;
let port: number;
let hits = 0;
const opened: SafeFetch[] = [];

const serve: RequestListener = (request, response) => {
  hits += 1;
  if (request.url === '/redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  else if (request.url === '/drip') {
    // One byte after another for ever: headers and body timeouts never notice.
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  } else if (request.url === '/silent') return;
  else response.end('y'.repeat(50_000));
};

before(async () => {
  server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port; // listening on TCP
});

after(async () => {
  await Promise.all(opened.map((fetcher) => fetcher.close()));
  server.closeAllConnections();
  server.close();
});

function open(options: { allowed?: string[]; lookup?: Lookup } = {}): SafeFetch {
  const fetcher = createSafeFetch({ allowedHosts: options.allowed ?? [], ...(options.lookup ? { lookup: options.lookup } : {}) });
  opened.push(fetcher);
  return fetcher;
}

function names(...answers: string[][]): Lookup {
  let call = 0;
  return async () =>
    (answers[Math.min(call++, answers.length - 1)] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

const post = (url: string) => ({ method: 'POST', url, body: '{}', timeoutMs: 2_000, answerBytesMax: 16_384 });
const because = (reason: OutboundReason, sent: boolean) => (error: unknown) => {
  assert.ok(error instanceof OutboundError, String(error));
  assert.deepEqual({ reason: error.reason, sent: error.sent }, { reason, sent });
  return true;
};

describe('a call to an address from outside', () => {
  it('reaches an allowed host and reads its answer up to the limit', async () => {
    const answer = await open({ allowed: [`127.0.0.1:${port}`] }).call(post(`http://127.0.0.1:${port}/`));
    assert.deepEqual(
      { status: answer.status, size: answer.body.length, truncated: answer.truncated },
      { status: 200, size: 16_384, truncated: true },
    );
  });

  it('never connects to a private address, however it is written', async () => {
    const before = hits;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
    ]) {
      await assert.rejects(open().call(post(`http://${host}:${port}/`)), because('private_address', false), host);
    }
    assert.equal(hits, before);
  });

  it('is refused when a name has one private address among public ones', async () => {
    const mixed = open({ lookup: names(['93.184.216.34', '127.0.0.1']) });
    await assert.rejects(mixed.call(post(`http://mixed.example.com:${port}/`)), because('private_address', false));
  });

  it('goes by the check at connection time: a name that turned private after registration gains nothing', async () => {
    const rebinding = open({ lookup: names(['93.184.216.34'], ['127.0.0.1']) });
    await rebinding.check(`http://rebind.example.com:${port}/`);
    const before = hits;
    await assert.rejects(rebinding.call(post(`http://rebind.example.com:${port}/`)), because('private_address', false));
    assert.equal(hits, before);
  });

  it('does not follow redirects', async () => {
    const answer = await open({ allowed: ['127.0.0.1'] }).call(post(`http://127.0.0.1:${port}/redirect`));
    assert.equal(answer.status, 302);
  });

  it('ends at its deadline, also when the other side drips or stays silent', async () => {
    for (const path of ['drip', 'silent']) {
      const call = open({ allowed: ['127.0.0.1'] }).call({ ...post(`http://127.0.0.1:${port}/${path}`), timeoutMs: 150 });
      await assert.rejects(call, because('timeout', true));
    }
  });

  it('says that nothing was sent when nobody listens or the name is unknown', async () => {
    await assert.rejects(open({ allowed: ['127.0.0.1'] }).call(post('http://127.0.0.1:1/')), because('connection_refused', false));
    const unknown: Lookup = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    await assert.rejects(open({ lookup: unknown }).call(post('http://nowhere.example.com/')), because('name_not_found', false));
  });

  it('takes http and https without user and password only', async () => {
    for (const url of ['ftp://example.com/', 'http://a:b@example.com/', 'nonsense'])
      await assert.rejects(open().check(url), because('bad_address', false));
  });
});

describe('an internal call', () => {
  it('goes to our own origins and to nobody else', async () => {
    const internal = createInternalFetch((origin) => origin === `http://127.0.0.1:${port}`);
    const answer = await internal.send({ method: 'GET', url: `http://127.0.0.1:${port}/`, timeoutMs: 2_000 });
    assert.equal(answer.status, 200);
    await assert.rejects(internal.send({ method: 'GET', url: 'http://example.com/', timeoutMs: 2_000 }), because('bad_address', false));
    await internal.close();
  });
});
