import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { webhookSignatureHeader } from '@partner-portal/core/webhook/signing.ts';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { type Sandbox, startSandbox } from './index.ts';

let database: TestDatabase;
let sandbox: Sandbox;
let base: string;

before(async () => {
  database = await createTestDatabase();
  sandbox = await startSandbox({ pg: database.configFor('portal_sandbox'), host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${sandbox.port}`;
});
after(async () => {
  await sandbox.close();
  await database.drop();
});

const BODY = '{"id":"evt_1",  "data":{"name":"Zoë"}}';
const bearer = () => ({ authorization: `Bearer ${sandbox.token}` });
const now = () => Math.floor(Date.now() / 1000);
const addSecret = (name: string, body: string) => fetch(`${base}/receiver/${name}/secret`, { method: 'PUT', body, headers: bearer() });
async function deliver(name: string, signature: string, body = BODY): Promise<[number, unknown]> {
  const headers = { 'content-type': 'application/json', 'x-service-event': 'webhook.test', 'x-service-signature': signature };
  const response = await fetch(`${base}/receiver/${name}`, { method: 'POST', headers, body });
  return [response.status, await response.json()];
}

describe('the receiver', () => {
  it('accepts and records deliveries signed with one of its secrets over the raw bytes', async () => {
    assert.equal((await addSecret('crm', JSON.stringify({ secret: 'whsec_one' }))).status, 204);
    assert.equal((await addSecret('crm', JSON.stringify({ secret: 'whsec_two' }))).status, 204);
    for (const secret of ['whsec_one', 'whsec_two'])
      assert.deepEqual(await deliver('crm', webhookSignatureHeader(secret, now(), BODY)), [200, { verified: true, type: 'webhook.test' }]);
    const calls = (await (await fetch(`${base}/calls?provider=receiver`, { headers: bearer() })).json()) as {
      data: { path: string; body: string; status: number }[];
    }; // its own answer
    assert.deepEqual(
      calls.data.map(({ path, body, status }) => [path, body, status]),
      [
        ['/crm', BODY, 200],
        ['/crm', BODY, 200],
      ],
    );
  });

  it('refuses another secret, body, time or name with a reason', async () => {
    const good = webhookSignatureHeader('whsec_one', now(), BODY);
    const refused: [string, string, string][] = [
      ['crm', webhookSignatureHeader('whsec_three', now(), BODY), BODY],
      ['crm', webhookSignatureHeader('whsec_one', now() - 3_600, BODY), BODY],
      ['crm', good, `${BODY} `],
      ['crm', '', BODY],
      ['stranger', good, BODY],
    ];
    for (const [name, signature, body] of refused) assert.equal((await deliver(name, signature, body))[0], 401);
    assert.equal((await deliver('crm', good))[0], 200);
    for (const body of ['', '{}', '{"secret":7}', 'nonsense']) assert.equal((await addSecret('crm', body)).status, 400);
  });
});
