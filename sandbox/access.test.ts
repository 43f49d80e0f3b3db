import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { type Sandbox, startSandbox } from './index.ts';

let database: TestDatabase;
let sandbox: Sandbox;
before(async () => {
  database = await createTestDatabase();
  sandbox = await startSandbox({ pg: database.configFor('portal_sandbox'), host: '127.0.0.1', port: 0 });
});
after(async () => {
  await sandbox.close();
  await database.drop();
});

/** Sends a request with this Host header, which fetch does not allow. */
function call(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: sandbox.port, method, path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('what the sandbox received', () => {
  it('is read and controlled with the bearer of this start only', async () => {
    const secret = JSON.stringify({ secret: 'whsec_x' });
    const wrong = [{}, bearer('x'), bearer(`${sandbox.token}x`), bearer(sandbox.token.slice(0, -1)), { authorization: sandbox.token }];
    for (const headers of wrong) {
      const calls = await call('GET', '/calls', headers);
      assert.deepEqual([calls.status, JSON.parse(calls.text)], [401, { message: 'Send the bearer of this sandbox' }]);
      assert.equal((await call('PUT', '/receiver/crm/secret', headers, secret)).status, 401);
    }
    assert.equal((await call('GET', '/calls', bearer(sandbox.token))).status, 200);
    assert.equal((await call('PUT', '/receiver/crm/secret', bearer(sandbox.token), secret)).status, 204);
  });

  it('has another bearer at each start', async () => {
    const next = await startSandbox({ pg: database.configFor('portal_sandbox'), host: '127.0.0.1', port: 0 });
    await next.close();
    assert.match(next.token, /^[\w-]{43}$/);
    assert.notEqual(next.token, sandbox.token);
  });
});

describe('a name that resolves to this machine', () => {
  it('reaches nothing, also with the bearer: a web page may have chosen it', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${sandbox.port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '10.0.0.1',
      'localhost:1:2',
    ]) {
      for (const path of ['/calls', '/health', '/calcom/v2/me', '/receiver/crm']) {
        const { status } = await call('GET', path, { host, ...bearer(sandbox.token) });
        assert.equal(status, 421, `${host} ${path}`);
      }
    }
  });

  it('is accepted when it is a loopback name, and providers are called without the bearer', async () => {
    for (const host of ['127.0.0.1', `127.0.0.1:${sandbox.port}`, `localhost:${sandbox.port}`, 'LOCALHOST', `[::1]:${sandbox.port}`]) {
      assert.equal((await call('GET', '/calls', { host, ...bearer(sandbox.token) })).status, 200, host);
      assert.equal((await call('GET', '/calcom/v2/me', { host, ...bearer('cal_sandbox') })).status, 200, host);
      assert.equal((await call('GET', '/health', { host })).status, 200, host);
    }
  });
});
