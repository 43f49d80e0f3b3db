import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_ROLE, type EmbeddedPostgres, startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { makeDataDir } from '../harness/data-folder.ts';
import { freePort } from '../harness/free-port.ts';
import { childrenOf, until } from '../harness/system.ts';

/** A Postgres primary and its synchronous standby, as docs/deploy.md describes them. Each has the databases `portal` and `engine`. */
export type DatabasePair = {
  /** The administrator's name; the servers trust every connection from this machine. */
  user: string;
  primaryPort: number;
  standbyPort: number;
  /** Ends every process of the primary at once, as a machine that loses its power. */
  killPrimary(): void;
  /** Makes the standby the primary; resolves when it accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
};

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Room for two processes that serve, two that work, one of each that starts, the engine, and the test. */
const SETTINGS = { max_connections: '200', fsync: 'off' };

export async function startDatabasePair(): Promise<DatabasePair> {
  const [primaryDir, standbyDir] = [makeDataDir(), makeDataDir()];
  const [primaryPort, standbyPort] = [await freePort(), await freePort()];
  // A shared server is not started again when it is killed.
  const start = (dataDir: string, listenTcp: number, settings: Record<string, string>): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir, listenTcp, log: quiet, shared: true, settings: { ...SETTINGS, ...settings } });
  const empty = await start(primaryDir, primaryPort, {});
  for (const name of ['portal', 'engine']) await withClient(empty.adminConfig, (client) => client.query(`create database ${name}`));
  await empty.stop();

  const [from, to] = [join(primaryDir, 'cluster'), join(standbyDir, 'cluster')];
  mkdirSync(standbyDir, { recursive: true });
  execFileSync('cp', ['-a', '--reflink=auto', from, to]);
  const signal = join(to, 'standby.signal');
  writeFileSync(signal, '');
  const { uid, gid } = statSync(to);
  chownSync(signal, uid, gid);

  const primary = await start(primaryDir, primaryPort, { synchronous_standby_names: '*' });
  // It names no standby of its own: a promoted one that waited for another would commit nothing.
  const standby = await start(standbyDir, standbyPort, {
    primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=${ADMIN_ROLE} application_name=standby`,
  });
  await until('the standby follows synchronously', () =>
    withClient(primary.adminConfig, async (client) => {
      const { rows } = await client.query<{ state: string }>('select sync_state as state from pg_stat_replication');
      return rows[0]?.state === 'sync';
    }),
  );
  let isKilled = false;
  return {
    user: ADMIN_ROLE,
    primaryPort,
    standbyPort,
    killPrimary() {
      isKilled = true;
      const pid = primary.pid();
      if (pid === null) throw new Error('The primary does not run.');
      const children = childrenOf(pid);
      process.kill(pid, 'SIGKILL');
      for (const child of children) {
        try {
          process.kill(child, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
      }
    },
    async promote() {
      await withClient(standby.adminConfig, async (client) => {
        const { rows } = await client.query<{ promoted: boolean }>('select pg_promote(true, 60) as promoted');
        if (!rows[0]?.promoted) throw new Error('The standby was not promoted.');
      });
    },
    async stop() {
      await standby.stop();
      if (!isKilled) await primary.stop();
      for (const dir of [primaryDir, standbyDir]) rmSync(dir, { recursive: true, force: true });
    },
  };
}
