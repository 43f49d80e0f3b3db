import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { firstCallSnippet, sessionSnippet, LANGUAGES } from './snippets.ts';

const EMAIL = "o'hara@example.com";

/** Fake service with a login, and a call that fails once with each status in turn. */
async function serve(refusals: number[]) {
  const seen: string[] = [];
  let signedIn = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const answer = (status: number, value: unknown, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    };
    seen.push(`${request.method} ${request.url}`);
    if (request.url === '/auth/login') {
      assert.deepEqual(JSON.parse(body), { email: EMAIL, password: 'with "quotes" $and' });
      signedIn += 1;
      answer(200, { accessToken: `token-${signedIn}`, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
      return;
    }
    assert.equal(request.headers.authorization, `Bearer token-${signedIn}`);
    const refusal = refusals.shift();
    answer(refusal ?? 200, refusal ? { code: 'refused' } : { data: ['a client'] }, refusal === 429 ? { 'retry-after': '0' } : {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  return { url: `http://127.0.0.1:${port}`, seen, close: () => server.close() };
}

async function run(code: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, PORTAL_PASSWORD: 'with "quotes" $and' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  const [status] = await once(child, 'close');
  assert.equal(status, 0);
  return said;
}

describe('the quick start for Node.js, run unchanged', () => {
  it('logs in and gets a response', async () => {
    const service = await serve([]);
    try {
      assert.match(await run(firstCallSnippet('node', service.url, EMAIL).code), /a client/);
      assert.deepEqual(service.seen, ['POST /auth/login', 'GET /clients']);
    } finally {
      service.close();
    }
  });

  it('reuses its session, logs in again after a 401 and waits after a 429', async () => {
    const service = await serve([401, 429]);
    try {
      const { code } = sessionSnippet('node', service.url, EMAIL);
      const calls = `${code}\nconsole.log((await call('/clients')).status, (await call('/clients')).status);`;
      assert.equal((await run(calls)).trim(), '200 200');
      assert.deepEqual(service.seen, [
        'POST /auth/login',
        'GET /clients',
        'POST /auth/login',
        'GET /clients',
        'GET /clients',
        'GET /clients',
      ]);
    } finally {
      service.close();
    }
  });
});

it('every snippet names the service and the user, and reads the password from the environment', () => {
  for (const way of LANGUAGES) {
    const { code } = firstCallSnippet(way, 'https://portal.example', 'maya@example.com');
    for (const part of ['https://portal.example/auth/login', 'maya@example.com', 'PORTAL_PASSWORD', 'Bearer'])
      assert.ok(code.includes(part), part);
  }
});
