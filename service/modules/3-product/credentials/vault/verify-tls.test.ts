import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { makeCertificate } from '@partner-portal/tests/harness/certificate.ts';
import { readUpgradeStep } from '@partner-portal/tests/harness/old-database.ts';
import { startReactionService, type ReactionService } from '@partner-portal/tests/harness/reactions.ts';
import { startTlsPostgres, type TlsPostgres } from '@partner-portal/tests/harness/tls-postgres.ts';
import { startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';

const HOST = 'db.customer.example';
const authority = makeCertificate({ host: 'Customer CA' });
const good = makeCertificate({ host: HOST, issuer: authority });
const foreign = makeCertificate({ host: HOST, issuer: makeCertificate({ host: 'Other CA' }) });

let service: VaultService;
let watch: ReactionService;
let server: TlsPostgres;
let isAway = false;
/** Where a host is that is not on the list of allowed ones. */
const MOVED = 'moved.customer.example';
let movedTo = '8.8.8.8';
const executionId = newId();

before(async () => {
  server = await startTlsPostgres(good);
  service = await startVaultService({
    allowedHosts: [HOST],
    lookup: async (host) => {
      if (host === MOVED) return [{ address: movedTo, family: 4 }];
      if (isAway) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });
  watch = await startReactionService(service);
  const { partnerId, clientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    const workflowId = await addWorkflow(tx, { partnerId, clientId, templateName: 'daily-sql-report' });
    const run = { partnerId, clientId, workflowId, status: 'RUNNING', source: 'test', summary: '', templateVersion: 1, creditsHeld: 1 };
    await tx
      .insertInto('execution')
      .values({ ...run, id: executionId, dueAt: new Date(Date.now() + 600_000) })
      .execute();
  });
});
after(async () => {
  await watch.close();
  await service.close();
  await server.close();
});
beforeEach(async () => {
  isAway = false;
  await server.show(good);
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('alert').execute();
    await tx.deleteFrom('credential').execute();
  });
});

const data = (ssl: unknown) => ({
  host: HOST,
  port: server.port,
  database: 'postgres',
  user: server.adminConfig.user,
  password: 'trusted',
  ssl,
});
const save = (ssl: unknown) => service.call('PUT', '/credentials/postgres', { as: 'owner', body: { sourceMode: 'byok', data: data(ssl) } });
const test = () => service.call('POST', '/credentials/postgres/test', { as: 'owner', body: {} });
const stored = async () => (await service.call('GET', '/credentials', { as: 'owner' })).body[0];
const sweep = () => service.runner.runCron('credentials.verify-tls');
const alerts = async (): Promise<string[]> => (await watch.open()).map(({ rule }) => rule);

/** Makes the key one that was saved before certificates were verified, as the migration leaves it. */
const asBefore = () =>
  watch.query(`update credential set tls = 'untested', tls_due_at = now() - interval '1 second' where provider = 'postgres'`);

/** Reads through the route of flows; returns the words of a refusal. */
async function read(): Promise<string> {
  const headers = { 'x-callback-token': callbackToken('callback-secret-of-the-tests', executionId) };
  const query = 'select ssl as encrypted from pg_stat_ssl where pid = pg_backend_pid()';
  const { status, body } = await service.call('POST', `/executions/${executionId}/query`, { headers, body: { query } });
  return status === 200 ? JSON.stringify(body.rows) : body.detail;
}
const ENCRYPTED = '[{"encrypted":true}]';
const NOT_KNOWN = /issued by an authority that is not publicly known/;

describe('a SQL key that is saved', () => {
  it('is verified: with its CA certificate it works, without it does not, and an explicit choice trusts any', async () => {
    assert.equal((await save({ ca: authority.cert })).body.tls, 'verified');
    assert.deepEqual([(await test()).body.ok, await read()], [true, ENCRYPTED]);
    await save(true);
    assert.match((await test()).body.message, NOT_KNOWN);
    assert.match(await read(), NOT_KNOWN);
    assert.equal((await save({ verify: false })).body.tls, 'not_verified');
    assert.deepEqual([(await test()).body.ok, await read()], [true, ENCRYPTED]);
    await server.show(foreign);
    assert.equal(await read(), ENCRYPTED);
    await save({ ca: authority.cert });
    assert.match(await read(), /was not issued by the CA certificate of this key/);
  });

  it('shows its state and nothing of the certificate, and an unverified one stands in the audit log each time', async () => {
    for (const ssl of [{ ca: authority.cert }, { verify: false }, { verify: false }, false]) await save(ssl);
    const entries = await watch.query<{ changes: { tls?: string[] } }>(
      "select changes from audit_entry where action = 'credential.saved' and target_label = 'postgres' order by id desc limit 4",
    );
    assert.deepEqual(entries.map(({ changes }) => changes.tls).toReversed(), [
      [null, 'verified'],
      ['verified', 'not_verified'],
      ['not_verified', 'not_verified'],
      ['not_verified', 'off'],
    ]);
    const { tls, ...row } = await stored();
    assert.equal(tls, 'off');
    assert.doesNotMatch(JSON.stringify(row), /CERTIFICATE/);
  });

  it('is refused when its CA certificate cannot be read', async () => {
    const broken = authority.cert.replace(/\n(.{20})/, '\nAAAAAAAAAAAAAAAAAAAA');
    const { status, body } = await save({ ca: good.cert + broken });
    assert.deepEqual(
      [status, body.errors[0].field, body.errors[0].message],
      [422, 'data.ssl', 'Certificate 2 of the CA certificate cannot be read. Paste the whole file again.'],
    );
  });
});

