import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { chmod, chown, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import type { TestCertificate } from './certificate.ts';
import { freePort } from './free-port.ts';

/** A PostgreSQL server of its own that offers TLS on a loopback port, as a customer's does. */
export type TlsPostgres = {
  port: number;
  /** Its superuser, over the socket of the server. */
  adminConfig: DatabaseAddress;
  /** Shows another certificate from now on. */
  show(certificate: TestCertificate): Promise<void>;
  close(): Promise<void>;
};

const READY_MS = 60_000;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function startTlsPostgres(first: TestCertificate): Promise<TlsPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-tls-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'pg'), log: quiet, listenTcp: port, settings: { fsync: 'off' } });
  const clusterDir = join(folder, 'pg', 'cluster');
  const show = async ({ cert, key }: TestCertificate): Promise<void> => {
    const owner = await stat(clusterDir);
    for (const [name, text] of [
      ['server.crt', cert],
      ['server.key', key],
    ] as const) {
      const path = join(clusterDir, name);
      await writeFile(path, text, { mode: 0o600 });
      await chown(path, owner.uid, owner.gid);
    }
    await withClient(server.adminConfig, async (client) => {
      await client.query("alter system set ssl = 'on'");
      await client.query('select pg_reload_conf()');
    });
    // The server reads its files again after it answered.
    const wanted = new X509Certificate(cert).fingerprint256;
    const deadline = Date.now() + READY_MS;
    while ((await shownBy(port)) !== wanted) {
      if (Date.now() > deadline) throw new Error('The server does not show the certificate: its log in the data folder says why.');
      await delay(20);
    }
  };
  try {
    await show(first);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    port,
    adminConfig: server.adminConfig,
    show,
    async close() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the fingerprint of the certificate that the server shows; null while it offers no TLS. */
async function shownBy(port: number): Promise<string | null> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])); // SSLRequest
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (answer.toString() !== 'S') return null;
    const secure = connectTls({ socket, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    return secure.getPeerX509Certificate()?.fingerprint256 ?? null;
  } finally {
    socket.destroy();
  }
}
