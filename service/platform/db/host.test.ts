import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeCertificate } from '@partner-portal/tests/harness/certificate.ts';
import { startTlsPostgres, type TlsPostgres } from '@partner-portal/tests/harness/tls-postgres.ts';
import { StartError } from '../start-error.ts';
import { externalHost } from './host.ts';
import { createPool } from './pool.ts';
import { withClient } from './roles.ts';

const DAY_MS = 86_400_000;
const authority = makeCertificate({ host: 'Our CA' });
const good = makeCertificate({ host: 'localhost', issuer: authority });
const other = makeCertificate({ host: 'Other CA' });

let server: TlsPostgres;
const folder = mkdtempSync(join(tmpdir(), 'portal-sslmode-'));
const caFile = join(folder, 'ca.pem');
writeFileSync(caFile, authority.cert);
before(async () => {
  server = await startTlsPostgres(good);
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Connects as DATABASE_URL says; returns whether the connection is encrypted, or the sentence of the refused start. */
async function connect(parameters: string, host = 'localhost'): Promise<boolean | string> {
  try {
    const { adminConfig } = externalHost(
      `postgres://${server.adminConfig.user}:x@${host}:${server.port}/postgres${parameters}`,
      's'.repeat(40),
    );
    const { rows } = await withClient(adminConfig, (client) => client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()'));
    return rows[0].ssl;
  } catch (error) {
    assert.ok(error instanceof StartError, String(error));
    return error.message;
  }
}
const root = `&sslrootcert=${encodeURIComponent(caFile)}`;

describe('sslmode of DATABASE_URL', () => {
  it('verify-full, verify-ca and require verify certificate and host name', async () => {
    for (const mode of ['verify-full', 'verify-ca', 'require']) {
      await server.show(good);
      assert.equal(await connect(`?sslmode=${mode}${root}`), true, mode);
      assert.match(
        String(await connect(`?sslmode=${mode}`)),
        /issued by an authority that is not known here: name its certificate with sslrootcert/,
      );
      assert.match(String(await connect(`?sslmode=${mode}${root}`, '127.0.0.1')), /is for another host name/);
      await server.show(makeCertificate({ host: 'localhost', issuer: other }));
      assert.match(String(await connect(`?sslmode=${mode}${root}`)), /an authority that is not known here/);
    }
    await server.show(makeCertificate({ host: 'localhost', issuer: authority, from: new Date(Date.now() - 9 * DAY_MS), days: 7 }));
    assert.match(String(await connect(`?sslmode=verify-full${root}`)), /has expired: renew it/);
    await server.show(makeCertificate({ host: '127.0.0.1', issuer: authority }));
    assert.equal(await connect(`?sslmode=verify-full${root}`, '127.0.0.1'), true);
  });

  it('no-verify encrypts with any certificate; without a mode, or with disable, nothing is encrypted', async () => {
    await server.show(makeCertificate({ host: 'somewhere.example', issuer: other }));
    assert.equal(await connect('?sslmode=no-verify'), true);
    assert.equal(await connect('?sslmode=disable'), false);
    assert.equal(await connect(''), false);
  });

  it('that could fall back to an unencrypted connection, or is none, ends the start', async () => {
    for (const mode of ['prefer', 'allow', 'verify_full', ''])
      assert.match(
        String(await connect(`?sslmode=${mode}`)),
        /a sslmode that is not supported. Write one of disable, require, verify-ca, verify-full, no-verify/,
      );
    assert.match(String(await connect(`?${root.slice(1)}`)), /names a sslrootcert, but does not use TLS/);
    assert.match(
      String(await connect('?sslmode=verify-full&sslrootcert=/nowhere/ca.pem')),
      /sslrootcert of DATABASE_URL cannot be read: ENOENT/,
    );
  });

  it('holds for the pool and the login roles of the service too', async () => {
    await server.show(good);
    const host = externalHost(`postgres://a:b@localhost:${server.port}/postgres?sslmode=verify-full${root}`, 's'.repeat(40));
    const pool = createPool({ ...host.configFor('portal_service', 'postgres'), user: server.adminConfig.user }, { max: 1, name: 'test' });
    const { rows } = await pool.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    await pool.end();
    assert.deepEqual(rows, [{ ssl: true }]);
  });
});