describe('a SQL key of before certificates were verified', () => {
  it('works until it is tested, and after it failed: it is marked and its owner alerted, until it is saved again', async () => {
    await save(true);
    await asBefore();
    assert.deepEqual([await read(), (await stored()).tls], [ENCRYPTED, 'untested']);
    await sweep();
    await Promise.all([watch.runner.drain(), watch.alerts.sweep()]);
    assert.deepEqual([await read(), (await stored()).tls], [ENCRYPTED, 'failed']);
    const [alert, ...more] = await watch.open();
    assert.deepEqual(
      [alert?.rule, alert?.severity, alert?.label, more.length],
      ['credential_unverified', 'warning', 'The SQL database', 0],
    );
    assert.match(String(alert?.message), NOT_KNOWN);
    const tested = (await test()).body;
    assert.equal(tested.ok, true);
    assert.match(tested.message, /^The database answered, but the certificate of the database was issued by an authority/);
    assert.deepEqual(await alerts(), ['credential_unverified'], 'a test that fails again changes nothing');
    await save({ ca: authority.cert });
    await watch.runner.drain();
    assert.deepEqual([await alerts(), (await stored()).tls, await read()], [[], 'verified', ENCRYPTED]);
  });

  it('is verified from then on when it passes, without anyone noticing', async () => {
    await save({ ca: authority.cert });
    await asBefore();
    await sweep();
    await watch.runner.drain();
    assert.deepEqual([await alerts(), (await stored()).tls, await read()], [[], 'verified', ENCRYPTED]);
    await server.show(foreign);
    assert.match(await read(), /was not issued by the CA certificate/);
  });

  it('is tested again later when its database does not answer', async () => {
    await save(true);
    await asBefore();
    isAway = true;
    await sweep();
    const due = () =>
      watch.query<{ tls: string; inHours: number }>(
        `select tls, round(extract(epoch from tls_due_at - now()) / 3600)::int as "inHours" from credential`,
      );
    assert.deepEqual(await due(), [{ tls: 'untested', inHours: 6 }]);
    isAway = false;
    await sweep();
    assert.equal((await due())[0]?.tls, 'untested', 'not before its time');
    await watch.query("update credential set tls_due_at = now() - interval '1 second'");
    await sweep();
    assert.equal((await stored()).tls, 'failed');
  });

  it('is not taken for verified when its host leads to a private address, so that nothing was connected', async () => {
    const body = { sourceMode: 'byok', data: { ...data(true), host: MOVED } };
    assert.equal((await service.call('PUT', '/credentials/postgres', { as: 'owner', body })).status, 200);
    await asBefore();
    movedTo = '10.0.0.5';
    await sweep();
    assert.equal((await stored()).tls, 'untested');
    assert.equal((await test()).body.ok, false);
    assert.equal((await stored()).tls, 'untested');
  });

  it('is not tested when it uses no TLS', async () => {
    await save(false);
    await asBefore();
    isAway = true;
    await sweep();
    assert.equal((await stored()).tls, 'off');
  });

  it('is what the upgrade makes of each that was stored', async () => {
    await save(true);
    await watch.query('update credential set tls = null, tls_due_at = null');
    const text = await readUpgradeStep('0280-sql-tls');
    const update = /^update credential set .*;$/m.exec(text)?.[0] ?? '';
    await service.call('PUT', '/credentials/resend', { as: 'owner', body: { sourceMode: 'byok', data: { apiKey: 're_sandbox' } } });
    await watch.query(update);
    assert.deepEqual(await watch.query('select provider, tls, tls_due_at is not null as due from credential order by provider'), [
      { provider: 'postgres', tls: 'untested', due: true },
      { provider: 'resend', tls: null, due: false },
    ]);
  });
});
