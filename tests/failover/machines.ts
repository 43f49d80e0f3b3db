import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from '@partner-portal/contract/index.ts';
import pg from 'pg';
import { makeDataDir } from '../harness/data-folder.ts';
import { freePort } from '../harness/free-port.ts';
import { COMPILED, SERVICE_MAIN, type System, until } from '../harness/system.ts';
import { type DatabasePair, startDatabasePair } from './database-pair.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

/** One process of the product, as its machine runs it: a process manager starts it again whenever it has ended. */
export type Machine = {
  name: string;
  /** Where it listens; null for one that does not. */
  port: number | null;
  /** Between this machine and the database. */
  network: TcpProxy;
  kill(): void;
  /** Stops it in order and leaves it stopped. */
  stop(): Promise<void>;
  /** Starts it with these further variables; resolves when it is ready. */
  start(env?: Record<string, string>): Promise<void>;
  /** Resolves when the process that runs now is ready. */
  ready(): Promise<void>;
  output(): string;
};

export type Machines = Pick<System, 'baseUrl' | 'admin' | 'client' | 'login' | 'settings' | 'query'> & {
  http: readonly [Machine, Machine];
  workers: readonly [Machine, Machine];
  engine: Machine;
  database: DatabasePair;
  /** One statement in the database of the engine. */
  queryEngine: System['query'];
  /** Kills the primary and moves to the standby. Connections of machines in `silent` are never answered again, all others are closed. */
  failOver(silent: readonly Machine[]): Promise<void>;
  close(): Promise<void>;
};

const ROOT = join(import.meta.dirname, '..', '..');
const ADMIN = { email: 'staff@portal.example', password: 'seven green sparrows' };
const RESTART_MS = 200;

