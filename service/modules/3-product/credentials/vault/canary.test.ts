import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { exposeDatabase, startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';

/**
 * Every saved value contains the canary. It must not appear in any response, log line or table row, in any encoding. Only the engine's
 * connection call may contain it.
 */
const CANARY = 'cAnArY7Q';
const HOST = `${CANARY.toLowerCase()}.example.com`;
const responses: string[] = [];
const logLines: string[] = [];
let service: VaultService;
let exposed: Awaited<ReturnType<typeof exposeDatabase>>;

const VALUES: { readonly [provider: string]: object } = {
  openai: { apiKey: `sk-sandbox-${CANARY}` },
  anthropic: { apiKey: `sk-ant-sandbox-${CANARY}` },
  calcom: { apiKey: `cal_sandbox_${CANARY}` },
  resend: { apiKey: `re_sandbox_${CANARY}` },
  twilio: { accountSid: `AC${CANARY}`, authToken: `sandbox-${CANARY}` },
};

before(async () => {
  service = await startVaultService({
    logLine: (line) => logLines.push(line),
    allowedHosts: [HOST],
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  exposed = await exposeDatabase(service.database.host.adminConfig);
});
after(async () => {
  exposed.close();
  await service.close();
});

const call: VaultService['call'] = async (method, path, options) => {
  const reply = await service.call(method, path, options);
  responses.push(`${method} ${path} ${JSON.stringify(reply.headers)} ${reply.text}`);
  return reply;
};

function databaseValue(): object {
  // Name and user must exist, so they contain no canary; the test server requires no password.
  return {
    host: HOST,
    port: exposed.port,
    database: service.database.name,
    user: service.database.host.adminConfig.user,
    password: CANARY,
    ssl: false,
  };
}

async function useVault(): Promise<void> {
  const { clientId, partnerId } = service.world;
  const values = Object.entries({ ...VALUES, postgres: databaseValue() });
  await service.db.asSystem('seed', async (tx) => {
    for (const templateName of ['missed-call-text-back', 'daily-sql-report', 'lead-qualifier'])
      await addWorkflow(tx, { partnerId, clientId, templateName });
  });
  for (const [provider, data] of values) {
    for (const scope of [{}, { clientId }]) {
      const saved = await call('PUT', `/credentials/${provider}`, { as: 'owner', body: { sourceMode: 'byok', data, ...scope } });
      assert.equal(saved.status, 200, saved.text);
    }
    const tested = await call('POST', `/credentials/${provider}/test`, { as: 'owner' });
    assert.equal(tested.body.ok, true, `${provider}: ${tested.text}`);
    await service.vault.bindConnection(
      { slot: { partnerId, clientId, provider: provider as 'openai' }, projectId: 'p', externalId: `of_${provider}` }, // one of the six, by the table above
      { type: 'system', id: null },
    );
    await call('PUT', `/credentials/${provider}`, { as: 'clientUser', body: { sourceMode: 'byok', data } });
  }
  service.engine.away = true;
  await service.runner.drain();
  service.engine.away = false;
  await service.runner.drain({ untilAt: new Date(Date.now() + 60_000) });
  await call('POST', '/credentials/resend/test', { as: 'clientUser' });
  for (const path of [
    '/credentials',
    `/credentials?clientId=${clientId}`,
    '/credentials/requirements',
    '/credentials/requirements/counts',
    `/clients/${clientId}/readiness`,
  ])
    await call('GET', path, { as: 'owner' });
  await call('GET', `/credentials?partnerId=${partnerId}`, { as: 'staff' });
}

async function queryDatabase(): Promise<void> {
  const { clientId, partnerId } = service.world;
  const id = newId();
  await service.db.asSystem('seed', (tx) =>
    tx
      .insertInto('execution')
      .values({
        id,
        partnerId,
        clientId,
        workflowId: newId(),
        status: 'RUNNING',
        source: 'test',
        summary: '',
        templateVersion: 1,
        creditsHeld: 1,
        dueAt: new Date(),
      })
      .execute(),
  );
  const headers = { 'x-callback-token': callbackToken(service.callbackSecret.reveal(), id) };
  assert.equal((await call('POST', `/executions/${id}/query`, { headers, body: { query: 'select 1 as one' } })).status, 200);
  assert.equal((await call('POST', `/executions/${id}/query`, { headers, body: { query: 'select nothing' } })).status, 422);
}

/** Sends invalid requests that contain a key. */
async function makeMistakes(): Promise<void> {
  const mistakes = [
    { sourceMode: CANARY, data: { apiKey: CANARY } },
    { sourceMode: 'byok', data: { apiKey: [CANARY] } },
    { sourceMode: 'byok', data: { apiKey: `${CANARY}\nX: ${CANARY}` } },
    { sourceMode: 'byok', data: { key: CANARY } },
    { sourceMode: 'byok', data: CANARY },
    { sourceMode: 'byok', data: { apiKey: CANARY.repeat(100) } },
  ];
  for (const body of mistakes) assert.equal((await call('PUT', '/credentials/resend', { as: 'owner', body })).status, 422);
  assert.equal((await call('PUT', '/credentials/resend', { as: 'owner', rawBody: `{"data": {"apiKey": "${CANARY}"` })).status, 400);
  const twilio = { accountSid: `../${CANARY}`, authToken: CANARY };
  assert.equal((await call('PUT', '/credentials/twilio', { as: 'owner', body: { sourceMode: 'byok', data: twilio } })).status, 422);
  const sql = { ...databaseValue(), host: `https://${CANARY}`, port: CANARY };
  assert.equal((await call('PUT', '/credentials/postgres', { as: 'owner', body: { sourceMode: 'byok', data: sql } })).status, 422);
  assert.equal(
    (await call('PUT', '/credentials/resend', { as: 'moderator', body: { sourceMode: 'byok', data: VALUES['resend'] } })).status,
    403,
  );
}

const forms = [CANARY, Buffer.from(CANARY).toString('hex'), ...[0, 1, 2].map((shift) => base64Core(shift))].map((form) =>
  form.toLowerCase(),
);
const holdsCanary = (text: string): boolean => forms.some((form) => text.toLowerCase().includes(form));

/** Returns the part of the canary's base64 that does not depend on the bytes around it. */
function base64Core(shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(CANARY)])
    .toString('base64')
    .replace(/=+$/, '');
  return text.slice(shift === 0 ? 0 : 4, -2);
}

/** Returns every row of every table that the service writes, as text. */
async function dumpTables(): Promise<{ table: string; rows: string[] }[]> {
  const admin = new pg.Client({ ...service.database.host.adminConfig, database: service.database.name });
  await admin.connect();
  const { rows: tables } = await admin.query<{ name: string }>(
    "select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker', 'sandbox', 'engine')",
  );
  const dump: { table: string; rows: string[] }[] = [];
  for (const { name } of tables) {
    const { rows } = await admin.query<{ line: string }>(`select t::text as line from ${name} t`);
    dump.push({ table: name, rows: rows.map((row) => row.line) });
  }
  await admin.end();
  return dump;
}

describe('a saved value', () => {
  before(async () => {
    await useVault();
    await queryDatabase();
    await makeMistakes();
  });

  it('appears in no response', () => {
    assert.ok(responses.length > 40);
    assert.deepEqual(responses.filter(holdsCanary), []);
  });

  it('appears in no log line', () => {
    assert.ok(logLines.length > 40);
    assert.deepEqual(logLines.filter(holdsCanary), []);
  });

  it('appears in no table in a readable form: not in audit, jobs, the ledger or the sandbox', async () => {
    const dump = await dumpTables();
    const written = dump.filter(({ rows }) => rows.length > 0).map(({ table }) => table.replace(/_\d{4}_\d\d$/, ''));
    for (const table of [
      'public.credential',
      'public.partner_data_key',
      'public.audit_entry',
      'public.credential_use',
      'public.engine_connection',
      'sandbox.call',
    ]) {
      assert.ok(written.includes(table), `${table} was searched`);
    }
    assert.deepEqual(
      dump.filter(({ rows }) => rows.some(holdsCanary)).map(({ table }) => table),
      [],
    );
  });

  it('reaches the engine, and there only as the value of its connection', () => {
    const { values } = service.engine;
    for (const provider of Object.keys(VALUES)) assert.ok(holdsCanary(JSON.stringify(values.get(`of_${provider}`))), provider);
    assert.equal(holdsCanary(JSON.stringify(values.get('of_postgres'))), false, 'the engine never holds a database password');
  });

  it('would be found: the search detects planted ones', () => {
    for (const planted of [
      `x ${CANARY} y`,
      `\\x${Buffer.from(`ab${CANARY}cd`).toString('hex')}`,
      Buffer.from(`ab${CANARY}cd`).toString('base64'),
      Buffer.from(`a${CANARY}`).toString('base64'),
    ]) {
      assert.ok(holdsCanary(planted), planted);
    }
    assert.equal(holdsCanary('anything else'), false);
  });
});
