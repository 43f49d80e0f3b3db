import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { SqlTls } from '@partner-portal/core/credential/credential.ts';
import { makeCertificate, type TestCertificate } from '@partner-portal/tests/harness/certificate.ts';
import { startTlsPostgres, type TlsPostgres } from '@partner-portal/tests/harness/tls-postgres.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { createTenantSql } from './tenant-sql.ts';

const HOST = 'db.customer.example';
const authority = makeCertificate({ host: 'Customer CA' });
const otherAuthority = makeCertificate({ host: 'Other CA' });
const DAY_MS = 86_400_000;
const good = makeCertificate({ host: HOST, issuer: authority });
const bad = {
  'another host name': makeCertificate({ host: 'db.other.example', issuer: authority }),
  'a time that has passed': makeCertificate({ host: HOST, issuer: authority, from: new Date(Date.now() - 9 * DAY_MS), days: 7 }),
  'a time to come': makeCertificate({ host: HOST, issuer: authority, from: new Date(Date.now() + DAY_MS) }),
  'another authority': makeCertificate({ host: HOST, issuer: otherAuthority }),
  itself: makeCertificate({ host: HOST }),
} satisfies Record<string, TestCertificate>;

let server: TlsPostgres;
const guard = createSafeFetch({
  allowedHosts: [HOST, '127.0.0.1'],
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
});
const sql = createTenantSql(guard);

before(async () => {
  server = await startTlsPostgres(good);
});
after(async () => {
  await guard.close();
  await server.close();
});

async function read(ssl: SqlTls, host = HOST): Promise<string> {
  const address = { host, port: server.port, database: 'postgres', user: server.adminConfig.user, password: 'trusted', ssl };
  const text = 'select ssl as encrypted from pg_stat_ssl where pid = pg_backend_pid()';
  const answer = await sql.query('acme', address, text, [], { rowsMax: 1, timeoutMs: 60_000 });
  return answer.ok ? JSON.stringify(answer.rows) : `${answer.reason}: ${answer.message}`;
}
const ENCRYPTED = '[{"encrypted":true}]';
const own = { ca: authority.cert };

describe('the certificate of a customer’s database', () => {
  it('is accepted when the CA certificate of the key issued it for the host of the key', async () => {
    await server.show(good);
    assert.equal(await read(own), ENCRYPTED);
    assert.equal(await read({ ca: otherAuthority.cert + authority.cert }), ENCRYPTED, 'one of several');
  });

  it('is accepted for an IP address when it names that address', async () => {
    await server.show(makeCertificate({ host: '127.0.0.1', issuer: authority }));
    assert.equal(await read(own, '127.0.0.1'), ENCRYPTED);
    await server.show(good);
    assert.equal(await read(own, '127.0.0.1'), 'certificate: The certificate of the database is for another host name.');
  });

  const refusals: [keyof typeof bad, string][] = [
    ['another host name', 'The certificate of the database is for another host name.'],
    ['a time that has passed', 'The certificate of the database has expired.'],
    ['a time to come', 'The certificate of the database is not valid yet.'],
    ['another authority', 'The certificate of the database was not issued by the CA certificate of this key.'],
    ['itself', 'The certificate of the database was not issued by the CA certificate of this key.'],
  ];
  for (const [what, message] of refusals)
    it(`is refused when it is for, or by, ${what}`, async () => {
      await server.show(bad[what]);
      assert.equal(await read(own), `certificate: ${message}`);
    });

  it('is refused without a CA certificate unless a public authority issued it', async () => {
    await server.show(good);
    const unknown =
      'certificate: The certificate of the database was issued by an authority that is not publicly known. Add its CA certificate to the key.';
    assert.equal(await read(true), unknown);
    await server.show(bad.itself);
    assert.equal(await read(true), unknown);
  });

  it('is accepted when the system knows its authority, and only then', async () => {
    await server.show(good);
    const folder = mkdtempSync(join(tmpdir(), 'portal-ca-'));
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, authority.cert);
    const script = `
      import { createSafeFetch } from '${new URL('../platform/outbound/safe-fetch.ts', import.meta.url).href}';
      import { createTenantSql } from '${new URL('./tenant-sql.ts', import.meta.url).href}';
      const guard = createSafeFetch({ allowedHosts: ['${HOST}'], lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
      const address = { host: '${HOST}', port: ${server.port}, database: 'postgres', user: '${server.adminConfig.user}', password: 'x', ssl: true };
      console.log(JSON.stringify(await createTenantSql(guard).query('acme', address, 'select 1 as one', [], { rowsMax: 1, timeoutMs: 60000 })));
      await guard.close();`;
    const file = join(folder, 'read.mts');
    writeFileSync(file, script);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { ...process.env, NODE_EXTRA_CA_CERTS: ca } });
    rmSync(folder, { recursive: true });
    assert.deepEqual(JSON.parse(stdout), { ok: true, columns: ['one'], rows: [{ one: 1 }], truncated: false });
  });

  it('is not looked at when the key says so: encrypted, with any certificate', async () => {
    for (const certificate of [good, ...Object.values(bad)]) {
      await server.show(certificate);
      assert.equal(await read({ verify: false }), ENCRYPTED);
    }
    assert.equal(await read(false), '[{"encrypted":false}]');
  });
});