/** Two processes that serve behind a proxy, two that work, the engine alone, and their databases behind a proxy each. */
export async function startMachines(): Promise<Machines> {
  const database = await startDatabasePair();
  const dataDir = makeDataDir();
  const front = await startTcpProxy();
  const baseUrl = `http://127.0.0.1:${front.port}`;
  const [enginePort, ...httpPorts] = [await freePort(), await freePort(), await freePort()] as const;
  front.setTargets(httpPorts);
  const settings = {
    JWT_SECRET: randomBytes(32).toString('hex'),
    AUTOMATION_CALLBACK_SECRET: randomBytes(32).toString('hex'),
    CREDENTIALS_ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}`,
  };
  const engineSettings = {
    AUTOMATION_ENGINE_ADMIN_EMAIL: 'engine-admin@portal.example',
    AUTOMATION_ENGINE_ADMIN_PASSWORD: randomBytes(16).toString('hex'),
    AUTOMATION_ENGINE_PROJECT_ID: 'Failover0Project00001',
    AUTOMATION_INTERNAL_API_URL: baseUrl,
  };
  const common = {
    ...settings,
    ...engineSettings,
    AUTOMATION_ENGINE_ENABLED: 'true',
    AUTOMATION_ENGINE_BASE_URL: `http://127.0.0.1:${enginePort}`,
    PUBLIC_BASE_URL: baseUrl,
    SEED_ADMIN_EMAIL: ADMIN.email,
    SEED_ADMIN_PASSWORD: ADMIN.password,
    CALLER_REQUESTS_PER_MINUTE: '1000000',
    // The backlog of the whole run may take longer than an hour where everything runs on one machine.
    EXECUTION_WAIT_MINUTES: '1440',
    PARTNER_REQUESTS_PER_MINUTE: '1000000',
  };
  const machines: Machine[] = [];
  const networks: TcpProxy[] = [];
  const connectTo = async (): Promise<TcpProxy> => {
    const network = await startTcpProxy([database.primaryPort]);
    networks.push(network);
    return network;
  };
  const add = async (name: string, command: 'engine' | 'service', port: number | null, env: Record<string, string>): Promise<Machine> => {
    const network = await connectTo();
    const DATABASE_URL = `postgres://${database.user}:none@127.0.0.1:${network.port}/${command === 'engine' ? 'engine' : 'portal'}`;
    const listens = port === null ? {} : { PORT: String(port) };
    const machine = createMachine(name, command, port, network, { DATABASE_URL, DATA_DIR: join(dataDir, name), ...listens, ...env });
    machines.push(machine);
    return machine;
  };
  const [one, other] = httpPorts;
  const http = [
    await add('http-1', 'service', one, { ...common, ROLE: 'http' }),
    await add('http-2', 'service', other, { ...common, ROLE: 'http' }),
  ] as const;
  const workers = [
    await add('worker-1', 'service', null, { ...common, ROLE: 'worker' }),
    await add('worker-2', 'service', null, { ...common, ROLE: 'worker' }),
  ] as const;
  const engine = await add('engine', 'engine', enginePort, {
    ...engineSettings,
    AUTOMATION_ENGINE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  });

  const observer = await connectTo();
  const open = (name: string): System['query'] => {
    const pool = new pg.Pool({
      host: '127.0.0.1',
      port: observer.port,
      user: database.user,
      database: name,
      max: 4,
      allowExitOnIdle: true,
    });
    pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
    pools.push(pool);
    return async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => (await pool.query<Row>(text, values)).rows;
  };
  const pools: pg.Pool[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(machines.map((machine) => machine.stop()));
    await Promise.all(pools.map((pool) => pool.end()));
    await Promise.all([front, ...networks].map((proxy) => proxy.close()));
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const client = (token?: string) => createClient(routes, { baseUrl, fetch, token: () => token });
  try {
    await engine.start();
    // One migrates, and the others wait for it.
    await Promise.all([...http, ...workers].map((machine) => machine.start()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    baseUrl,
    admin: ADMIN,
    settings: () => settings,
    client,
    async login(email, password) {
      const answer = await client().login({ body: { email, password } });
      if ('mfaRequired' in answer) throw new Error(`${email} has a second factor.`);
      return answer.accessToken;
    },
    query: open('portal'),
    queryEngine: open('engine'),
    http,
    workers,
    engine,
    database,
    async failOver(silent) {
      // Before the kill, which would close them.
      for (const { network } of silent) network.silence();
      database.killPrimary();
      await database.promote();
      const isSilent = new Set(silent.map(({ network }) => network));
      for (const network of networks) {
        network.setTargets([database.standbyPort]);
        if (!isSilent.has(network)) network.endConnections();
      }
    },
    close,
  };
}

function createMachine(
  name: string,
  command: 'engine' | 'service',
  port: number | null,
  network: TcpProxy,
  settings: Record<string, string>,
): Machine {
  const main = SERVICE_MAIN.endsWith('main.ts') ? join(ROOT, 'service', 'command.ts') : SERVICE_MAIN;
  const args = command === 'engine' ? [main, 'engine'] : [main, 'service', '--empty'];
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let output = '';
  let isWanted = false;
  let own: Record<string, string> = {};
  const launch = (): void => {
    const started = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...COMPILED, ...settings, ...own },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    output = '';
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child = started;
    ended = new Promise((resolve) => started.once('close', resolve));
    void ended.then(() => {
      if (isWanted && child === started) setTimeout(() => isWanted && child === started && launch(), RESTART_MS);
    });
  };
  process.once('exit', () => child?.kill('SIGKILL'));
  const ready = async (): Promise<void> => {
    await until(`${name} is ready`, () =>
      /Ready at|The engine listens/.test(output) ? true : Promise.reject(new Error(output.slice(-2_000))),
    );
  };
  return {
    name,
    port,
    network,
    ready,
    output: () => output,
    kill() {
      output = '';
      child?.kill('SIGKILL');
    },
    async stop() {
      isWanted = false;
      child?.kill('SIGTERM');
      await ended;
    },
    async start(env = {}) {
      own = env;
      isWanted = true;
      launch();
      await ready();
    },
  };
}
