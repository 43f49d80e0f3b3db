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

/** Inserts an execution of an agent of this client (or partner-wide). */
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

function query(executionId: string, body: object, token = callbackToken(service.callbackSecret.reveal(), executionId)) {
  return service.call('POST', `/executions/${executionId}/query`, { headers: { 'x-callback-token': token }, body });
}

describe('a query of an execution', () => {
  it('that is empty is refused with a message the partner can act on', async () => {
    const reply = await query(await startRun(), { query: '  ' });
    assert.deepEqual([reply.status, reply.body.detail], [422, 'This agent has no query in its settings.']);
    assert.equal((await query(await startRun(), {})).body.errors[0].code, 'required');
  });

  it('reads the database of its partner', async () => {
    await saveDatabase('a-secret-password');
    const reply = await query(await startRun(), { query: 'select $1::int + 1 as n, current_user is not null as known', params: [41] });
    assert.deepEqual([reply.status, reply.body], [200, { columns: ['n', 'known'], rows: [{ n: 42, known: true }], truncated: false }]);
  });

  it('prefers the database of its client', async () => {
    await saveDatabase('of-the-agency');
    await saveDatabase('of-the-client', service.world.clientId);
    await query(await startRun(), { query: 'select 1 as one' });
    await query(await startRun(service.world.otherClientId), { query: 'select 1 as one' });
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

  it('is recorded as a use of the key of the agency for the client and agent of the run', async () => {
    await saveDatabase('of-the-agency');
    const { otherClientId } = service.world;
    const executionId = await startRun(otherClientId);
    await query(executionId, { query: 'select 1 as one' });
    const [use] = await service.db.asSystem('credentials', (tx) =>
      tx
        .selectFrom('credentialUse as u')
        .innerJoin('workflow as w', 'w.id', 'u.workflowId')
        .select(['u.clientId', 'u.servedClientId', 'w.clientId as ofAgent'])
        .where('u.purpose', '=', 'run_query')
        .orderBy('u.id', 'desc')
        .execute(),
    );
    assert.deepEqual(use, { clientId: null, servedClientId: otherClientId, ofAgent: otherClientId });
  });

  it('is cut at 500 rows', async () => {
    await saveDatabase('p');
    const reply = await query(await startRun(), { query: 'select n from generate_series(1, 600) n' });
    assert.deepEqual([reply.body.rows.length, reply.body.truncated], [500, true]);
  });

  it('takes at most four statements besides BEGIN, scope and COMMIT', async () => {
    await saveDatabase('p');
    const run = await startRun();
    assert.ok((await service.countStatements(() => query(run, { query: 'select 1 as one' }))) <= 7);
  });
});

describe('a query is refused', () => {
  it('without the token of exactly this execution', async () => {
    await saveDatabase('p');
    const run = await startRun();
    const other = callbackToken(service.callbackSecret.reveal(), await startRun());
    for (const token of ['', 'x', other])
      assert.deepEqual((await query(run, { query: 'select 1' }, token)).body.code, 'invalid_callback_token');
    const bare = await service.call('POST', `/executions/${run}/query`, { as: 'owner', body: { query: 'select 1' } });
    assert.equal(bare.body.code, 'invalid_callback_token');
    assert.equal((await query(newId(), { query: 'select 1' }, other)).body.code, 'invalid_callback_token');
  });

  it('without that token before its body is read: what is wrong with the body decides only after it', async () => {
    const run = await startRun();
    const send = (rawBody: string, token: string) =>
      service.call('POST', `/executions/${run}/query`, { rawBody, headers: { 'x-callback-token': token } });
    const broken = ['{"query":', '[]', `{"query":"${'x'.repeat(200_000)}"}`];
    for (const body of broken) assert.equal((await send(body, 'wrong')).body.code, 'invalid_callback_token');
    const codes = [];
    for (const body of broken) codes.push((await send(body, callbackToken(service.callbackSecret.reveal(), run))).body.code);
    assert.deepEqual(codes, ['malformed_json', 'validation_failed', 'too_large']);
  });

  it('for an execution that has ended and an unknown one', async () => {
    await saveDatabase('p');
    assert.equal((await query(await startRun(service.world.clientId, 'SUCCEEDED'), { query: 'select 1' })).body.code, 'invalid_state');
    assert.equal((await query(newId(), { query: 'select 1' })).body.code, 'not_found');
    assert.equal((await query('nothing', { query: 'select 1' })).body.code, 'not_found');
  });

  it('when no database is connected, or its body is no query', async () => {
    const run = await startRun();
    const unconnected = await query(run, { query: 'select 1' });
    assert.deepEqual([unconnected.status, unconnected.body.code], [422, 'validation_failed']);
    assert.match(unconnected.body.detail, /No SQL database is connected/);
    assert.equal((await query(run, {})).body.code, 'validation_failed');
    assert.equal((await query(run, { query: 'x'.repeat(20_001) })).body.code, 'validation_failed');
  });

  it('with the message of the database, without host or password', async () => {
    await saveDatabase('a-secret-password');
    const reply = await query(await startRun(), { query: "select cast('a-secret-password@127.0.0.1' as int)" });
    assert.deepEqual([reply.status, reply.body.code, reply.body.errors[0].field], [422, 'validation_failed', 'query']);
    assert.match(reply.body.detail, /invalid input syntax/);
    assert.doesNotMatch(reply.text, /a-secret-password|127\.0\.0\.1/);
  });

  it('when it writes', async () => {
    await saveDatabase('p');
    assert.equal((await query(await startRun(), { query: "update plan set name = 'x'" })).body.code, 'validation_failed');
  });

  it('when the host now resolves to a private address', async () => {
    const saved = await saveDatabase('p', null, 'db.example.com');
    assert.equal(saved.status, 200);
    const run = await startRun();
    moved = '10.0.0.7';
    const refused = await query(run, { query: 'select 1 as one' });
    assert.deepEqual([refused.status, refused.body.code], [422, 'private_address']);
    assert.doesNotMatch(refused.text, /db\.example|10\.0\.0/);
    await saveDatabase('p');
    assert.equal((await query(run, { query: 'select 1 as one' })).status, 200, 'its allowed counterpart');
  });
});
