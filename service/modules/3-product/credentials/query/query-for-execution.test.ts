import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { exposeDatabase, startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';

let service: VaultService;
let moved = '93.184.216.34';
let exposed: Awaited<ReturnType<typeof exposeDatabase>>;

before(async () => {
  service = await startVaultService({ allowedHosts: ['127.0.0.1'], lookup: async () => [{ address: moved, family: 4 }] });
  exposed = await exposeDatabase(service.database.host.adminConfig);
});
after(async () => {
  exposed.close();
  await service.close();
});
beforeEach(async () => {
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('credential').execute();
    await tx.deleteFrom('workflow').execute();
  });
});

/** A run of an agent of this client (or agency-wide). */
async function startRun(clientId: string | null = service.world.clientId, status = 'RUNNING'): Promise<string> {
  const { partnerId } = service.world;
  return service.db.asSystem('seed', async (tx) => {
    const templateName = 'daily-sql-report';
    const known = await tx
      .selectFrom('workflow')
      .select('id')
      .where('clientId', clientId === null ? 'is' : '=', clientId)
      .executeTakeFirst();
    const workflowId = known?.id ?? (await addWorkflow(tx, { partnerId, clientId, templateName }));
    const id = newId();
    const run = {
      id,
      partnerId,
      clientId,
      workflowId,
      status,
      source: 'test',
      summary: '',
      templateVersion: 1,
      creditsHeld: 1,
      dueAt: new Date(Date.now() + 60_000),
    };
    await tx.insertInto('execution').values(run).execute();
    return id;
  });
}

function saveDatabase(password: string, clientId?: string | null, host = exposed.host) {
  const { port } = exposed;
  const data = { host, port, database: service.database.name, user: service.database.host.adminConfig.user, password, ssl: false };
  return service.call('PUT', '/credentials/postgres', {
    as: 'owner',
    body: { sourceMode: 'byok', data, ...(clientId ? { clientId } : {}) },
  });
}

function ask(executionId: string, body: object, token = callbackToken(service.callbackSecret.reveal(), executionId)) {
  return service.call('POST', `/executions/${executionId}/query`, { headers: { 'x-callback-token': token }, body });
}

describe('a query of a run', () => {
  it('that was never written is refused in words the agency can act on', async () => {
    const reply = await ask(await startRun(), { query: '  ' });
    assert.deepEqual([reply.status, reply.body.detail], [422, 'This agent has no query in its settings.']);
    assert.equal((await ask(await startRun(), {})).body.errors[0].code, 'required');
  });

  it('reads the database of its agency', async () => {
    await saveDatabase('a-secret-password');
    const reply = await ask(await startRun(), { query: 'select $1::int + 1 as n, current_user is not null as known', params: [41] });
    assert.deepEqual([reply.status, reply.body], [200, { columns: ['n', 'known'], rows: [{ n: 42, known: true }], truncated: false }]);
  });

  it('prefers the database of its client', async () => {
    await saveDatabase('of-the-agency');
    await saveDatabase('of-the-client', service.world.clientId);
    await ask(await startRun(), { query: 'select 1 as one' });
    await ask(await startRun(service.world.otherClientId), { query: 'select 1 as one' });
    const uses = await service.db.asSystem('credentials', (tx) =>
      tx
        .selectFrom('credentialUse')
        .select(['clientId', 'purpose', 'actorType'])
        .where('purpose', '=', 'run_query')
        .orderBy('id', 'desc')
        .limit(2)
        .execute(),
    );
    assert.deepEqual(uses, [
      { clientId: null, purpose: 'run_query', actorType: 'system' },
      { clientId: service.world.clientId, purpose: 'run_query', actorType: 'system' },
    ]);
  });

  it('is cut at 500 rows', async () => {
    await saveDatabase('p');
    const reply = await ask(await startRun(), { query: 'select n from generate_series(1, 600) n' });
    assert.deepEqual([reply.body.rows.length, reply.body.truncated], [500, true]);
  });

  it('costs four statements of ours beside BEGIN, scope and COMMIT at most', async () => {
    await saveDatabase('p');
    const run = await startRun();
    assert.ok((await service.countStatements(() => ask(run, { query: 'select 1 as one' }))) <= 7);
  });
});

describe('a query is refused', () => {
  it('without the proof of exactly this run', async () => {
    await saveDatabase('p');
    const run = await startRun();
    const other = callbackToken(service.callbackSecret.reveal(), await startRun());
    for (const token of ['', 'x', other])
      assert.deepEqual((await ask(run, { query: 'select 1' }, token)).body.code, 'invalid_callback_token');
    const bare = await service.call('POST', `/executions/${run}/query`, { as: 'owner', body: { query: 'select 1' } });
    assert.equal(bare.body.code, 'invalid_callback_token');
    assert.equal((await ask(newId(), { query: 'select 1' }, other)).body.code, 'invalid_callback_token');
  });

  it('for a run that has ended and for one that never was', async () => {
    await saveDatabase('p');
    assert.equal((await ask(await startRun(service.world.clientId, 'SUCCEEDED'), { query: 'select 1' })).body.code, 'invalid_state');
    assert.equal((await ask(newId(), { query: 'select 1' })).body.code, 'not_found');
    assert.equal((await ask('nothing', { query: 'select 1' })).body.code, 'not_found');
  });

  it('when no database is connected, or its body is no query', async () => {
    const run = await startRun();
    const unconnected = await ask(run, { query: 'select 1' });
    assert.deepEqual([unconnected.status, unconnected.body.code], [422, 'validation_failed']);
    assert.match(unconnected.body.detail, /No SQL database is connected/);
    assert.equal((await ask(run, {})).body.code, 'validation_failed');
    assert.equal((await ask(run, { query: 'x'.repeat(20_001) })).body.code, 'validation_failed');
  });

  it('with the words of the database, and without host or password', async () => {
    await saveDatabase('a-secret-password');
    const reply = await ask(await startRun(), { query: "select cast('a-secret-password@127.0.0.1' as int)" });
    assert.deepEqual([reply.status, reply.body.code, reply.body.errors[0].field], [422, 'validation_failed', 'query']);
    assert.match(reply.body.detail, /invalid input syntax/);
    assert.doesNotMatch(reply.text, /a-secret-password|127\.0\.0\.1/);
  });

  it('when it writes', async () => {
    await saveDatabase('p');
    assert.equal((await ask(await startRun(), { query: "update plan set name = 'x'" })).body.code, 'validation_failed');
  });

  it('when the name of the host leads to a private address by now', async () => {
    const saved = await saveDatabase('p', null, 'db.example.com');
    assert.equal(saved.status, 200);
    const run = await startRun();
    moved = '10.0.0.7';
    const refused = await ask(run, { query: 'select 1 as one' });
    assert.deepEqual([refused.status, refused.body.code], [422, 'private_address']);
    assert.doesNotMatch(refused.text, /db\.example|10\.0\.0/);
    await saveDatabase('p');
    assert.equal((await ask(run, { query: 'select 1 as one' })).status, 200, 'its allowed twin');
  });
});
