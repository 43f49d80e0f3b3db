import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { ADMIN_ROLE, startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import type pg from 'pg';
import { makeDataDir } from './data-folder.ts';
import { freePort } from './free-port.ts';
import { endLeftovers, type Service, spawnService, type System, until } from './system.ts';

export type Shared = Pick<System, 'baseUrl' | 'admin' | 'client' | 'login' | 'settings' | 'query'>;
/** The same system, asked through the one or the other process. */
export type TwoProcesses = {
  ways: readonly [Shared, Shared];
  /** Kills the first at once, as a crash would. */
  killFirst(): Promise<void>;
  stop(): Promise<void>;
};

const ADMIN = { email: 'staff@portal.example', password: 'seven green sparrows' };
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Two processes of the service that serve on one database, as behind a balancer; the first also works. They share nothing else. */
export async function startTwoProcesses(env: Record<string, string>): Promise<TwoProcesses> {
  const dataDir = makeDataDir();
  const server = await startEmbeddedPostgres({ dataDir, log: quiet, settings: { max_connections: '150', fsync: 'off' } });
  await withClient(server.adminConfig, (client) => client.query('create database portal'));
  const { host, port } = server.adminConfig;
  const settings = {
    JWT_SECRET: randomBytes(32).toString('hex'),
    AUTOMATION_CALLBACK_SECRET: randomBytes(32).toString('hex'),
    CREDENTIALS_ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}`,
  };
  const common = {
    ...settings,
    DATABASE_URL: `postgres://${ADMIN_ROLE}:none@${encodeURIComponent(host)}:${port}/portal`,
    SEED_ADMIN_EMAIL: ADMIN.email,
    SEED_ADMIN_PASSWORD: ADMIN.password,
    DATA_DIR: dataDir,
    ...env,
  };
  const services: Service[] = [];
  const end = (): void => {
    for (const service of services) if (service.isAlive()) process.kill(service.pid, 'SIGKILL');
    endLeftovers(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', end);
  const query: System['query'] = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    withClient({ ...server.adminConfig, database: 'portal' }, async (client) => (await client.query<Row>(text, values)).rows);
  const start = async (role: 'all' | 'http'): Promise<Shared & { service: Service }> => {
    const own = await freePort();
    const baseUrl = `http://127.0.0.1:${own}`;
    const service = spawnService({ ...common, ROLE: role, PORT: String(own), PUBLIC_BASE_URL: baseUrl });
    services.push(service);
    await until('the process serves', () => {
      if (!service.isAlive()) throw new Error(`The service ended: ${service.output()}`);
      return service.output().includes('Ready at');
    });
    const client = (token?: string) => createClient(routes, { baseUrl, fetch, token: () => token });
    const login = async (email: string, password: string): Promise<string> => {
      const answer = await client().login({ body: { email, password } });
      assert.ok('accessToken' in answer, `${email} has a second factor.`);
      return answer.accessToken;
    };
    return { baseUrl, admin: ADMIN, client, login, settings: () => settings, query, service };
  };
  const ways = await Promise.all([start('all'), start('http')]);
  return {
    ways,
    async killFirst() {
      process.kill(ways[0].service.pid, 'SIGKILL');
      await ways[0].service.ended;
    },
    async stop() {
      for (const service of services) if (service.isAlive()) process.kill(service.pid, 'SIGTERM');
      for (const service of services) await service.ended;
      await server.stop();
      end();
      process.off('exit', end);
    },
  };
}
