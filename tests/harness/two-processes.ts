import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { ADMIN_ROLE, startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { makeDataDir } from './data-folder.ts';
import { openAsAdmin } from './database.ts';
import { freePort } from './free-port.ts';
import { endLeftovers, type Service, spawnService, type System, until, untilNothingHeld } from './system.ts';

export type Shared = Pick<System, 'baseUrl' | 'admin' | 'client' | 'login' | 'settings' | 'query'>;
/** The same system, asked through the one or the other process. */
export type TwoProcesses = {
  ways: readonly [Shared, Shared];
  /** The jobs that each worker has done so far, by their ids in the queue. */
  jobsDone(): [string[], string[]];
  /** Starts another process that serves, and ends when it has. */
  serveAgain(): Promise<void>;
  /** Kills the first process that serves and the first that works at once, as a crash would. */
  killFirst(): Promise<void>;
  stop(): Promise<void>;
};

const ADMIN = { email: 'staff@portal.example', password: 'seven green sparrows' };
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Two processes of the service that serve on one database, as behind a balancer, and two that work. They share nothing else. */
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
  const services: (Service & { metricsPort: number })[] = [];
  const end = (): void => {
    for (const service of services) if (service.isAlive()) process.kill(service.pid, 'SIGKILL');
    endLeftovers(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', end);
  const { query, end: endQueries } = openAsAdmin(server, 'portal');
  const spawn = async (own: Record<string, string>): Promise<Service> => {
    const metricsPort = await freePort();
    const service = { ...spawnService({ ...common, METRICS_PORT: String(metricsPort), ...own }), metricsPort };
    services.push(service);
    await until('the process is ready', () => {
      if (!service.isAlive()) throw new Error(`The service ended: ${service.output()}`);
      return service.output().includes('Ready at');
    });
    return service;
  };
  const serve = async (): Promise<Shared & { service: Service }> => {
    const own = await freePort();
    const baseUrl = `http://127.0.0.1:${own}`;
    const service = await spawn({ ROLE: 'http', PORT: String(own), PUBLIC_BASE_URL: baseUrl });
    const client = (token?: string) => createClient(routes, { baseUrl, fetch, token: () => token });
    const login = async (email: string, password: string): Promise<string> => {
      const answer = await client().login({ body: { email, password } });
      assert.ok('accessToken' in answer, `${email} has a second factor.`);
      return answer.accessToken;
    };
    return { baseUrl, admin: ADMIN, client, login, settings: () => settings, query, service };
  };
  const work = (): Promise<Service> => spawn({ ROLE: 'worker', LOG_LEVEL: 'debug', PUBLIC_BASE_URL: 'http://127.0.0.1' });
  const [one, other, worker, otherWorker] = await Promise.all([serve(), serve(), work(), work()]);
  return {
    ways: [one, other],
    jobsDone: () => [jobsIn(worker.output()), jobsIn(otherWorker.output())],
    serveAgain: async () => void (await serve()),
    async killFirst() {
      for (const { pid } of [one.service, worker]) process.kill(pid, 'SIGKILL');
      await Promise.all([one.service.ended, worker.ended]);
    },
    async stop() {
      for (const service of services) if (service.isAlive()) await untilNothingHeld(service.metricsPort);
      for (const service of services) if (service.isAlive()) process.kill(service.pid, 'SIGTERM');
      for (const service of services) await service.ended;
      await endQueries();
      await server.stop();
      end();
      process.off('exit', end);
    },
  };
}

/** The ids of the jobs whose end a worker has logged. */
function jobsIn(output: string): string[] {
  return output.split('\n').flatMap((line) => (line.endsWith('"job done"}') ? (/"jobId":"(\d+)"/.exec(line)?.slice(1) ?? []) : []));
}
